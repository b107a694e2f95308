/** Points at nothing but places in a list, or counts what is in it: "2 and 3", "as três", "all three of them". */
const COUNTS =
  /^(?:\W*(?:(?:the|number|numbers|all|both|of|them|please|pls|and|also|plus|yes|sim|ok|a|o|as|os|e|n[uú]mero|todas|todos|ambas|ambos|tod[ao]s elas|las|los|y|\d{1,2}|one|two|three|four|five|first|second|third|fourth|fifth|last|um|uma|dois|duas|tr[eê]s|quatro|cinco|primeir[ao]s?|segund[ao]|terceir[ao]|quart[ao]|[uú]ltim[ao]s?|dos|tres|cuatro))(?!\p{L}))+\W*$/iu;
/** Of more words it says more than that. */
const MOST_WORDS = 8;

/**
 * The words with which a message says first, by their places or their number, which of a list are meant, whatever is told after it: "the
 * 2 and the 3" of "the 2 and the 3. Sorry, my head is not in it today". Null where it begins otherwise.
 */
export function countingHead(text: string): string | null {
  const [head = ''] = text.split(/[.;!?\n]+|,(?=\s+(?:but|mas|pero)(?!\p{L}))/u);
  return head.trim().split(/\s+/).length <= MOST_WORDS && COUNTS.test(head) ? head : null;
}
