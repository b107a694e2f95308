import type { Deed } from '../../core/domain/deed.js';

/* The small words of both languages by which the grammar tells who says what of which time. Folded. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const BREAKS = words(', ; : — – ( ) and e but mas then so - • *');
export const ADVERBS = words(
  "' ’ ve have just now already also successfully then even finally personally immediately proactively quickly both only gone went ahead and all fully automatically officially since ja agora tambem aqui por completamente totalmente so mesmo me te lhe se os as o a la lo nos lhes for you right here still again ago tudo toda todo totalmente devidamente",
);
export const MODALS = words(
  'can could may might would should must may pode poderia podem poderiam deve deveria need',
);
export const NO_PARTICIPLE = words(
  'need indeed feed speed proceed exceed red bed hundred united limited related based interested used charged billed paid attended missed listed shown included expected called failed named located supposed allowed tried worried disappointed signed subscribed linked stated covered made seen bought taken told asked read born pleased',
);
/** Irregular pasts of English, a closed class. */
export const ENGLISH_PAST = words(
  'went did made got gave took sent put set cut let told wrote rang ran began spoke threw brought bought dealt held kept left lent meant met paid rode rose saw sold shook sought stood stuck swept swore undid wound won withdrew drew drove froze flew chose came became fell grew built caught laid led lost slid split spread struck tore woke undertook overrode redid rewrote reset gone done',
);
/** What a customer or the calendar does, or a list shows: no deed of anybody's. */
export const NEUTRAL = words(
  'used paid charged billed attended missed made listed shown included marked started ended expected called named located signed subscribed linked tied bound protected entitled supposed allowed required meant welcome asked bought read born based limited related covered stated said due active valid usada usado usadas usados paga pago pagas pagos cobrada cobrado cobradas cobrados realizada realizado comecou acabou terminou venceu custou previsto prevista marcado marcada incluida incluidas incluido listada passou expirou falhou faltou falhado',
);
/** Just now. */
export const RECENT = words('ago agorinha instantes morning moments seconds minutes pouquinho');
export const FIRST_PAST = words(
  'garantimos oferecemos deixamos colocamos passamos tratamos cuidamos conversei combinei fiz fizemos pus pusemos dei demos abrimos devolvemos pedimos corrigimos incluimos resolvemos transferimos mantive consegui conseguimos acabei acabamos emitimos',
);
export const PAST_REI = words(
  'retirei tirei virei girei alterei recuperei considerei esperei gerei liberei superei parei preparei comparei separei reparei disparei registrei mostrei encontrei entrei cadastrei integrei demonstrei filtrei administrei comprei logrei cobrei quebrei abrirei',
);
export const LOOKS = words('ver verificar consultar conferir checar olhar analisar ler receber entender');
export const PROGRESSIVE = words(
  'connecting transferring sending putting passing forwarding escalating opening crediting arranging scheduling refunding cancelling canceling processing issuing reversing upgrading booking moving notifying calling applying adding updating',
);
export const DETERMINERS = words('the a an each every this that any all which everything anything whatever');
export const RESULT_DEEDS: ReadonlySet<Deed> = new Set([
  'cancel',
  'refund',
  'pause',
  'block',
  'approve',
  'settle',
  'resume',
  'unblock',
  'change',
  'send',
  'open',
  'forward',
  'waive',
  'remove',
]);
export const HEDGES = words(
  'usually maybe perhaps probably either or possibly likely typically talvez provavelmente geralmente normalmente ou pode podem costuma',
);
export const LIGHT = words('take make give have do dar fazer ter');
export const FRIENDLY = words(
  'happy glad need explain help show list tell feliz precisar explicar ajudar mostrar listar ficar',
);
export const REL = words('that which que who');
export const FUTURE_PT = words('vou vamos vai vao iremos irei ira irao estarei estaremos');
