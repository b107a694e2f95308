/* What a text says is had for nothing, and what it speaks of only to deny it. Compared with folded text. */

const FREE =
  /\bfree\b|\bgratis|\bgratuit|de graca|no (?:extra )?(?:fee|cost|charge)|sem (?:custo|taxa|cobranca|multa)|(?:not|nothing is) charged|nada e cobrado|nao paga|sem pagar/;
/** "There is no free trial, no free month". */
export const NOT_FREE =
  /(?<!\p{L})(?:(?:no|nor|neither)(?: an?)?(?: \p{L}+)? free|(?:nao (?:existe|ha|tem|e)m?|nem)(?: \p{L}+){0,2} (?:gratis|gratuit\p{L}+))(?:(?: \p{L}+)?(?:,| or| and| ou| nem) (?:\p{L}+ )?(?:free|gratis|gratuit\p{L}+))*/u;
/** So fast that nobody has to do anything. */
export const AT_ONCE =
  /instant|automat|by itself|on its own|sozinh|immediat|imediat|at once|right away|straight away|on the spot|na hora|mesma hora/;
/** "No" says something else in Portuguese, but right before what it denies. */
const DENIES =
  /(?<!\p{L})(?:(?:not|never|there (?:is|are) no|without|nao|sem|nem|nenhuma?)(?!\p{L})[^.;:\n]*|no (?:\p{L}+ )?)$/u;

/** True where a text says that something costs nothing. */
export function saysFree(plain: string): boolean {
  return FREE.test(withoutDenied(plain));
}

/** A text without what it says is not to be had for nothing. */
export function withoutDenied(plain: string): string {
  return plain.replace(new RegExp(NOT_FREE, 'gu'), ' ');
}

/** True where a text speaks of it, and not only to deny it. */
export function grants(text: string, phrase: string): boolean {
  return text
    .split(phrase)
    .slice(0, -1)
    .some(
      (_part, at, parts) =>
        !DENIES.test(
          parts
            .slice(0, at + 1)
            .join(phrase)
            .slice(-BEFORE),
        ),
    );
}

/** As much of what stands before it is looked at. */
const BEFORE = 160;
