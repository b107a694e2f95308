/** The look of the button and the panel, inside their shadow tree. */
export const LAUNCHER_CSS = `
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
