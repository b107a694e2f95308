/**
 * Minor units of a currency as the hub writes money to customers: 8,000 of EUR are €80.00, of JPY ¥8,000; a sign that holds a
 * letter is set apart, as in CA$ 80.00.
 */
export function money(minorUnits: number, language: string, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const format = new Intl.NumberFormat(language, style);
  const parts = format.formatToParts(minorUnits / 10 ** digitsOf(format));
  const spaced = ({ type, value }: Intl.NumberFormatPart, at: number): string =>
    type === 'currency' && /\p{L}/u.test(value) && /^(?:integer|minusSign)$/.test(parts[at + 1]?.type ?? '')
      ? `${value}\u00a0`
      : value;
  return parts.map(spaced).join('');
}

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;

/** How a currency is written in a form: its sign, and its digits behind the point. */
export function currencyIn(language: string, currency: string): { sign: string; digits: number } {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  return { sign, digits: digitsOf(format) };
}

/** US dollars of models: small sums keep the digits that matter. */
export function dollars(amount: number, language: string): string {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** A share of 1 in whole per cent. */
export function percent(share: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** `840 ms`, `2.4 s`. */
export function duration(milliseconds: number, language: string): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(milliseconds / 1000)} s`;
}

/** How a conversation came from one operator to another, and with which note or reason. */
interface HandOver {
  readonly kind: 'given' | 'taken';
  readonly from: string;
  readonly note: string;
}

/**
 * Reads how a conversation came to its operator.
 * @param name of the operator who has it now
 * @returns null where it came from nobody
 */
export function handOver(name: string | null, how: string | null): HandOver | null {
  const [way = '', ...more] = (how ?? '').split('\n');
  const end = ` → ${name ?? ''}`;
  const after = way.indexOf(`${end}: `);
  if (name === null) return null;
  if (way.endsWith(end)) return { kind: 'given', from: way.slice(0, -end.length), note: more.join(' ') };
  if (after <= 0) return null;
  const note = [way.slice(after + end.length + 2), ...more].join(' ');
  return { kind: 'taken', from: way.slice(0, after), note };
}

/** What a ticket was about first: its summary without what was added later; empty where there is none. */
export function topicOf(summary: string): string {
  return summary.split(' · ')[0]?.trim() ?? '';
}

/** Up to two initials of a name, for a picture of nobody in particular. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map(
    (part) => [...(part ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase() || '?';
}

/** A term of the hub's vocabulary in words; one that is not known is shown as it came. */
export function term(group: Readonly<Record<string, string>>, key: string): string {
  const known = Object.hasOwn(group, key) ? group[key] : undefined;
  return known ?? key.replaceAll('_', ' ');
}
