/**
 * Phrases are folded (no accents, lower case). A phrase stands for itself only: what is not listed is not
 * consent. Longer phrases are tried first, so that "claro que nao" is never read as "claro". A star stands for what one of
 * the company's records is called.
 */
const lines = (text: string): string[] =>
  text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort((a, b) => b.split(' ').length - a.split(' ').length || b.length - a.length);

/** Plain consent; what follows such a word is either more consent or makes it doubtful. */
const STRONG_YES = lines(`
  yes | yeah | yea | ya | yep | yup | yess | yes sir | yes please | yes i do | yes i am | yes it is | yes that is right | hell yes | yse | yed | ye | aye | y | affirmative
  yes i confirm | i confirm | i do confirm | i confirm it | confirm | confirmed | confirm it | confirm that | go ahead | please go ahead | go for it | do it | do so | please do | please do it | do that | just do it
  proceed | please proceed | proceed with it | you may proceed | approved | i approve | i agree | agreed | i accept | accepted | absolutely | definitely | of course | by all means | certainly
  let's do it | lets do it | make it so | you can go ahead | you may | you can | i am sure | i'm sure | im sure | yes i am sure | for sure | sure thing
  sim | simm | siim | sin | s | ss | sim sim | sim senhor | sim por favor | sim quero | quero sim | quero | sim pode | pode | pode sim | pode fazer | pode prosseguir | pode seguir | pode continuar | pode ir
  pode confirmar | confirmo | confirmado | confirma | confirmar | sim confirmo | eu confirmo | aceito | concordo | autorizo | autorizado | pode mandar | pode mandar ver | pode mandar bala | pode executar | manda ver | manda bala
  com certeza | tenho certeza | sim tenho certeza | positivo | pode sim por favor | faz isso | faca isso | pode fazer isso | isso mesmo | uhum | aham | ahan | uhu sim | bora | vai la | prossiga | siga | segue | pode crer
`);

/** Consent when it is the whole answer; in front of anything else it is only a noise. */
const WEAK_YES = lines(`
  ok | okay | okey | oki | okie | okk | k | sure | fine | that's fine | thats fine | that is fine | alright | all right | right | correct | that's right | thats right | that is right | that's correct | that is correct | exactly
  perfect | great | good | sounds good | sounds great | looks good | works for me | fine by me | cool | si | i do | true | deal | yes ok | ok yes | it is | that works | that's the one | that one is right | indeed | very well
  isso | isso ai | e isso | e isso ai | e isso mesmo | exato | exatamente | correto | certo | certinho | ta certo | esta certo | esta correto | beleza | blz | fechado | fechou | combinado | claro | claro que sim | logico | obvio
  perfeito | ta | ta bom | ta bem | esta bem | esta bom | tudo bem | tudo certo | ta ok | joia | pode ser | acho otimo | otimo | bom | ok pode | tranquilo | de acordo | vamos | vamos la | vai | sim ok | por mim sim | por mim tudo bem
`);

/** A whole answer that consents only because it was asked: "please" in front of anything else is politeness. */
export const PLEASE = /^(?:please|pls|plz|yes please|por favor|pfv|por gentileza)$/;

/** Refusal; every one of these keeps a yes from being read. */
const NO = lines(`
  no | nope | nah | noo | nop | n | nn | no thanks | no thank you | no way | no don't | no dont | no please don't | no please | not now | not yet | not really | not today | not at all | of course not | certainly not | absolutely not | definitely not | i'd rather not | rather not | better not
  don't | dont | do not | please don't | please dont | please do not | don't do it | dont do it | do not do it | don't do that | dont do that | do not do that | don't cancel | dont cancel | do not cancel | don't cancel it | dont cancel it | do not cancel it | don't proceed | do not proceed | don't go ahead | do not go ahead
  never mind | nevermind | nvm | forget it | forget about it | leave it | leave it as it is | leave it be | keep it | keep my * | keep the * | i changed my mind | changed my mind | i've changed my mind | i don't want to | i dont want to | i do not want to | i don't want that | i do not want that | i don't want to cancel | i dont want to cancel | i do not want to cancel | i don't confirm | i do not confirm | i decline | declined | decline | refuse | i refuse | negative | abort | wait | wait no | hold on | hold off | hang on | stop | stop it | stop that | please stop | please wait | no stop | no wait
  nao | naao | naum | nao nao | nao obrigado | nao obrigada | nao valeu | nao quero | eu nao quero | nao precisa | nao precisa nao | nao pode | nao faz | nao faca | nao faca isso | nao faz isso | nao cancela | nao cancele | nao cancelar | nao quero cancelar | nao quero que cancele | nao confirmo | nao confirma | nao autorizo | nao concordo | nao aceito | nao por favor | agora nao | ainda nao | hoje nao | melhor nao | claro que nao | logico que nao | obvio que nao | com certeza nao | acho melhor nao | prefiro nao | quero nao | pode nao | jamais | nunca | nem pensar | de jeito nenhum | de forma alguma | negativo
  deixa | deixa pra la | deixa para la | deixa quieto | deixa assim | deixa como esta | deixa estar | deixe | deixe como esta | deixe pra la | esquece | esqueca | esquece isso | mudei de ideia | desisto | desisti | espera | espera ai | espere | pera | perai | pera ai | peraai | calma | calma ai | para | pare | para ai | mantem | mantenha | mantem a * | mantem o * | mantenha a * | mantenha o * | quero manter | melhor deixar
`);

/** Neither: doubt, and words that are a yes to one question and a no to another. */
const UNCLEAR = lines(`
  maybe | perhaps | possibly | probably | not sure | i'm not sure | im not sure | i am not sure | not so sure | i don't know | i dont know | i do not know | dont know | dunno | idk | no idea | no clue | not certain | i guess | i guess so | i think so | i suppose | i suppose so | hmm | hm | hmmm | kinda | it depends | depends | whatever | either | either way | up to you | you decide | if you say so | let me think | i need to think | we'll see | we will see | yeah right | yea right | no problem | no worries | why not | yes and no | yes no | no yes | yes or no | huh | later | not sure yet | i don't understand | i dont understand | i do not understand | i don't want it anymore | i dont want it anymore | i don't want it | i dont want it | i do not want it | no problem at all | no doubt
  talvez | quem sabe | sei la | nao sei | nao tenho certeza | nao sei ainda | to em duvida | estou em duvida | em duvida | acho que sim | acho que nao | acho | provavelmente | possivelmente | depende | tanto faz | voce decide | voce que sabe | vou pensar | vou ver | deixa eu ver | deixa eu pensar | deixa eu pensar um pouco | preciso pensar | mais ou menos | sem problema | sem problemas | nao tem problema | por que nao | pq nao | nao quero mais | eu nao quero mais | nao quero mais nao | pode deixar | nao entendi | nao entendo | como assim | depois | mais tarde | depois eu vejo | sim e nao | sim ou nao | ne | hein | ue
`);

/** A yes to "shall I cancel?", a no to anything else; they add nothing to a plain yes beside them. */
const ACTION_ALONE = lines(`
  cancel | cancel it | cancel that | cancel this | please cancel | please cancel it | refund me | refund it
  cancela | cancele | cancelar | cancela isso | cancela ai | cancela ela | cancela ele | pode cancela
`);

/** What a phrase says. */
export type Cue = 'strong' | 'weak' | 'no' | 'unclear' | 'action';

/** A phrase and what it says. */
export interface Phrase {
  readonly words: readonly string[];
  readonly cue: Cue;
}

/** All phrases by their first word, longest first, with refusals before consent of the same length. */
export const PHRASES: ReadonlyMap<string, readonly Phrase[]> = (() => {
  const map = new Map<string, Phrase[]>();
  const lists: readonly (readonly [Cue, readonly string[]])[] = [
    ['unclear', UNCLEAR],
    ['action', ACTION_ALONE],
    ['no', NO],
    ['strong', STRONG_YES],
    ['weak', WEAK_YES],
  ];
  for (const [cue, phrases] of lists) {
    for (const phrase of phrases) {
      const words = phrase.split(' ');
      const key = words[0] ?? '';
      map.set(key, [...(map.get(key) ?? []), { words, cue }]);
    }
  }
  for (const list of map.values()) list.sort((a, b) => b.words.length - a.words.length);
  return map;
})();

/** Words that change nothing: politeness, sounds, names for the listener. */
export const FILLERS = new Set(
  `please pls plz plss thanks thank thx ty you u so much very then now just well oh ah um uh er hey hi hello hiya there again really totally man mate dear sir madam team guys folks actually sorry honestly lol haha cheers good morning afternoon evening
   por favor pfv pf pfvr obrigado obrigada obg brigado brigada valeu vlw muito oi ola opa bom boa dia tarde noite entao agora ai ja logo mesmo gente moca moco amigo amiga querida querido na verdade kk kkk kkkk rs rsrs ne ta eh e and gentileza eu i voce vc`.split(
    /\s+/,
  ),
);

/** What may stand around a yes without changing it: the action asked about and what it is done to. */
export const ACTION_WORDS = new Set(
  `cancel refund pause resume confirm proceed book unpause reactivate update change process issue send start go ahead do it that this them those the my a an order for me with to of on i want would like to that's all right both one
   cancelar cancela cancele reembolsar reembolsa reembolse estornar estorna estorne pausar pausa pause retomar retoma retome reativar confirmar confirma prosseguir seguir fazer faz faca isso essa esse ela ele o os as um uma meu minha meus minhas pedido do da de dos das para pra pro pode quero queria gostaria tudo todos todas reembolso estorno com me a cancelamento mandar`.split(
    /\s+/,
  ),
);

/** "Pode" with one of these consents; with another verb ("pode me explicar") it asks for something. */
export const PODE_DO =
  /^(?:sim|ser|cancelar|reembolsar|estornar|pausar|retomar|reativar|confirmar|prosseguir|seguir|continuar|fazer|executar|mandar|realizar|processar|proceder|efetuar|cancela|a|o|essa|esse|tudo|todas|todos)$/;

/** Any of these in a text, and it is no yes. "no" is left out in Portuguese, where it means "in the". */
export const NEGATION =
  /\b(?:not|no|nope|nah|none|never|nothing|nobody|neither|nor|cannot|dont|doesnt|didnt|cant|wont|isnt|arent|wasnt|wouldnt|shouldnt|couldnt|havent|hasnt|nvm|nevermind|nao|naum|naao|nem|nunca|jamais|nenhum|nenhuma|nada|sem|without|negative|negativo)\b|n't\b/;
export const NEGATION_PT =
  /\b(?:not|nope|nah|never|cannot|dont|cant|wont|nvm|nevermind|nao|naum|naao|nem|nunca|jamais|nenhum|nenhuma|nada|sem|negativo|without)\b|n't\b/;

/** Conditions, contrasts, delays, doubts, another target: a yes beside one of these is not a plain yes. */
export const DOUBT =
  /\b(?:if|unless|provided|providing|as long as|only|once|after|before|until|till|when|whenever|but|however|though|although|except|instead|rather|other|another|different|else|wait|hold|stop|later|maybe|perhaps|probably|guess|think|suppose|depends?|depending|whether|or|first|keep|leave|forget|mistake|wrong|joking|kidding|sarcas\w*|pretend|suppose[dr]?|said|says?|told|asked|partial(?:ly)?|half|too|also|everything|account|everyone|all|se|tambem|tudo|todas|todos|conta|caso|desde que|contanto|so|somente|apenas|quando|depois|antes|ate|mas|porem|contudo|entretanto|exceto|menos|fora|em vez|ao inves|outr[ao]s?|diferente|espera|espere|pera|perai|calma|para ai|talvez|acho|provavelmente|depende|ou|primeiro|mantem|mantenha|manter|deixa|deixe|esquece|errad[ao]|disse|falou|falei|perguntou|metade|parcial)\b/;

/** Openers of a question, which a yes in front does not answer. */
export const ASKING =
  /\b(?:how|what|why|when|where|who|which|will i|do i|can i|could i|would i|is it|is there|are there|tell me|explain|como|quanto|quanta|quantos|quantas|qual|quais|por que|porque|pq|onde|quem|sera que|vou receber|me diz|me fala|me explica)\b/;
