import { createLauncher, type EmbedSettings, readSettings } from './launcher.js';

// `<script src="https://hub/embed.js" async></script>` puts the chat on any page: a button, and a panel with the chat
// in a frame. Attributes of the script: data-language (en, pt-BR), data-color (#rrggbb), data-token (a session token of
// the company's own sign-in; may be set or changed later). Nothing is left on the page's `window`.
const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.src !== '') {
  const put = (): void => start(script, readSettings(script));
  if (document.body) put();
  else addEventListener('DOMContentLoaded', put, { once: true });
}

function start(script: HTMLScriptElement, settings: EmbedSettings): void {
  const launcher = createLauncher(settings);
  const token = (): string => script.dataset.token ?? '';
  launcher.onFrameReady = () => {
    if (token() !== '') launcher.post({ type: 'hub:token', token: token() });
  };
  // The chat has lost its session: the page may put a fresh token on the script.
  launcher.onExpired = () => {
    script.dispatchEvent(new CustomEvent('hub:expired', { bubbles: true }));
  };
  new MutationObserver(() => launcher.onFrameReady()).observe(script, { attributeFilter: ['data-token'] });
}
