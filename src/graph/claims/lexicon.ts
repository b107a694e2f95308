import type { Deed } from '../../core/domain/deed.js';

/*
 * The words by which both languages say that something was, is or will be done. Stems are folded (no case, no accents)
 * and match the beginning of a word.
 */

const DEED_STEMS: Readonly<Record<Deed, string>> = {
  cancel: 'cancel annul voided desmarc anul',
  refund:
    'refund voltou voltaram reimburs revers credit reembols estorn devolv devoluc ressarc restitu indeniz compensat returned reissu',
  pause: 'paus suspend congel frozen froze',
  resume: 'resumed active ativa reactivat reativ retom restarted renewed renov religu reinstat',
  unblock: 'unblock unlocked lifted desbloque liber reabilit restabelec restored',
  block: 'blocked bloque locked',
  change:
    'updat changed corrected edited modif alter atualiz corrig mud troc ajust adjust amended switched upgrad downgrad moved migr replaced substitu fixed arrum consert promov convert',
  send: 'sent e-mailed emailed mailed issued resent envi mand emit reemit dispar despach',
  open: 'filed raised lodged submitted opened abri abert registr protocol created cri launched',
  note: 'noted recorded saved logged added anot salv grav inclu adicion marked registered',
  forward:
    'forward escalat passed transferred handed assigned notified alerted informed contacted flagged repass encaminh acion avis comunic transfer pedi solicit requested asked',
  book: 'confirm booked rebook reserved secured held reserv garant agend scheduled remarc rescheduled',
  waive:
    'waived forgiven exempted discounted applied extended isent abon aplic descont estend prorrog perdo knocked',
  remove: 'removed deleted cleared erased dropped remov exclu apag tir retir wiped',
  approve: 'approv authori granted accepted aprov autoriz conced deferi',
  settle:
    'processed completed finished arranged resolved solved settled sorted handled finaliz resolv process conclu providenc efetu realiz done feito feita fiz activated activat',
};

const BY_START: ReadonlyMap<string, readonly (readonly [string, Deed])[]> = (() => {
  const map = new Map<string, (readonly [string, Deed])[]>();
  for (const [deed, stems] of Object.entries(DEED_STEMS) as [Deed, string][]) {
    for (const stem of stems.split(' ')) {
      const start = stem.slice(0, 3);
      map.set(start, [...(map.get(start) ?? []), [stem, deed] as const]);
    }
  }
  return map;
})();

/** What a word says was done; null where it says nothing of the kind. @param word folded */
export function deedOf(word: string): Deed | null {
  return BY_START.get(word.slice(0, 3))?.find(([stem]) => word.startsWith(stem))?.[1] ?? null;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Verbs by which the hub says what it read, understood, felt or said: no deed. */
export const HARMLESS =
  set(`checked looked saw seen found understood understand read noticed meant thought mentioned said told explained
  listed described reviewed searched received known heard learned got gotten been had hoped wanted liked needed tried felt gathered
  misunderstood assumed believed considered compared calculated counted consulted verified referred spotted located pulled
  verifiquei vi encontrei achei olhei consultei procurei entendi entendemos percebi listei recebi recebemos notei li conferi chequei
  localizei busquei pesquisei calculei somei comparei analisei gostei sei lei rei direi disse expliquei mencionei citei
  encontramos verificamos vimos achamos consultamos localizamos percebemos notamos serei poderei precisei imaginei identifiquei
  identificamos esperei lamentei compreendi errei demorei terei farei`);

/** Participles and past forms that do not end like the regular ones. */
export const IRREGULAR_PAST = set(
  'sent made done spoken put set got taken given gone paid held kept let brought told written rewritten undone redone taken dealt found seen read',
);

export const SUBORDINATORS = set(
  'if when once after before until till unless while whenever where whose which who because since though although without se quando caso depois antes ate enquanto apos quem onde cujo cuja embora sem conforme como whether',
);

/** Said of what somebody else has said or shown, "that" opens no condition. */
export const REPORTING = set(
  'see sees shows show say says confirm confirms know note sure glad happy vejo ve consta mostra confirmo confirma informo informar aviso tranquila tranquilo certeza saiba dizer diz so',
);

export const NEGATIONS = set(
  "not no nothing never none nobody neither nor cannot without hasn haven isn aren wasn weren didn don doesn won wouldn can't nao nada nunca nenhum nenhuma ninguem nem sem jamais yet",
);

/** Who may do something for the customer, as against the customer. */
export const PEOPLE = set(
  'team agent agents someone somebody person colleague colleagues representative staff people human humans department office equipe time atendente atendentes alguem pessoa pessoal colega colegas setor gente operador operadora consultor consultora human humano everyone they he she ela ele eles elas',
);

/** People of a rank or trade, whom a source has to name. */
export const ROLES = set(
  'manager managers supervisor supervisors specialist specialists director coordinator engineer technician lawyer boss head executive gerente gerentes supervisora especialista especialistas diretor diretora coordenador coordenadora tecnico tecnica advogado advogada chefe gestor gestora',
);

/** What people or the hub may be said to do some day: the words of one line mean the same. */
const SAME = [
  'call calls calling ring rings ligar liga ligam ligara ligaremos telefonar telefona telefonara',
  'reply replies reply answer answers respond responds contact contacts reach write writes message get hear touch follow responder responde respondem respondera retornar retorna retornara contato avisar avisa avisam resposta response falar fala communicate notified notify told tell inform informed informa noticed notice notification notificacao contacted',
  'send sends sent e-mail email emails mail issue enviar envia enviam enviara enviaremos mandar manda mandamos mandaremos enviamos receive receives recebe chegar chega arrive arrives',
  'refund refunds refunded return returns returned reimburse reimbursed credit credits credited back repay pay pays reembolsar reembolsa reembolsamos reembolsado reembolsada reembolsados reembolso estornar estorna estornado estorno devolver devolve devolvemos devolvido devolvida devolucao volta voltam voltar voltara credito creditar restituir money dinheiro cair cai',
  'check checks checked look looks examine examines review reviews verify decide decides decided decision assess analyse analyze analysis investigate conferir confere conferido conferidos conferem verificar verifica verificamos analisar analisa analise examinar examina decidir decide decidem decisao avaliar avalia olhar olha judge consider confirm confirms confirmed confirmar confirma confirmacao',
  'unblock unblocks unblocked lift lifts lifted unlock unlocks restore desbloquear desbloqueia desfazer desfaz liberar libera liberado reativar reinstate undo',
  'cancel cancels cancelled canceled cancelar cancela cancelado cancelada cancelamento cancellation',
  'try tries retry retries tentar tenta tentamos tentativa tentativas attempt attempts',
  'charge charges charged bill billed cobrar cobra cobrada cobrado cobranca debit debited',
  'keep keeps kept hold holds manter mantem guardar guarda guardamos mantemos stay stays',
  'help helps assist support ajudar ajuda orientar orienta apoiar',
  'offer offers offered oferecer oferece oferecida oferecido offering',
  'show shows shown mostrar mostra aparecer aparece appear appears see',
  'resume resumes resumed restart retomar retoma reactivate end ends ended terminar termina acabar acaba resolve resolves',
  'fix fixes correct corrects corrected repair corrigir corrige consertar arrumar resolver resolvido solve',
  'transfer connect connects pass passes forward encaminhar encaminha transferir transfere passar passa conectar hand',
  'remove removes delete deletes erase remover apagar apaga excluir exclui eliminar',
];
const GROUP_OF: ReadonlyMap<string, number> = new Map(
  SAME.flatMap((line, at) => line.split(' ').map((word): [string, number] => [word, at])),
);

/** What stands for a word where words are compared: its group of same meaning, or its beginning. @param word folded */
export function senseOf(word: string): string {
  const group = GROUP_OF.get(word);
  return group === undefined ? word.slice(0, Math.max(4, word.length - 3)) : `=${group}`;
}

/** What is counted, by any of its names, folded and in the singular. */
const COUNTED = [
  'visit visita outing saida quota ingresso saidas experience',
  'reservation booking reserva agendamento reservas bookings',
  'payment charge pagamento cobranca fee mensalidade tentativa line',
  'refund reembolso estorno devolucao',
  'attempt try tentativa tentativas',
  'remaining left',
];
const COUNTED_OF: ReadonlyMap<string, string> = new Map(
  COUNTED.flatMap((line) =>
    line.split(' ').map((word): [string, string] => [word, line.split(' ')[0] ?? word]),
  ),
);

/** One name for what is counted. @param word folded */
export function countedAs(word: string): string {
  const singular = word.length > 3 ? word.replace(/s$/, '') : word;
  return COUNTED_OF.get(word) ?? COUNTED_OF.get(singular) ?? singular;
}
