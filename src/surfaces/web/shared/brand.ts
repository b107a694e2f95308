import { createStore, deviceStorage } from './store.js';

/** `system` follows the device. */
type Theme = 'system' | 'light' | 'dark';

const KEY = 'hub.theme';
const kept = deviceStorage.get(KEY);

/** The theme that was chosen. */
export const theme = createStore<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');

/** Shows and keeps a theme. */
export function chooseTheme(next: Theme): void {
  deviceStorage.set(KEY, next === 'system' ? null : next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.set(next);
}

/** True where the page is dark now, whoever decided it. */
export function isDark(): boolean {
  const chosen = theme.get();
  return chosen === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

/** The colours that a page takes from one of a company's. */
interface Shades {
  readonly accent: string;
  readonly 'accent-strong': string;
  readonly 'accent-soft': string;
  readonly 'on-accent': string;
}

type Colour = readonly [red: number, green: number, blue: number];

const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
/** The grounds of the two themes on which text has the least contrast, and those that soft colours stand on; as in tokens.css. */
const GROUNDS = {
  light: { least: [239, 229, 215], surface: WHITE },
  dark: { least: [42, 33, 48], surface: [33, 26, 37] },
} as const satisfies Record<string, Record<string, Colour>>;
/** WCAG AA for text. */
const READABLE = 4.5;
const STEP = 0.04;

/**
 * Makes the shades of a theme out of a company's colour: as near to it as text can be that is still read on every ground of
 * the theme, and that can be written on.
 * @param color `#rrggbb`
 */
export function shadesOf(color: string, dark: boolean): Shades {
  const { least, surface } = GROUNDS[dark ? 'dark' : 'light'];
  const far = dark ? WHITE : BLACK;
  const given = parse(color);
  const soft = mix(surface, given, dark ? 0.22 : 0.12);
  let accent = given;
  for (let part = 0; part <= 1; part += STEP) {
    accent = mix(given, far, part);
    const strong = mix(accent, far, 0.15);
    if (
      [least, soft].every(
        (ground) => contrast(accent, ground) >= READABLE && contrast(strong, soft) >= READABLE,
      )
    )
      break;
  }
  const on = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK;
  return {
    accent: written(accent),
    'accent-strong': written(mix(accent, far, 0.15)),
    'accent-soft': written(soft),
    'on-accent': written(on),
  };
}

/** The contrast of two colours as WCAG 2 defines it, 1 to 21. @param one `#rrggbb` */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other));
}

/** Tints the page in a company's colour, in whatever theme it is shown; null leaves the page's own. */
export function tint(color: string | null): void {
  if (color === null || !/^#[0-9a-f]{6}$/i.test(color)) return;
  const show = (): void => {
    for (const [name, value] of Object.entries(shadesOf(color, isDark())))
      document.documentElement.style.setProperty(`--${name}`, value);
  };
  show();
  theme.subscribe(show);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
}

function parse(color: string): Colour {
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function written(colour: Colour): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (at: 0 | 1 | 2): number => one[at] + (other[at] - one[at]) * share;
  return [part(0), part(1), part(2)];
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
