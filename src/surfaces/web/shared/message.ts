import { IntlMessageFormat } from 'intl-messageformat';

/** What a message may be filled with; sentences may also name the company, as `{company}`. */
type Values = Readonly<Record<string, string | number>>;

let locale = 'en';
let company = '';
const compiled = new Map<unknown, IntlMessageFormat>();

/** Says in which language, and of which company, messages speak from now on. */
export function speakOf(next: { readonly locale?: string; readonly company?: string }): void {
  locale = next.locale ?? locale;
  company = next.company ?? company;
  compiled.clear();
}

/**
 * Fills an ICU message of a text file.
 * @param message as the file has it; the build has parsed those that are filled
 */
export function fill(message: string, values: Values): string {
  // The build leaves what has nothing to fill a text, and the pages have no parser.
  if (typeof message === 'string' && !message.includes('{')) return message;
  let format = compiled.get(message);
  if (!format) {
    format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
    compiled.set(message, format);
  }
  return String(format.format({ company, ...values }));
}

/** The same texts with the company's name where they speak of it; what is filled with more stays a message. */
export function ofCompany<T>(texts: T, name: string): T {
  const named = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll('{company}', name);
    // A message that the build has parsed begins with an element, not with a text.
    if (Array.isArray(value)) return typeof value[0] === 'object' ? value : value.map(named);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)]));
  };
  return named(texts) as T;
}
