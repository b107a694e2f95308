import type { ActionKind } from '../../core/ports/language-layer.js';

/**
 * What a message that takes a request back is made of, in every language that the engine reads, without accents. A class stands for every form
 * of its words; which classes must meet, and in what order, is said in withdrawal.ts.
 */
const any = (words: string): string =>
  `(?:${words
    .trim()
    .split(/\s*\|\s*|\n\s*/)
    .filter(Boolean)
    .join('|')})`;

/** What the hub would do, by what it does; only forms that ask for it, never those that tell that it was done. */
export const ACTIONS = {
  cancel: any(
    `cancel|cancell?ing|cancell?ation|unbook|cancelar|cancela|cancele|cancelem|canceles|cancelamento|desmarcar|desmarca|desmarque|cancelen|cancelarl[ao]s?|anules|anulen|anularl[ao]s?`,
  ),
  refund: any(
    `refund|refunding|reimburse|pay me back|money back|reembolsar|reembolsa|reembolse|reembolso|estornar|estorna|estorne|estorno|devolver o dinheiro|reembolses|reembolsen|devuelvas|devuelvan|devolver el dinero`,
  ),
  pause: any(`pause|pausing|freeze|suspend|pausar|pausa|pause|congelar|suspender|suspenda`),
  resume: any(
    `resume|unpause|reactivate|retomar|retoma|retome|reativar|reativa|reative|reanudar|reanuda|reactivar|reactiva`,
  ),
} as const;

/** What may be done without being named, at the end of what is said. */
export const DO = any(
  `do|proceed|continue|go ahead|go through|process|carry on|carry out|touch|change|approve|fazer|faz|faca|facam|prosseguir|prossiga|seguir|siga|continuar|continua|continue|mexer|mexa|mexe|mudar|mude|aprovar|aprovem`,
);
/** What may follow it. */
export const DONE_TO = any(
  `it|this|that|anything|any of it|any of this|with it|with this|with that|please|anymore|any more|yet|isso|nada|com isso|mais|ela|ele|por favor|nao|ok|thanks`,
);

/** Says no to what follows. */
export const NOT = any(
  `don't|dont|do not|not|never|no longer|no need to|no need|needn't|rather not|nao|naum|nem|n|nunca|jamais|ja nao|ya no|no (?:me |se )?(?:l[ao]s?|quiero|hace falta|es necesario)|no(?= (?:cancele[ns]|anule[ns]|reembolse[ns]|devuelva[ns]))`,
);

/** Wishes, politeness and helpers between a "not" and what is not to be done. */
export const BETWEEN = any(
  `you|please|to|want|wanna|wish|need|have|intend|would like|like|feel like|ever|even|really|actually|anymore|any more|any longer|go|ahead|and|bother|just|longer|have it|it|that|this|the|my|your|a|be|let|them|us|team|with|por favor|quero|queria|precisa|precisam|preciso|e|mais|mesmo|que|voces?|pra|para|vou|vamos|ir|deve|devem|pode|podem|deixa|deixe|eu|me|esse|essa|isso|o|ela|ele|mandar|desejo|pretendo|agora|ainda|gostaria|de|necessary|needed|necessario|preciso|is|are|era|e pra|meant|supposed|lo|la|los|las|ya|hace|falta|necesario|mejor`,
);

/** Keeping what there is. */
export const KEEP = any(
  `keep|hold on to|hang on to|retain|leave|stay with|stick with|maintain|preserve|manter|mantem|mantenha|mantenham|mantendo|conservar|conserva|preservar|ficar com|fico com|deixar|deixa|deixe|deixem|segurar|segura|guardar|guarda|mantener|manten|mantengan?|conserven|quedarme con|me quedo con|dejen`,
);

/** What is kept, besides records. */
export const KEPT = any(
  `it|them|this|that|everything|both|the other|the others|the rest|place|alone|be|as is|as it is|as it was|as they are|active|paused|pausad[ao]|ela|ele|outr[ao]s?|o resto|ambos|ambas|[oa]s d(?:ois|uas)|tudo|isso|lugar|vaga|como esta|como estava|assim|quieto|estar|ativa|ativo|do jeito que esta|todo|lo|la|como estaba|asi|igual`,
);

/** Taking something back. "Cancel" alone takes a request back only where a request is what it is done to. */
export const DROP = any(
  `withdraw|withdrawing|retract|revoke|rescind|undo|reverse|revert|drop|scrap|forget|forget about|disregard|ignore|abort|stop|halt|call off|take back|pull back|retirar|retiro|retira|retire|retirem|desfazer|desfaz|desfaca|reverter|reverta|reverte|revogar|revoga|revogue|esquecer|esquece|esqueca|esquecam|desconsiderar|desconsidera|desconsidere|desconsiderem|ignorar|ignora|ignore|ignorem|abortar|aborta|aborte|parar|pare|parem|anular|anula|anule|anulem|suspender|suspende|suspenda|interromper|interrompe|interrompa|retiren|olvidar|olvida|olvide|olviden|deshacer|deshaz|revertir|revierte`,
);

/** What is taken back. */
export const REQUEST = any(
  `it|this|that|everything|all of it|the whole thing|request|requests|application|cancell?ation|refund|pause|process|order to cancel|my (?:last|previous|earlier) (?:message|messages|request|words)|what i (?:said|asked|wrote|requested)|that i (?:said|asked|wrote)|isso|tudo|pedido|pedidos|solicitacao|cancelamento|reembolso|estorno|pausa|processo|ultima mensagem|minha mensagem|o que (?:eu )?(?:disse|pedi|falei|escrevi)|que (?:eu )?(?:pedi|falei|disse)|solicitud|peticion|cancelacion|anulacion|devolucion|lo que (?:te |les? |os )?(?:dije|pedi|escribi)|que (?:te |les? |os )?pedi`,
);

/** Takes away; a request is taken back by that, and nothing else. */
export const STRIKE = any(
  `tirar|tira|tire|tirem|remover|remova|remove|removing|delete|apagar|apaga|apague|eliminar|elimina|elimine|take away|take off|strike|encerrar|encerra|encerre|close|quitar|quita|quite`,
);

/** Takes back what was asked for, and calls off nothing else: "forget it" may mean the question. */
export const RETRACT = any(
  `withdraw|retract|revoke|rescind|drop|scrap|call off|take back|take (?:it|that|the request) back|pull back|retirar|retira|retire|retirem|retiren|revogar|revoga|revogue`,
);

/** What only ever is a request: cancelling it keeps what it was about. "Pedido" alone may be an order too. */
export const REQUEST_ONLY = any(
  `cancell?ation|request|(?:refund|cancell?ation) request|cancelamento|solicitacao|pedido de (?:cancelamento|reembolso)|cancelacion|anulacion|solicitud|peticion`,
);

/** A changed mind. */
export const CHANGED_MIND =
  /\b(?:chang(?:ed?|ing) (?:my|our) minds?|(?:had|have|having) (?:a )?(?:second thoughts?|change of (?:heart|mind))|on second thoughts?|second thoughts|thought (?:better of|about) it|reconsidered|regret (?:it|that|this|asking|my)|(?:mudei|mudamos|mudar|mudando) de (?:ideia|opiniao|planos?)|pensando (?:bem|melhor)|pens(?:ei|amos) (?:melhor|bem)|repensei|reconsiderei|me arrependi|nos arrependemos|arrependid[ao]|volt(?:o|ei|ar|amos|a|em|e) atras|(?:he cambiado|hemos cambiado|cambie|cambiamos) de (?:idea|opinion|planes?)|me (?:he )?arrepenti(?:do)?|l[ao] (?:he pensado|pense) (?:mejor|bien)|pensandol[ao] (?:bien|mejor)|desist(?:i|o|ir|imos) d[eo] (?:cancel\w+|reembols\w+|pedido|pausar?|estorn\w+))\b/;

/** Says that it stays at what was wished: "I am not going to change my mind". */
export const STANDS_BY =
  /\b(?:not|never|won'?t|don'?t|didn'?t|nao|n|nunca|no)\b[^.,;:!?\n]{0,24}\b(?:chang(?:e|ed|ing) (?:my|our) minds?|regret (?:it|that|this)|mud(?:ar|ei|ando|o|amos) de (?:ideia|opiniao)|arrepend\w+|volt(?:o|ar|ei|amos) atras|cambi(?:ar|o|e) de (?:idea|opinion)|arrepent\w+)\b/g;

/** Using what would be cancelled. */
export const ATTEND =
  /\b(?:(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| can| could| want to| would like to|'d like to| wanna| intend to| plan to| decided to|'ve decided to| have decided to)(?: (?:still|now|actually|definitely|just|be able to|get to))* (?:go|attend|come|be there|make it|use (?:it|them|the tickets?))|(?:i|we)(?:'m| am|'re| are) (?:still )?(?:going|coming|attending)(?! to\b)|(?:vou|vamos|vai|iremos|irei|quero|queremos|consigo|conseguimos|posso|podemos|resolvi|resolvemos|decidi|decidimos|pretendo|da para|da pra|deu para|deu pra)(?: (?:sim|poder|conseguir|mesmo|ainda|agora|eu|mesmo assim))* (?:ir|comparecer|participar|assistir|usar)|(?:eu )?(?:vou|vamos|irei) sim)\b/;

/** Says that it is otherwise than before: with one of these, wanting to go is a change of mind. */
export const AFTER_ALL =
  /\b(?:after all|anyway|anyways|instead|decided|still|actually|now|in the end|turns out|afinal|mesmo assim|no fim|no final|no fim das contas|resolvi|resolvemos|decidi|decidimos|sim|ainda|agora|na verdade|consegui|conseguir|deu certo)\b/;
/** Wanting back what would be gone. */
export const WANT_BACK =
  /\b(?:want|need|like|have|quero|queremos|preciso|queria)\b(?!.*\b(?:money|cents?|centavos?|dinheiro|refund|reembolso)\b)(?: \S+){0,5} (?:after all|back|still|mesmo assim|de volta|afinal)\b/;

/** Wants money: who has changed their mind about what they paid for takes no request back. */
export const WANT_MONEY =
  /(?<!\b(?:not|don't|dont|nao|no) )\b(?:want|need|like|give me|get|quero|queria|preciso|gostaria|me devolv\w*|quiero|devuelvan\w*)\b(?: \S+){0,4} (?:money|refund|dinheiro|reembolso|estorno|dinero)\b/;

/** Asks whether something can be done: an answer is owed before anything is. */
export const MAY =
  /\b(?:can|could|may|should|shall) (?:i|we)\b|\b(?:is it|is there|would it be) (?:\w+ ){0,2}(?:possible|too late|time|way)|\b(?:ainda|e) (?:da|posso|possivel|consigo|tempo)\b|\b(?:posso|podemos|sera que)\b|\b(?:puedo|se puede|es posible)\b/;
/** Asks and supposes: nothing is taken back by that. */
export const SUPPOSED =
  /\b(?:if|unless|in case|suppose|supposing|what happens|why|how|when|which|where|policy|se|caso|suponha|porque nao|pq|como(?! (?:esta|estava|era|ta)\b)|quando|quanto|qual|politica|prazo|cuando|cuanto|donde|por que|let me know|forgot to|don't forget|dont forget|nao esquece|nao esqueca|nao se esqueca|remember to|lembre)\b/;
/** Is not able to, has not been done: tells of what is, and takes nothing back. */
export const UNABLE =
  /\b(?:can't|cant|cannot|can not|couldn't|could not|unable|won't let|doesn't let|not able|didn't|did not|hasn't|haven't|wasn't|isn't|not been|not yet|doesn't work|(?:nao|n) (?:me )?deixam? (?:eu|a gente|mudar|fazer|cancelar)|(?:nao|n) (?:consigo|consegui|conseguimos|deu|foi|esta|estou conseguindo|posso|podemos|poderei|da)|no (?:puedo|pude|pudimos|me deja|deja|funciona|se pudo))\b/;

/** Refusals that take back what was last agreed to; each is a whole clause. */
export const BARE =
  /^(?:(?:no|nah|nao|wait|stop|ok|but|mas|hold on|espera|negativo|(?:tell|let) (?:them|(?:the |your )?(?:team|colleagues))(?: know)?(?: to)?|(?:diz|diga|fala|fale|avisa|avise)(?: (?:pra|para|a))? (?:eles|(?:a |o |sua )?(?:equipe|time))(?: que| pra| para)?) )*(?:never ?mind(?: that| it)?|nvm|forget (?:it|about it|that)|leave it(?: then)?|abort|stop(?: it| that| now)?|drop it|scrap (?:it|that)|(?:i )?(?:do(?:n't|nt| not))(?: (?:want to|bother|do it|do that|want it done))?|(?:i )?(?:take|took) (?:it|that) back|no (?:no|don't|stop)|esquec[ea](?: isso| tudo)?|deix[ae](?: (?:isso )?(?:pra|para) la| quieto| assim| estar)|(?:eu )?desist[oi]|par[ae](?:r)?(?: ai| tudo| isso| com isso)?|(?:nao|nem) (?:faz|faca|precisa|e preciso)(?: isso| nada)?(?: mais)?(?: nao)?|(?:(?:mejor|siempre|si|al final|ya|ay) )*(?:me l[ao]s? quedo|prefiero (?:quedarmel|conservarl|mantenerl)[ao]s?|olvid(?:a(?: eso)?|al[ao]|el[ao])|dej[ae]l[ao]s?(?: asi| estar| como esta(?:ba)?)?|no l[ao]s? (?:cancele[ns]?|anule[ns]?|haga[ns]?)|no haga[ns]? nada|siempre no|no hace falta))$/;
/** Refusals and halts that may mean something else. */
export const BARE_DOUBTFUL =
  /^(?:no|nope|nah|wait|hold on|hold off|hang on|not (?:now|yet|today)|i (?:don't|do not|dont) want (?:it|that|this)(?: any ?more)?|nao|n|nao nao|espera(?: ai)?|espere|pera(?: ai)?|perai|calma(?: ai)?|agora nao|ainda nao|hoje nao|(?:eu )?nao quero(?: mais)?(?: nao)?|melhor nao|acho melhor nao|mejor no|todavia no|ahora no|no (?:l[ao] )?quiero|un momento|better not|rather not|i'd rather not|cancel(?:a|ar|e)?(?: o| meu)? pedido)$/;

/** Turns down what is spoken of. */
export const UNWANTED =
  /^(?:i )?(?:(?:don't|do not|dont) (?:want|need)(?: (?:it|that|this))?(?: cancel?led)?(?: any ?more)?|(?:eu )?nao quero(?: mais)?(?: isso| cancelar)?(?: mais)?|nao precisa mais|no l[ao] quiero)$/;

/** Asks what became of a request. */
export const statusOf = (things: string): RegExp =>
  new RegExp(
    String.raw`\b(?:any (?:news|updates?|progress|answer|word|reply|decision)|(?:what|whats|what's) (?:is )?(?:the )?(?:status|news|latest|happening|going on)|status (?:of|on|update)|update (?:on|about)|what (?:about|happened (?:to|with)|became of) (?:my|the) (?:request|cancell?ation|refund|${things}|case|pause)|(?:is|was|has|have|did)(?: it| my| the| you| your| they| our| team| been| anyone| somebody| someone)* (?:request |cancell?ation |refund |team |(?:${things}) )?(?:been )?(?:approved?|decided?|done|cancell?ed|processed|refunded|gone through|cancel it|agree|agreed|looked at|requested|submitted|passed on)(?: (?:yet|already))?|still (?:waiting|pending|nothing)|how (?:long|much longer) (?:will|does|do|until|before|till) (?:it|that|this|the decision|the team|your team|they|you|i)\b[^?]*(?:decide|decision|answer|approve|approval|team|take)|when will (?:you|they|your team|the team|i (?:hear|know|get an answer))|foi (?:mesmo )?(?:pedid[ao]|solicitad[ao]|enviad[ao]|encaminhad[ao])(?: mesmo| ja)?\s*\?|novidades?|alguma (?:noticia|novidade|resposta|posicao|atualizacao)|noticias|(?:qual|como) (?:e |esta |anda |ta |ficou |vai )?(?:o )?(?:status|andamento|meu pedido|minha solicitacao|o pedido|meu cancelamento|meu reembolso|a minha solicitacao)|andamento|em que pe|(?:ja|ainda nao) (?:foi |esta |tem )?(?:aprovad[ao]|decidid[ao]|cancelad[ao]|feit[ao]|reembolsad[ao]|aprovaram|decidiram|cancelaram|cancelou|resolveram|resposta)|(?:e )?(?:o )?(?:meu|minha) (?:pedido|cancelamento|reembolso|solicitacao)\s*\?|quando (?:vou|vao|voces vao|a equipe vai|terei|sai|fica)[^?]*(?:resposta|decid\w*|saber|responder|aprov\w*)|ainda (?:estou )?(?:esperando|aguardando)|hay (?:novedades|noticias|respuesta)|alguna (?:novedad|noticia|respuesta)|(?:como|que) (?:va|paso con|pasa con|hay de) (?:mi|la|el|lo de)|(?:ya )?(?:l[ao] )?(?:aprobaron|han aprobado|decidieron|han decidido|cancelaron|han cancelado)|cuando (?:me |lo )?(?:deciden|contestan|responden|dicen))`,
  );

/** Asks what comes back of it. */
export const AMOUNT =
  /\b(?:how much|what amount)\b[^?]*\b(?:back|refund(?:ed)?|reimbursed|return(?:ed)?)\b|\b(?:will|do|would) i (?:still )?(?:get|receive) (?:all |any of |some of )?(?:my|the|a) (?:full )?(?:money|refund)\b|\bquanto\b[^?]*\b(?:de volta|reembols\w*|estorn\w*|devolv\w*|receb\w*|volta)\b|\b(?:vou|eu) receb\w* (?:o |meu |todo o )?(?:dinheiro|reembolso|valor)\b/;

/** What belongs to an open request, besides asking what became of it. */
const MONEY =
  'refund\\w*|money|get back|paid back|pay back|reimburs\\w*|reembols\\w*|estorn\\w*|dinheiro|devolv\\w*|receber? de volta|recebo de volta';
const REQUESTED = 'request|pedido|solicitacao';
const APPROVED = 'approval|aprovacao';

/**
 * The words of what an open request of each kind would change.
 * @param single what a customer has at most one of: what is paused and resumed
 */
export const subjectsOf = (single: string): Readonly<Record<ActionKind, RegExp>> => {
  const subject = (...words: readonly string[]) => new RegExp(`\\b(?:${words.join('|')})\\b`);
  return {
    cancel: subject('cancel\\w*', MONEY, REQUESTED, 'team (?:decide|agree|approve)', APPROVED),
    refund: subject(MONEY, REQUESTED, APPROVED),
    pause: subject('paus\\w*', single, REQUESTED, APPROVED),
    resume: subject('resum\\w*', 'reactivat\\w*', 'retom\\w*', 'reativ\\w*', single, REQUESTED),
    change: subject(
      'chang\\w*',
      'exchang\\w*',
      'alter\\w*',
      'troc\\w*',
      'mud\\w*',
      'cambi\\w*',
      REQUESTED,
      APPROVED,
    ),
  };
};
