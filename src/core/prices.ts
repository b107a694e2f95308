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
