/** Arguments of an action as texts in a form, and back without changing their types. */

type ArgTexts = Readonly<Record<string, string>>;

/** True where an argument of this name is money in minor units; people write and read it as money. */
export const isMoney = (name: string): boolean => name.endsWith('_cents');

/**
 * What is written into the form: money as money.
 * @param digits of the currency behind the point
 */
export function toTexts(args: Readonly<Record<string, unknown>>, digits: number): ArgTexts {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value === 'string') return [name, value];
      if (typeof value === 'number' && isMoney(name)) return [name, (value / 10 ** digits).toFixed(digits)];
      return [name, JSON.stringify(value)];
    }),
  );
}

type ReadArgs =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  /** `wrong` names the first argument that cannot be read as what it was. */
  | { readonly ok: false; readonly wrong: string };

/** Reads the form: a number stays a number, a text a text, anything else is JSON. */
export function fromTexts(
  texts: ArgTexts,
  original: Readonly<Record<string, unknown>>,
  digits: number,
): ReadArgs {
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(original)) {
    const text = (texts[name] ?? '').trim();
    if (typeof value === 'string') {
      args[name] = text;
      continue;
    }
    if (typeof value === 'number') {
      const number = isMoney(name) ? minorUnits(text, digits) : Number(text);
      const fits =
        text !== '' && Number.isFinite(number) && (!Number.isInteger(value) || Number.isInteger(number));
      if (!fits) return { ok: false, wrong: name };
      args[name] = number;
      continue;
    }
    try {
      args[name] = JSON.parse(text);
    } catch {
      return { ok: false, wrong: name };
    }
  }
  return { ok: true, args };
}

/** Money that somebody wrote, with a point or a comma, in minor units; not a number where it is none. */
export function minorUnits(text: string, digits: number): number {
  const written = /^(\d+)(?:[.,](\d*))?$/.exec(text.trim());
  const behind = written?.[2] ?? '';
  if (!written || behind.length > digits) return Number.NaN;
  return Number(`${written[1]}${behind.padEnd(digits, '0')}`);
}
