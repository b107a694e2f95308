import { createStore, useStore } from '../store.js';
import { IconButton } from './button.js';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 7000;
const toasts = createStore<readonly Toast[]>([]);
let made = 0;

/** Says something for a few seconds, also to a screen reader. */
export function toast(text: string): void {
  made += 1;
  const id = made;
  toasts.update((all) => [...all.slice(-2), { id, text }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.update((all) => all.filter((one) => one.id !== id));
}

/** The place where they appear: once a page. */
export function Toasts({ closeLabel }: { readonly closeLabel: string }) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          <IconButton icon="close" label={closeLabel} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
