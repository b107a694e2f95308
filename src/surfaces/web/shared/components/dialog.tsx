import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { createStore, useStore } from '../store.js';
import { IconButton } from './controls.js';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly onPress: (() => void) | null;
}

const SHOWN_MS = 7000;
const toasts = createStore<readonly Toast[]>([]);
let made = 0;

/**
 * Says something for a few seconds, also to a screen reader.
 * @param onPress leads to what it is about; absent where that is nowhere else
 */
export function toast(text: string, onPress: (() => void) | null = null): void {
  made += 1;
  const id = made;
  toasts.update((all) => [...all.slice(-2), { id, text, onPress }]);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.update((all) => all.filter((one) => one.id !== id));
}

/** The place where they appear: once a page. What would stand below them makes room: `--toasts` is their height. */
export function Toasts({ closeLabel }: { readonly closeLabel: string }) {
  const shown = useStore(toasts);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--toasts', `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite" ref={box}>
      {shown.map(({ id, text, onPress }) => (
        <div class="toast" key={id}>
          {onPress === null ? (
            <span>{text}</span>
          ) : (
            <button
              type="button"
              class="toast__open"
              onClick={() => {
                dismiss(id);
                onPress();
              }}
            >
              {text}
            </button>
          )}
          <IconButton icon="close" label={closeLabel} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

interface DialogProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** `side` comes from the right and fills the height, `left` likewise; `middle` where absent. */
  readonly place?: 'middle' | 'side' | 'left';
  readonly children: ComponentChildren;
}

/** What is filled in first. Where there is none, the browser gives the focus to the button that closes. */
const FIELD = '.dialog__body :is(input:not([type=checkbox], [type=radio]), select, textarea)';

/** Gives the focus to the first field of what is read only once the dialog is open, unless the focus has moved meanwhile. */
function whenFilled(dialog: HTMLElement): MutationObserver {
  const first = document.activeElement;
  const observer = new MutationObserver(() => {
    const field = dialog.querySelector<HTMLElement>(FIELD);
    if (field === null) return;
    observer.disconnect();
    if (document.activeElement === first) field.focus();
  });
  observer.observe(dialog, { childList: true, subtree: true });
  return observer;
}

/**
 * A modal dialog while it is mounted: its first field has the focus, the browser keeps it inside, Escape and a press beside it close it, and
 * the focus goes back to where it came from.
 */
export function Dialog({ title, closeLabel, onClose, place = 'middle', children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the page is painted: a key that follows the one that opened it belongs to it.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    const found = dialog?.querySelector<HTMLElement>(FIELD);
    found?.focus();
    const waiting = dialog && !found ? whenFilled(dialog) : null;
    return () => {
      waiting?.disconnect();
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does it by keyboard; the press beside the dialog is an extra.
    <dialog
      ref={ref}
      class={`dialog dialog--${place}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <header class="dialog__head">
        <h2 class="dialog__title" id={titleId}>
          {title}
        </h2>
        <IconButton icon="close" label={closeLabel} onClick={onClose} />
      </header>
      <div class="dialog__body" tabIndex={0} role="group" aria-labelledby={titleId}>
        {children}
      </div>
    </dialog>
  );
}
