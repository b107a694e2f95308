/** Arguments of an action as texts in a form, and back without changing their types. */

type ArgTexts = Readonly<Record<string, string>>;

/** What is written into the form. */
export function toTexts(args: Readonly<Record<string, unknown>>): ArgTexts {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

type ReadArgs =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  /** `wrong` names the first argument that cannot be read as what it was. */
  | { readonly ok: false; readonly wrong: string };

/** Reads the form: a number stays a number, a text a text, anything else is JSON. */
export function fromTexts(texts: ArgTexts, original: Readonly<Record<string, unknown>>): ReadArgs {
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(original)) {
    const text = (texts[name] ?? '').trim();
    if (typeof value === 'string') {
      args[name] = text;
      continue;
    }
    if (typeof value === 'number') {
      const number = Number(text);
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
