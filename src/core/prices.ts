import { fold } from './text.js';

/** A sum, a share or that it costs nothing, in folded text. */
export const AMOUNT =
  /(?:r\$|us\$|[$€£])\s?\d|\d\s?(?:%|reais|euros?|dollars?)|\b(?:free|grat(?:is|uit[ao]s?)|de graca)\b/u;
/** Asks what something costs; and of money that comes back, which a text may tell without any sum. */
const PRICE =
  /\b(?:prices?|costs?|how much (?:is|are|would|for|does)|quanto (?:custa\w*|fica\w*|sai\w*|seria|e (?:o|a|um|uma))|precos?|cuanto (?:cuesta|sale|es))\b/u;
const MONEY_BACK = /\b(?:back|refund\w*|reembols\w*|devol\w*|estorn\w*|volta\w*|free|gratis|extra)\b/u;

/** True where a question asks for a price that a text does not tell. */
export function lacksPrice(question: string, text: string): boolean {
  const folded = fold(question);
  return PRICE.test(folded) && !MONEY_BACK.test(folded) && !AMOUNT.test(fold(text));
}

/** Asks how many there are, and how many there must be or may be at most. */
const COUNT = /\b(?:how many|quant[ao]s (?!vezes)|cuant[ao]s (?!veces))\b/u;
const LEAST =
  /\b(?:(?:minim(?:um|al)|maxim(?:um|al)) (?:number|amount|size)|(?:a|any|some|the) (?:minimum|maximum)|(?:numero|quantidade|tamanho) (?:minim|maxim)[oa]|(?:minim|maxim)o de|(?:tem|ha|existe|qual o|hay) (?:algum |un |um )?(?:minim|maxim)o)\b/u;
/** A number, or that there is none. A single one may be an article: "one invoice a month" is no least number. */
const NUMBERED =
  /\d|\b(?:two|three|four|five|six|ten|no (?:limit|minimum|maximum)|unlimited|any number|as many|at (?:least|most)|up to|dois|duas|tres|quatro|cinco|seis|dez|(?:sem|nao ha) (?:limite|minimo|maximo)|ilimitad\w*|quant[ao]s quiser|no (?:minimo|maximo)|pelo menos|dos|cuatro|sin (?:limite|minimo))\b/u;
const ONE = /\b(?:one|none|um|uma|nenhum\w?|un|una)\b/u;

/** True where a question asks for a number that a text does not tell. */
export function lacksCount(question: string, text: string): boolean {
  const [asked, told] = [fold(question), fold(text)];
  if (NUMBERED.test(told)) return false;
  return LEAST.test(asked) || (COUNT.test(asked) && !ONE.test(told));
}

/** In how many digits the currency's smallest unit is a part of it: 2 of EUR, 0 of CLP. @param currency ISO 4217 */
export function minorDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * An amount as it was written, in the currency's smallest unit.
 * @param whole with the signs between its thousands: "1.250"
 * @param part the digits behind the comma, empty where there are none
 * @param digits see `minorDigits`
 */
export function minorUnits(whole: string, part: string, digits: number): number {
  const small = part.slice(0, digits).padEnd(digits, '0');
  return Number(whole.replaceAll(/[.,]/g, '')) * 10 ** digits + Number(small);
}
