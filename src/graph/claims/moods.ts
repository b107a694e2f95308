import { fold } from './tokens.js';

/* How a sentence says that something is over, is so, would be or is offered: what the learned reader of statements does not tell. */

/** "You did, Carla.": repeats what was asked. */
export const ELLIPSIS =
  /^\P{L}*(?:(?:yes|no|sim|s[ií]|n[aã]o)[,.]? )?(?:(?:you|it|they|i|we) (?:did|do|does|is|was|were|are|have|has|will|can)(?: not|n['’]t)?|j[aá] foi|foi|ya)(?:, \p{Lu}\p{Ll}+)?\P{L}*$/iu;
/** Asks what would be. */
export const MAY =
  /(?<!\p{L})(?:if|can|could|may|would|se|posso|pode|podemos|consigo|dá (?:para|pra)|si|puedo)(?!\p{L})/iu;
/** Says what the customer may do. */
export const ABLE =
  /(?<!\p{L})(?:you|voc[eê]) (?:(?:j[aá]|now|already|s[oó]|tamb[eé]m|also) )?(?:can|may|pode)(?!\p{L})/iu;
/** By when, without a number. */
export const WHEN =
  /(?<!\p{L})(tonight|tomorrow|today|this (?:morning|afternoon|evening|week)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|noon|amanha|hoje|(?:segunda|terca|quarta|quinta|sexta)-feira|sabado|domingo|fim de semana|meio-dia|before (?:[\p{L}]+ ){1,3}(?:starts?|begins?)|antes d[aeo] (?:\p{L}+ ){0,2}comecar|antes do inicio)(?!\p{L})/u;
/** Counts what there is. */
export const THERE_IS = /(?<!\p{L})(?:there (?:is|are)|there['’]s|h[aá]|existem?|hay) (?:\p{L}+ )?\p{L}+/iu;
/** Offers to ask the company's people. */
const OFFER =
  /(?<!\p{L})(?:I|we) (?:can|could|may) (?:\p{L}+ )?(?:pass|forward|ask|submit|send|escalate|open|raise|put|hand|bring|take)(?!\p{L})|(?<!\p{L})(?:posso|podemos|se quiser,? (?:eu )?) ?(?:\p{L}+ )?(?:levar?|passar?|passo|encaminhar?|encaminho|pedir|peço|abrir|abro|enviar|envio|registrar|registro)(?!\p{L})/iu;
/** Says that it came about, and not what is so for everybody. */
export const NOW =
  /(?<!\p{L})(?:now|as of|all set|just (?:been|went|\p{L}+ed)|a moment ago|yesterday|today|(?:has|have) (?:just )?been|agora|acab(?:ou|a) de|hoje|ontem|pronto|prontinho|feito|\p{L}{3,}ou)(?!\p{L})/u;
/** Says that something is over or under way, and not what a rule gives to everybody: "você recebe $ 45,00 de volta". */
export const PERFECT =
  /(?<!\p{L})(?:\p{L}+(?:ed|[ai]d[oa]s?|ei)|done|sent|made|put|given|gone|taken|(?:on (?:its|the|their)|under) ?way|all set|feit[oa]s?|pag[oa]s?|foi|foram|ja|a caminho|em andamento)(?!\p{L})/u;
/** Says that the time of something has passed, and not what came of it. */
export const OVER =
  /(?<!\p{L})(?:took place|was held|is over|has passed|already happened|j[aá] passou|j[aá] foi realizad[oa]|aconteceu|terminou|ya pas[oó])(?!\p{L})/iu;
/** Says what somebody has to do or need not, and what time there is for it. */
export const OBLIGED =
  /(?<!\p{L})(?:(?:have|has|had|having|need|needs)(?: [\p{L}\d]+ (?:seconds?|minutes?|hours?|days?|weeks?|months?))? to|must|should|(?:tem|t[eê]m)(?: [\p{L}\d]+ (?:segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?))? (?:de|que|para)|precisa(?:m|r)?|devem?|é preciso|tiene que|debe|hay que)(?!\p{L})/iu;
/** Says what would be. */
export const MOOD =
  /(?<!\p{L})(?:would|(?:you|it|that|they) could|(?:you|it|that|they)['’]d|(?:seri|teri|ficari|receberi|voltari|haveri|poderi|pagari|perderi)am?)(?!\p{L})/iu;
/** "I'd advise against it": of whoever answers. */
export const WOULD = /(?<!\p{L})(?:I|we)['’]d (?!\p{L}+ed(?!\p{L}))\p{L}/iu;
/** Speaks to the customer, or of who answers. */
export const PERSON =
  /(?<!\p{L})(?:you|yours?|i|we|our|my|me|us|voc[eê]s?|te|lhe|seus?|suas?|teus?|tuas?|eu|n[oó]s|nosso|nossa|tu|usted|su|sus)(?!\p{L})|['’](?:re|ve|ll|m)(?!\p{L})/iu;
/** Waits for the customer's yes. */
export const ASSENT =
  /(?<!\p{L})(?:if|once|when) you (?:confirm|agree|say (?:yes|so))|(?<!\p{L})(?:se|quando|assim que) (?:voc[eê] )?(?:confirmar|concordar|disser que sim)(?!\p{L})/iu;
/** Who answers binds nobody by what rules say of the company's people. */
export const OF_SPEAKER =
  /(?<!\p{L})(?:I (?:will|shall|promise|guarantee)|I['’]ll|I['’]m going to|vou|te aviso|eu (?:te )?aviso|fico)(?!\p{L})/iu;
/** Says that it came about in this turn. */
export const JUST =
  /(?<!\p{L})(?:just now|this (?:minute|second|moment)|a (?:second|moment|minute) ago|agora mesmo|neste (?:minuto|momento|instante)|agorinha)(?!\p{L})/u;
/** Says it of none: "and none of your bookings has been cancelled". */
export const NONE =
  /^\s*(?:(?:and|but|e|mas) )?(?:none|nothing|nenhum|nenhuma) (?:of |d[aeo]s? )?(?:your |the |su[ao]s? |[oa]s? )?\p{L}+ /iu;
/** "From 1 December you're back to two": what of an allowance is counted as a figure. */
export const BACK_TO =
  /(?<!\p{L})(?:back to|volta a ter|voltam a ser) (?:\d+|two|three|four|five|duas|dois|tr[eê]s|quatro|cinco)(?![\p{L}\d])/iu;

/** True for "I can pass that on", "if you confirm, I'll cancel it". */
export function isOffer(part: string): boolean {
  return OFFER.test(part) || ASSENT.test(part);
}

/** True for "the walk is full": says what a thing is like, and nothing of anybody. */
export function describes(part: string): boolean {
  return !PERSON.test(part) && !PERFECT.test(fold(part)) && !NOW.test(fold(part));
}

/** Says what is so of all, and of nobody: "every refund above $ 200 is checked by a person". */
const OF_ALL =
  /^\s*(?:every|any|all|each|in general|usually|normally|tod[oa]s?|qualquer|em geral|normalmente|cada)(?!\p{L})/iu;
/** That it came about already. */
const CAME_ABOUT =
  /(?<!\p{L})(?:has|have|had|was|were|went|came|just|already|foi|foram|acab(?:ou|a)|agora|\p{L}{3,}ou)(?!\p{L})/iu;

/** True for a rule about everybody. */
export function isOfAll(part: string): boolean {
  return OF_ALL.test(part) && !PERSON.test(part) && !CAME_ABOUT.test(part);
}

/** How it is with somebody. */
const STANDS =
  /(?<!\p{L})(?:is|are|am|went|j[aá]|est[aá]|est[aã]o|t[aá]|\p{L}+iu)(?!\p{L})|['’](?:s|re|m)(?!\p{L})/iu;

/** True for what says how something is for everybody, and not that it came about or how it is with the customer's own. */
export function isTimeless(part: string): boolean {
  return !CAME_ABOUT.test(part) && !NOW.test(fold(part)) && !(PERSON.test(part) && STANDS.test(part));
}

/** Says that whoever answers has read something or feels for the customer. */
const READ =
  /^\P{L}*(?:I(?:['’]ve| have)? (?:just )?(?:looked|checked|read|reviewed|gone through)|verifiquei|conferi|olhei|consultei|imagino|I can imagine)(?!\p{L})/iu;

/** True for a part that says what was done to answer, and nothing else. */
export function isOfReading(part: string): boolean {
  return READ.test(part);
}

/** Says that a block is over, as against that there is one. */
export const FREED = /(?<!\p{L})(?:un(?:block|lock)|desbloque|destrav|liberad)/iu;

/** A payment, as against what came back. */
const PAID = /(?<!\p{L})(?:paid|pag[oa]s?)(?!\p{L})/iu;
const RETURNED =
  /(?<!\p{L})(?:re(?:fund|embols|turn)\p{L}*|devol\p{L}*|back|estorn\p{L}*|volt\p{L}*|receb\p{L}*)(?!\p{L})/iu;

/** True for a payment that is taken for a refund. */
export function isOfPaying(part: string): boolean {
  return PAID.test(part) && !RETURNED.test(part);
}
