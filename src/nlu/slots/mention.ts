import { type Folded, tokenize } from './text.js';
import { GENERIC, ORDINARY, SMALL } from './title-words.js';

/** Adjectives and small talk around a noun that name nothing by themselves. */
const PLAIN = new Set(
  `earliest soonest nearest latest cheapest closest mais cedo barata perto
   my your our their his her its me you we it this that these those them some any every each both one ones another upcoming next last other others same whole entire old recent latest premium wrong duplicate duplicated double paid unpaid existing current future past cancelled refunded full partial online
   two three four five plan monthly club membership cultpass person people friend friends mother wife husband kids group free test reason price cost value case day days week weeks month hours hour year asap already made make show shows museum more info
   just only also too really actually immediately details status list number id code confirmation policy rule
   i is are was were be been have has had do does did will would can could should want wanna need like get got tell know see let book booked cancel pause resume refund
   minha meu minhas meus sua seu ela ele eles elas isso isto proxima proximo ultima ultimo mesma mesmo errada errado futura futuro antiga antigo recente duplicada paga pago plano pessoa pessoas amigo amiga caso preco valor dias semana mes que eu fiz tenho vou ir cancelei comprei marquei marcada agendada inteira toda tudo mim voces vcs nome confirmada
   por favor pfv urgente agora ja nao sim ser foi esta estou`.split(/\s+/),
);

const STOP =
  '(?=$|[.,;!?\\n:()]| (?:and|because|since|but|so|as|cause|if|when|that|which|who|please|pls|i|on|then|or|e|porque|pois|mas|se|que|eu|por favor|pfv|pq|quando|ou)\\b)';
const NAMING: readonly RegExp[] = [
  new RegExp(
    `\\b(?:bookings?|reservations?|tickets?|seats?|spots?|entry|called|named|title|titled) (?:(?:for|to|at|of) )?(?:the |a |an |my )?([^.,;!?\\n]{2,60}?)${STOP}`,
    'g',
  ),
  new RegExp(
    `\\b(?:reservas?|ingressos?|visitas?|shows?|sessao|chamad[ao]) (?:d[aeo]s? |para |pr[ao] |n[ao] |a |o )?(?:[ao] )?([^.,;!?\\n]{2,60}?)${STOP}`,
    'g',
  ),
  /\b(?:the|my|that) ([^.,;!?\n]{2,50}?) (?:one|bookings?|reservations?|tickets?|show|concert|visit|event|tour|exhibition|workshop|festival|opera|ballet|class|concerts|party|play|movie|film)\b/g,
  /(?:^|\b(?:quero|cancela|cancelar|cancele|e|so|nao|sim|mean) )(?:[ao] )?d[ao] ([^.,;!?\n]{2,50}?)(?=$|[.,;!?\n])/g,
];

/**
 * The words with which a customer names some item, as written, or null. Asked when nothing known was recognised:
 * "my booking for Hamlet" must not fall to the only booking there is. `blank` are stretches already understood (dates).
 */
export function namedThing(
  text: string,
  source: Folded,
  blank: readonly { start: number; end: number }[],
): string | null {
  const quoted = /["“”]([^"“”\n]{2,80})["“”]/.exec(text);
  if (quoted?.[1] !== undefined) return quoted[1].trim();
  const { folded, at } = source;
  for (const pattern of NAMING) {
    for (const match of folded.matchAll(pattern)) {
      const words = match[1] ?? '';
      const from = match.index + match[0].lastIndexOf(words);
      const telling = tokenize(words).filter((token) => {
        const start = at[from + token.start] ?? 0;
        if (blank.some((span) => start >= span.start && start < span.end)) return false;
        return (
          token.word.length > 2 &&
          !/^\d+$/.test(token.word) &&
          !GENERIC.has(token.word) &&
          !SMALL.has(token.word) &&
          !ORDINARY.has(token.word) &&
          !PLAIN.has(token.word)
        );
      });
      const first = telling[0];
      const last = telling.at(-1);
      if (first !== undefined && last !== undefined)
        return text.slice(at[from + first.start] ?? 0, at[from + last.end] ?? text.length);
    }
  }
  return null;
}
