import type { RecordWords } from './record-words.js';
import { type Folded, tokenize } from './text.js';
import { GENERIC, ORDINARY, SMALL } from './title-match.js';

/** Adjectives and small talk around a noun that name nothing by themselves. */
const PLAIN = new Set(
  `earliest soonest nearest latest cheapest closest mais cedo barata perto
   my your our their his her its me you we it this that these those them some any every each both one ones another upcoming next last other others same whole entire old recent latest wrong duplicate duplicated double paid unpaid existing current future past cancelled refunded full partial online
   two three four five monthly person people friend friends mother father wife husband girlfriend boyfriend gf bf partner sister brother son daughter mom mum dad boss kids group mistake accident error purpose gift free test reason price cost value case day days week weeks month hours hour year asap already made make more info
   just only also too really actually immediately details status list number id code confirmation policy rule
   i is are was were be been have has had do does did will would can could should want wanna need like get got tell know see let book booked cancel pause resume refund
   engano erro acidente presente mae pai marido esposa namorada namorado irma irmao filho filha minha meu minhas meus sua seu ela ele eles elas isso isto proxima proximo ultima ultimo mesma mesmo errada errado futura futuro antiga antigo recente duplicada paga pago pessoa pessoas amigo amiga caso preco valor dias semana mes que eu fiz tenho vou ir cancelei comprei marquei marcada agendada inteira toda tudo mim voces vcs nome confirmada
   now right away straight quick quickly fast soon immediate ahora mismo enseguida inmediatamente imediatamente rapido logo
   pls plz plss thx thanks ty tks obg obrigado obrigada vlw valeu pf pfvr gentileza kindly mate bro
   por favor pfv urgente agora ja nao sim ser foi esta estou`.split(/\s+/),
);

const STOP =
  '(?=$|[.,;!?\\n:()]| (?:and|because|since|but|so|as|cause|if|when|that|which|who|please|pls|i|on|then|or|e|porque|pois|mas|se|que|eu|por favor|pfv|pq|quando|ou)\\b)';
/** Phrases after which a name follows, or that stand around one. */
function namingPhrases({ namesIn, thingsIn }: RecordWords): readonly RegExp[] {
  return [
    new RegExp(
      `\\b(?:${namesIn('en')}|called|named|title|titled) (?:(?:for|to|at|of) )?(?:the |a |an |my )?([^.,;!?\\n]{2,60}?)${STOP}`,
      'g',
    ),
    new RegExp(
      `\\b(?:${namesIn('pt-BR')}|chamad[ao]) (?:d[aeo]s? |para |pr[ao] |n[ao] |a |o )?(?:[ao] )?([^.,;!?\\n]{2,60}?)${STOP}`,
      'g',
    ),
    new RegExp(`\\b(?:the|my|that) ([^.,;!?\\n]{2,50}?) (?:one|${thingsIn('en')})\\b`, 'g'),
    /(?:^|\b(?:quero|cancela|cancelar|cancele|e|so|nao|sim|mean) )(?:[ao] )?d[ao] ([^.,;!?\n]{2,50}?)(?=$|[.,;!?\n])/g,
  ];
}

/** A stretch of a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The words with which a text names some item. */
export type NamedThing = (text: string, source: Folded, blank: readonly Span[]) => string | null;

/**
 * Makes the finder of the words with which a customer names some item, as written; it answers null where there are none.
 * Asked when nothing known was recognised: "my ticket for Hamlet" must not fall to the only ticket there is. `blank`
 * are stretches already understood (dates).
 */
export function createNamedThing(words: RecordWords): NamedThing {
  const phrases = namingPhrases(words);
  const company = new RegExp(`^(?:${words.company})$`);
  const names = (word: string): boolean =>
    word.length > 2 &&
    !/^\d+$/.test(word) &&
    !GENERIC.has(word) &&
    !SMALL.has(word) &&
    !ORDINARY.has(word) &&
    !PLAIN.has(word) &&
    !words.isCommon(word) &&
    !words.isOrdinary(word) &&
    !company.test(word);
  return (text, { folded, at }, blank) => {
    const quoted = /["“”]([^"“”\n]{2,80})["“”]/.exec(text);
    if (quoted?.[1] !== undefined) return quoted[1].trim();
    for (const pattern of phrases) {
      for (const match of folded.matchAll(pattern)) {
        const said = match[1] ?? '';
        const from = match.index + match[0].lastIndexOf(said);
        const telling = tokenize(said).filter((token) => {
          const start = at[from + token.start] ?? 0;
          return !blank.some((span) => start >= span.start && start < span.end) && names(token.word);
        });
        const first = telling[0];
        const last = telling.at(-1);
        if (first !== undefined && last !== undefined)
          return text.slice(at[from + first.start] ?? 0, at[from + last.end] ?? text.length);
      }
    }
    return null;
  };
}
