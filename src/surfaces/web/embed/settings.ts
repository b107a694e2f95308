/** What the page asks for by attributes of the script. */
export interface EmbedSettings {
  /** Where the script came from: the only origin the panel talks with. */
  readonly origin: string;
  readonly language: 'en' | 'pt-BR';
  /** `#rrggbb`; null for the house's own. */
  readonly color: string | null;
  /** What can be read on the colour. */
  readonly onColor: string;
  /** The address of the chat in the frame. */
  readonly frame: string;
}

/** Reads the attributes; what makes no sense is left out. */
export function readSettings(script: HTMLScriptElement): EmbedSettings {
  const { origin } = new URL(script.src);
  const { language: wanted, color: colour = '', token } = script.dataset;
  const language = (wanted ?? document.documentElement.lang ?? navigator.language)
    .toLowerCase()
    .startsWith('pt')
    ? 'pt-BR'
    : 'en';
  const color = /^#[0-9a-f]{6}$/i.test(colour) ? colour : null;
  const query = new URLSearchParams({ embed: '1', parent: location.origin });
  if (wanted !== undefined) query.set('language', language);
  const onColor = readableOn(color ?? '#a63a1b');
  if (color !== null) {
    query.set('color', color);
    query.set('on_color', onColor);
  }
  if (token !== undefined) query.set('token', '1');
  return { origin, language, color, onColor, frame: `${origin}/?${query}` };
}

/** Black or white, whichever has more contrast on the colour (WCAG 2 relative luminance). */
function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}
