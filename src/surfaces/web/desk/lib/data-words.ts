/* Names and values of data that a query or a tool gave, as people read them. */

/** A moment as the wire writes it, ISO 8601. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** An id of the hub's or of a database: `res_029`, `tkt_4eecnk2jp5a460vr`. Nobody can read anything from it. */
export function isInternalId(text: string): boolean {
  return /^[a-z]{2,4}_(?=\w*\d)[a-z0-9]+$/.test(text);
}

const IDS = /( ?\((?:run )?)?\b([a-z]{2,4}_(?=\w*\d)[a-z0-9_]+)\b(\))?/g;

/** A sentence with the names of records for their ids; an id in brackets stands behind its name already. */
export function withoutIds(sentence: string, names: Readonly<Record<string, string>>): string {
  return sentence.replace(
    IDS,
    (whole, opened: string | undefined, id: string, closed: string | undefined) => {
      if (opened !== undefined && closed !== undefined) return '';
      const name = names[id];
      return name === undefined ? whole : `${opened ?? ''}“${name}”${closed ?? ''}`;
    },
  );
}

/** A call as the hub reports it: `agent: tool({"name":"value"})`, perhaps cut within. */
const CALL = /^\w+: (\w+)\((\{.*)\)$/s;
const TERMS = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;

/** A sentence of the hub without the program's words: calls by their label and what they were given, terms as words. */
export function plainSentence(sentence: string, nameOf: (term: string) => string): string {
  const [, tool, given = ''] = CALL.exec(sentence) ?? [];
  const said = (text: string) => text.replace(TERMS, (term) => (isInternalId(term) ? term : nameOf(term)));
  if (tool === undefined) return said(sentence);
  const values = [...given.matchAll(/:"([^"]*)/g)].map(([, value = '']) => value);
  return [
    nameOf(tool),
    values
      .filter((one) => one !== '' && !isInternalId(one))
      .map(said)
      .join(', '),
  ]
    .filter((one) => one !== '')
    .join(': ');
}

/** A term of a program: `never_issued`. */
export function isTerm(text: string): boolean {
  return /^[a-z]+(?:_[a-z0-9]+)*$/.test(text) && !isInternalId(text);
}

/** `amountCents` as `amount_cents`: what is stored is named in either way. */
export function snake(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}

/** A column or an argument as a name: `hours_to_start` is "Hours to start", `paid_cents` "Paid", `is_blocked` "Blocked". */
export function plainName(name: string): string {
  const words = name
    .replace(/^(?:is|has)_/, '')
    .replace(/_(?:cents|id|at)$/, '')
    .replaceAll('_', ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of what is there in several languages (`what_en`, `what_pt`) only the reader's, under the name they share. */
export function ownLanguage(
  entries: readonly (readonly [string, unknown])[],
  shown: string,
  languages: readonly string[],
): readonly (readonly [string, unknown])[] {
  const short = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
  const endings = languages.map((one) => `_${short(one)}`);
  return entries.flatMap(([name, value]) => {
    const ending = endings.find((one) => name.endsWith(one));
    if (ending === undefined) return [[name, value] as const];
    return ending === `_${short(shown)}` ? [[name.slice(0, -ending.length), value] as const] : [];
  });
}
