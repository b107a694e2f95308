import en from './texts/en.json';

/** By language; the script brings all of them, so that it loads nothing more. */
const TEXTS = new Map(
  Object.entries(import.meta.glob<typeof en>('./texts/*.json', { import: 'default', eager: true })).map(
    ([file, texts]) => [file.replace(/^.*\/|\.json$/g, ''), texts],
  ),
);

/** The language there are texts for that is nearest to a tag such as `pt` or `pt-PT`. */
function languageOf(tag: string): string {
  const base = tag.toLowerCase().split('-')[0] ?? '';
  return [...TEXTS.keys()].find((one) => one.toLowerCase().startsWith(base) && base !== '') ?? 'en';
}

/** What the page asks for by attributes of the script. */
export interface EmbedSettings {
  /** Where the script came from: the only origin the panel talks with. */
  readonly origin: string;
  /** What the button and the panel are called, in the language of the page. */
  readonly words: typeof en;
  /** `#rrggbb`; null for the house's own. */
  readonly color: string | null;
  /** What can be read on the colour. */
  readonly onColor: string;
  /** The page gives a token of its own sign-in. */
  readonly signsIn: boolean;
  /** The address of the chat in the frame. */
  readonly frame: string;
}

/** Reads the attributes; what makes no sense is left out. */
export function readSettings(script: HTMLScriptElement): EmbedSettings {
  const { origin } = new URL(script.src);
  const { language: wanted, color: colour = '', token } = script.dataset;
  const language = languageOf(wanted ?? document.documentElement.lang ?? navigator.language);
  const color = /^#[0-9a-f]{6}$/i.test(colour) ? colour : null;
  const query = new URLSearchParams({ embed: '1', parent: location.origin });
  if (wanted !== undefined) query.set('language', language);
  const onColor = readableOn(color ?? '#a63a1b');
  if (color !== null) query.set('color', color);
  if (token !== undefined) query.set('token', '1');
  const words = TEXTS.get(language) ?? en;
  return { origin, words, color, onColor, signsIn: token !== undefined, frame: `${origin}/?${query}` };
}

/** Black or white, whichever has more contrast on the colour (WCAG 2 relative luminance). */
function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}
