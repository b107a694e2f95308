import { AMOUNT } from '../core/prices.js';
import { fold } from './analyzer.js';

/** What kind of answer a question asks for, and how a text shows that it has one. In the languages of the analyzer. */
interface Kind {
  readonly name:
    | 'amount'
    | 'count'
    | 'span'
    | 'clock'
    | 'list'
    | 'place'
    | 'steps'
    | 'reason'
    | 'who'
    | 'permission';
  readonly asks: RegExp;
  readonly answers: RegExp;
}

const SPAN =
  /\d\s?(?:h\b|hours?|minutes?|days?|business|weeks?|months?|years?|horas?|minutos?|dias?|semanas?|mes(?:es)?\b|anos?)|\bone business day|um dia util/u;
const CLOCK = /\b\d{1,2}(?::\d\d|\s?h\b|\s?[ap]m\b)|\b(?:day and night|dia e noite|midnight|meia-noite)\b/u;

const KINDS: readonly Kind[] = [
  {
    name: 'amount',
    asks: /\b(?:how much|cost|costs|price|prices|cheap\w*|fee|fees|expensive|quanto (?:custa\w*|e|sai\w*|pago|fica\w*|cobram?|seria|daria|da)|quanto\b(?! tempo)|preco|valor|tarifa|taxa|barato|caro|paga\w*)\b/u,
    answers: AMOUNT,
  },
  {
    name: 'count',
    asks: /\b(?:how (?:many|often|far)|(?:quant|qt|qnt)[ao]s|de quanto em quanto)\b/u,
    answers: /\d|\b(?:once|one|two|uma?|duas|dois) /u,
  },
  {
    name: 'span',
    asks: /\b(?:how (?:long|fast|soon|quick\w*)|when|until|deadline|time|days?|which day|que dia|quando|qdo|qd|(?:quanto|qto|qnto) tempo|prazo|ate (?:quando|que horas)|demora\w*|em quanto|dias?|validade|vale por)\b/u,
    answers: SPAN,
  },
  {
    name: 'who',
    asks: /\b(?:who|whom|whose|quem)\b/u,
    answers:
      /\b(?:person|people|team|staff|support|organiser|bank|adult|pessoa|equipe|atendimento|organizador|banco|adulto)\b/u,
  },
  {
    name: 'clock',
    asks: /\b(?:what time|hours?|open|night|que horas|horario|aberto|madrugada|noite)\b/u,
    answers: CLOCK,
  },
  {
    name: 'list',
    asks: /\b(?:which|what (?:are|kinds?|types?|(?:do|must|should) i (?:need|bring|take))|quais|que tipos?|o que (?:inclui|preciso|devo|levo|levar))\b/u,
    answers: /(?:^\s*[-*•–]\s.*\n?){3}/mu,
  },
  {
    name: 'place',
    asks: /\b(?:where|which (?:menu|screen|page)|onde|aonde|cade|(?:em )?(?:que|qual) (?:menu|tela|pagina|lugar))\b/u,
    answers: /[>›»]|\bhttps?:|\w\.(?:com|example|org|net|br)\b/u,
  },
  {
    name: 'steps',
    asks: /\b(?:how (?:do|can|could|would|should|may|to|does)|what (?:do|should|can|must|would) i (?:(?:need|have) to )?do|what now|fix|steps?|como|(?:o que|o q|oq|que|q) (?:eu )?(?:faco|devo fazer|fazer)|e agora|passo a passo)\b/u,
    answers: /^\s*\d{1,2}[.)]\s/mu,
  },
  {
    name: 'reason',
    asks: /\b(?:why|how come|reasons?|causes?|por ?que|porq|pq|motivos?)\b/u,
    answers: /\b(?:because|reasons?|causes?|due to|porque|pois|motivos?|causas?)\b/u,
  },
  {
    name: 'permission',
    asks: /^(?:\w+ ){0,4}(?:can|could|may|do|does|is|are|am|will|would|must|posso|pode|podem|da pra|da para|tem|ha|e possivel|precis\w+|consigo)\b/u,
    answers: /\b(?:can|cannot|may|must|not|never|nao|pode|podem|nunca|precisa)\b/u,
  },
];

/** Names of the kinds of answer. */
export type KindName = Kind['name'];
export const KIND_NAMES: readonly KindName[] = KINDS.map(({ name }) => name);

/** The kinds of answer that a question asks for. */
export function kindsAskedBy(question: string): ReadonlySet<KindName> {
  const folded = fold(question);
  return new Set(KINDS.flatMap(({ name, asks }) => (asks.test(folded) ? [name] : [])));
}

/** The kinds of answer that a text has. */
export function kindsHeldBy(text: string): ReadonlySet<KindName> {
  const folded = fold(text);
  return new Set(KINDS.flatMap(({ name, answers }) => (answers.test(folded) ? [name] : [])));
}

/** What an article tells in a word: a question for it may have no other word. */
const FACTS: ReadonlySet<KindName> = new Set(['amount', 'count', 'span', 'clock']);

/** What a question for a fact says besides asking for it, and whether a text gives one; null where it asks for none. */
export function factAskedBy(
  question: string,
): { readonly rest: string; readonly isIn: (text: string) => boolean } | null {
  const folded = fold(question);
  const kinds = KINDS.filter(({ name, asks }) => FACTS.has(name) && asks.test(folded));
  if (kinds.length === 0) return null;
  const rest = kinds.reduce((text, { asks }) => text.replace(new RegExp(asks, 'gu'), ' '), folded);
  return { rest, isIn: (text) => kinds.some(({ answers }) => answers.test(fold(text))) };
}

/** The kinds of answer that a question asks for, as tests of a text; none where it is no question of a known kind. */
export function answersTo(question: string): readonly ((text: string) => boolean)[] {
  const asked = kindsAskedBy(question);
  const held =
    ({ answers }: Kind) =>
    (text: string) =>
      answers.test(fold(text));
  return KINDS.filter(({ name }) => asked.has(name)).map(held);
}

/** What a question asks for that one sentence answers, and what takes a list, steps or a whole paragraph. */
const EXACT: ReadonlySet<KindName> = new Set(['amount', 'count', 'span', 'clock', 'who', 'permission']);
const WHOLE: ReadonlySet<KindName> = new Set(['list', 'place', 'steps', 'reason']);
const EITHER = /\b(?:yes or no|or not|sim ou nao|ou nao|si o no|o no)\b/u;

const OPEN =
  /^\W*(?:(?:and|so|but|e|mas|entao) )*(?:what|how|which|why|where|tell|explain|como|o que|qual|quais|por que|onde|explic\w+|que)\b/u;

/** True where a question asks for a yes or a no in so many words: "does it expire, yes or no?". */
export const asksYesOrNo = (question: string): boolean => EITHER.test(fold(question));

/** "What happens if it fails?" asks for all that follows. */
const FOLLOWS =
  /\b(?:what (?:(?:will |would )?happens?\b|is going to happen\b)|o que (?:vai )?(?:acontece|rola)|que (?:pasa|ocurre)\b)/u;

/** True where a question asks for one thing: a figure, a time, whether something may be. "What is a pause like?" asks for all of it. */
export function asksOneThing(question: string): boolean {
  const folded = fold(question);
  const kinds = [...kindsAskedBy(question)].filter((kind) => kind !== 'permission' || !OPEN.test(folded));
  return (
    kinds.some((kind) => EXACT.has(kind)) && !FOLLOWS.test(folded) && !kinds.some((kind) => WHOLE.has(kind))
  );
}

const HELP =
  /\b(?:help me|(?:can|could) (?:you|u) help|please help|i forgot|i(?: have|'ve)? lost|(?:can't|cant) (?:get in|log|sign)|(?:doesn't|doesnt|does not|isn't|isnt|not) (?:work|load|open)\w*|me ajud\w+|pode ajudar|socorro|esqueci|nao (?:consigo|lembro|funciona|abre|carrega))\b/u;

/** True where somebody is in trouble and wants to know what to do, without asking how. @param folded lower case, without accents */
export function asksForHelp(folded: string): boolean {
  return HELP.test(folded);
}

const TRIED =
  /\b(?:(?<!\b(?:you|u|you have|youve|you've) )already|(?:i|we)(?: have|'ve|ve) (?:tried|just|even)|(?:tried|did) (?:that|this|it|all|everything)|ja (?:eu )?(?:\w{3,}(?:ei?|i)|fiz|tentamos)|(?:tentei|fiz) (?:isso|tudo|de tudo))\b/u;
const PART_END = /\s*(?:[,;.:!]|\s[-–]\s|\s(?:but|mas)\s)\s*/u;

/** The parts of a question that tell what was done already: "the app crashes, I have already reinstalled it". */
export function triedIn(text: string): readonly string[] {
  return text.split(PART_END).filter((part) => TRIED.test(fold(part)) && !part.includes('?'));
}

/** Where one thing that is said may end and the next begin. */
const SENTENCE_END = /(?<=[.!?;\n])\s+/u;
const CLAUSE_END = /\s*(?:[,;:]|\s[-–]\s|\s(?:but|and|so|because|cause|mas|e|entao|então|porque|pq)\s)\s*/iu;
/** Fewer words ask nothing by themselves. */
const SHORTEST_CLAUSE = 3;
/** How a sentence begins whose question holds on a condition: "if they turn me away, is it paid back?". */
export const CONDITION =
  /(?:^|[.!?]\s+)\W*(?:(?:and|but|so|then|e|mas|entao|y|what|o que) )*(?:if|in case|se|caso|si)\b/u;
/** How a clause begins that asks. */
const BEGINS_ASKING =
  /^(?:(?:is|are|am|was|tem|ha|e|eh) |(?:[\p{L}']+ ){0,2}(?:how|what|when|where|which|who|why|can|could|do|does|did|may|must|should|will|would|como|quando|qdo|onde|quem|qual|quais|quant[ao]s?|qto|posso|pode|podem|consigo|preciso|da pra|o que|oq|ate que)\b)/u;

/**
 * The parts of a message that ask, each of which may be looked up by itself: a question at the end of a story, the question with
 * what was said after it, and the clauses of it that ask for something. None where it is nothing but one question.
 */
export function askingParts(message: string): readonly string[] {
  const sentences = message.split(SENTENCE_END).filter((one) => /\p{L}/u.test(one));
  const marked = sentences.findIndex((one) => one.includes('?'));
  const first = marked === -1 ? sentences.length - 1 : marked;
  const asking = sentences.filter((one, at) => (marked === -1 ? at === first : one.includes('?')));
  const clauses = asking.flatMap((one) => one.split(CLAUSE_END).filter(isAsking));
  const parts = [asking.join(' '), sentences.slice(first).join(' '), ...clauses].map((one) => one.trim());
  return [...new Set(parts)].filter((part) => part !== '' && part.length < message.trim().length);
}

function isAsking(clause: string): boolean {
  const words = clause.trim().split(/\s+/u).length;
  return words >= SHORTEST_CLAUSE && (clause.includes('?') || BEGINS_ASKING.test(fold(clause.trim())));
}
