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

/** The look of the button and the panel, inside their shadow tree. */
const LAUNCHER_CSS = `
:host { all: initial; }
[hidden] { display: none !important; }
.button {
  position: fixed; z-index: 2147483001; right: max(20px, env(safe-area-inset-right));
  bottom: max(20px, env(safe-area-inset-bottom)); width: 60px; height: 60px; padding: 0; border: 0;
  border-radius: 50%; background: var(--color); color: var(--on-color); cursor: pointer;
  box-shadow: 0 6px 24px rgb(0 0 0 / .28); transition: transform .16s cubic-bezier(.2,.7,.2,1);
}
.button:hover { transform: scale(1.06); }
.button:focus-visible { outline: 3px solid #ffffff; outline-offset: 0; box-shadow: 0 0 0 6px #24558c; }
svg {
  width: 28px; height: 28px; display: block; margin: auto; fill: none; stroke: currentColor; stroke-width: 1.9;
  stroke-linecap: round; stroke-linejoin: round;
}
.badge {
  position: absolute; top: -3px; right: -3px; min-width: 22px; height: 22px; padding: 0 5px; box-sizing: border-box;
  border: 2px solid #ffffff; border-radius: 11px; background: #a3192e; color: #ffffff;
  font: 700 12px/18px system-ui, sans-serif; text-align: center;
}
.panel {
  position: fixed; z-index: 2147483000; right: max(20px, env(safe-area-inset-right));
  bottom: calc(92px + env(safe-area-inset-bottom)); width: min(408px, calc(100vw - 40px));
  height: min(680px, calc(100dvh - 120px)); border-radius: 20px; overflow: hidden; background: #faf5ee;
  box-shadow: 0 16px 60px rgb(0 0 0 / .3); animation: rise .2s cubic-bezier(.2,.7,.2,1);
}
iframe { width: 100%; height: 100%; border: 0; display: block; }
@keyframes rise { from { opacity: 0; transform: translateY(16px); } }
@media (max-width: 520px) {
  .panel { inset: 0; width: auto; height: auto; border-radius: 0; }
  .panel:not([hidden]) ~ .button { display: none; }
}
@media (prefers-color-scheme: dark) { .panel { background: #17121a; } }
@media (prefers-reduced-motion: reduce) { .panel { animation: none; } .button { transition: none; } }
`;

/** The button and the panel on somebody else's page. */
interface Launcher {
  /** Called when the chat in the frame can be talked to; set by the caller. */
  onFrameReady: () => void;
  /** Called when the chat's session has ended; set by the caller. */
  onExpired: () => void;
  /** Says something to the chat, once it is there. */
  post(message: Readonly<Record<string, unknown>>): void;
}

const SVG = 'http://www.w3.org/2000/svg';
const BUBBLE =
  'M5 4.5h14A2.5 2.5 0 0 1 21.5 7v8a2.5 2.5 0 0 1-2.5 2.5h-6L8 21v-3.5H5A2.5 2.5 0 0 1 2.5 15V7A2.5 2.5 0 0 1 5 4.5z';
const CROSS = 'M6.5 6.5l11 11M17.5 6.5l-11 11';

/** Kept for the page's origin while its visitor has a conversation, whose answers the button counts. */
const TALKED = 'hub.chat.talked';
/** A browser that cannot say when it is idle is given this long. */
const IDLE_MS = 1_500;

/**
 * Puts the button on the page. The frame is made when it is first opened, so that the page loads nothing for it; where there
 * may be a conversation, once the page has nothing else to do.
 */
export function createLauncher(settings: EmbedSettings): Launcher {
  const { words } = settings;
  const { button, badge, panel, path } = draw(settings, words.open);
  let frame: HTMLIFrameElement | null = null;
  let ready = false;
  let open = false;
  let unread = 0;

  const launcher: Launcher = {
    onFrameReady: () => {},
    onExpired: () => {},
    post(message) {
      if (ready) frame?.contentWindow?.postMessage(message, settings.origin);
    },
  };
  const label = (): void => {
    const name = open ? words.close : unread > 0 ? `${words.open} (${unread} ${words.unread})` : words.open;
    button.setAttribute('aria-label', name);
    button.setAttribute('aria-expanded', String(open));
    badge.textContent = unread > 9 ? '9+' : String(unread);
    badge.hidden = open || unread === 0;
    path.setAttribute('d', open ? CROSS : BUBBLE);
  };
  const load = (): void => {
    frame ??= panel.appendChild(makeFrame(settings.frame, words.title));
  };
  const show = (wanted: boolean): void => {
    open = wanted;
    if (open) load();
    panel.hidden = !open;
    label();
    launcher.post({ type: open ? 'hub:shown' : 'hub:hidden' });
    if (open) frame?.focus();
    else button.focus();
  };
  button.addEventListener('click', () => show(!open));
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(false);
  });
  addEventListener('message', (event) => {
    if (frame === null || event.source !== frame.contentWindow || event.origin !== settings.origin) return;
    const data: unknown = event.data;
    if (typeof data !== 'object' || data === null || !('type' in data)) return;
    if (data.type === 'hub:ready') {
      ready = true;
      launcher.onFrameReady();
      launcher.post({ type: open ? 'hub:shown' : 'hub:hidden' });
    } else if (data.type === 'hub:close') {
      show(false);
    } else if (data.type === 'hub:expired') {
      launcher.onExpired();
    } else if (data.type === 'hub:unread' && 'count' in data && Number.isInteger(data.count)) {
      unread = Math.max(0, Number(data.count));
      remember('talked' in data && data.talked === true);
      label();
    }
  });
  label();
  if (settings.signsIn || hasTalked()) {
    if ('requestIdleCallback' in window) requestIdleCallback(load);
    else setTimeout(load, IDLE_MS);
  }
  return launcher;
}

/** False too where the page's storage is forbidden. */
function hasTalked(): boolean {
  try {
    return localStorage.getItem(TALKED) !== null;
  } catch {
    return false;
  }
}

function remember(talked: boolean): void {
  try {
    if (talked) localStorage.setItem(TALKED, '1');
    else localStorage.removeItem(TALKED);
  } catch {
    // The button counts once the panel was opened.
  }
}

function makeFrame(address: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.title = title;
  frame.allow = 'clipboard-write';
  frame.referrerPolicy = 'strict-origin';
  return frame;
}

/** In a shadow tree, so that neither page changes the look of the other. */
function draw(settings: EmbedSettings, label: string) {
  const host = document.createElement('div');
  host.dataset.hub = 'chat';
  const root = host.attachShadow({ mode: 'open' });
  // Set through the object model: a page's policy against inline styles does not hold for it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER_CSS);
  root.adoptedStyleSheets = [sheet];
  host.style.setProperty('--color', settings.color ?? '#a63a1b');
  host.style.setProperty('--on-color', settings.onColor);

  const panel = document.createElement('div');
  panel.className = 'panel';
  panel.id = 'panel';
  panel.hidden = true;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.setAttribute('aria-label', label);
  button.setAttribute('aria-controls', 'panel');
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = icon.appendChild(document.createElementNS(SVG, 'path'));
  const badge = document.createElement('span');
  badge.className = 'badge';
  badge.setAttribute('aria-hidden', 'true');
  button.append(icon, badge);
  root.append(panel, button);
  document.body.append(host);
  return { button, badge, panel, path };
}
