/** What may be filled in, by its stored name, as people call it. */
type Places = Readonly<Record<string, string>>;

/** Other desks write two braces, and mean the same. */
const PLACE = /\{\{\s*([^{}]*?)\s*\}\}|\{\s*([^{}]*?)\s*\}/g;

/** The text of a macro with its places as people call them; one that is not known stays as it is. */
export function withLabels(text: string, places: Places): string {
  return text.replace(PLACE, (whole: string, doubled: string | undefined, single = '') => {
    const label = places[doubled ?? single];
    return label === undefined ? whole : `{${label}}`;
  });
}

/** The same text as it is stored, whichever of the two was written. */
export function withNames(text: string, places: Places): string {
  const names = new Map(Object.entries(places).map(([name, label]) => [label.toLocaleLowerCase(), name]));
  return text.replace(PLACE, (whole: string, doubled: string | undefined, single = '') => {
    const name = names.get((doubled ?? single).toLocaleLowerCase());
    return name === undefined ? whole : `{${name}}`;
  });
}
