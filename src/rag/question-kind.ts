import { fold } from './text.js';

/** What kind of answer a question asks for, and how a text shows that it has one. In the languages of the analyzer. */
interface Kind {
  readonly asks: RegExp;
  readonly answers: RegExp;
}

const AMOUNT =
  /(?:r\$|us\$|[$€£])\s?\d|\d\s?(?:%|reais|euros?|dollars?)|\b(?:free|grat(?:is|uit[ao]s?)|de graca)\b/u;
const SPAN =
  /\d\s?(?:h\b|hours?|minutes?|days?|business|weeks?|months?|years?|horas?|minutos?|dias?|semanas?|mes(?:es)?\b|anos?)|\bone business day|um dia util/u;
const CLOCK = /\b\d{1,2}(?::\d\d|\s?h\b|\s?[ap]m\b)|\b(?:day and night|dia e noite|midnight|meia-noite)\b/u;

const KINDS: readonly Kind[] = [
  {
    asks: /\b(?:how much|cost|costs|price|prices|cheap\w*|fee|fees|expensive|quanto (?:custa|e|sai|pago|fica|cobram?)|quanto\b(?! tempo)|preco|valor|tarifa|taxa|barato|caro|paga\w*)\b/u,
    answers: AMOUNT,
  },
  {
    asks: /\b(?:how (?:many|often|far)|quant[ao]s|de quanto em quanto)\b/u,
    answers: /\d|\b(?:once|one|two|uma?|duas|dois) /u,
  },
  {
    asks: /\b(?:how (?:long|fast|soon|quick\w*)|when|until|deadline|time|days?|which day|que dia|quando|quanto tempo|prazo|ate quando|demora\w*|em quanto|dias?)\b/u,
    answers: SPAN,
  },
  { asks: /\b(?:what time|hours?|open|night|que horas|horario|aberto|madrugada|noite)\b/u, answers: CLOCK },
  {
    asks: /\b(?:which|what (?:are|kinds?|types?|(?:do|must|should) i (?:need|bring|take))|quais|que tipos?|o que (?:inclui|preciso|devo|levo|levar))\b/u,
    answers: /(?:^\s*[-*•–]\s.*\n?){3}/mu,
  },
  { asks: /\b(?:where|onde|cade)\b/u, answers: /[>›»]|\bhttps?:|\w\.(?:com|example|org|net|br)\b/u },
  {
    asks: /\b(?:how (?:do|can|could|would|should|may|to|does)|what (?:do|should|can) i do|what now|fix|steps?|como|o que (?:eu )?faco|e agora|passo a passo)\b/u,
    answers: /^\s*\d{1,2}[.)]\s/mu,
  },
  {
    asks: /\b(?:why|reasons?|causes?|por ?que|pq|motivos?)\b/u,
    answers: /\b(?:because|reasons?|causes?|due to|porque|pois|motivos?|causas?)\b/u,
  },
  {
    asks: /^(?:\w+ ){0,4}(?:can|could|may|do|does|is|are|am|will|would|must|posso|pode|podem|da pra|da para|tem|ha|e possivel|precis\w+|consigo)\b/u,
    answers: /\b(?:can|cannot|may|must|not|never|nao|pode|podem|nunca|precisa)\b/u,
  },
];

/** The kinds of answer that a question asks for, as tests of a text; none where it is no question of a known kind. */
export function answersTo(question: string): readonly ((text: string) => boolean)[] {
  const folded = fold(question);
  return KINDS.filter(({ asks }) => asks.test(folded)).map(
    ({ answers }) =>
      (text) =>
        answers.test(fold(text)),
  );
}
