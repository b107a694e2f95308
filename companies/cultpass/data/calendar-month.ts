/** São Paulo is UTC-3 all year since daylight saving ended in 2019. */
export const SAO_PAULO_OFFSET_MS = 3 * 3_600_000;

/** A calendar month in São Paulo as a half-open interval of instants. */
interface MonthInterval {
  readonly start: Date;
  readonly end: Date;
}

/** The calendar month in São Paulo that contains the instant. */
export function monthInSaoPaulo(at: Date): MonthInterval {
  const local = new Date(at.getTime() - SAO_PAULO_OFFSET_MS);
  const firstOf = (month: number): Date =>
    new Date(Date.UTC(local.getUTCFullYear(), month, 1) + SAO_PAULO_OFFSET_MS);
  return { start: firstOf(local.getUTCMonth()), end: firstOf(local.getUTCMonth() + 1) };
}
