import { useLayoutEffect, useRef } from 'preact/hooks';

/** One key a command: `j`, `c`, `/`. */
const commands = new Map<string, () => void>();

/** What can be done by a key at this moment, by key. */
export function activeCommands(): ReadonlyMap<string, () => void> {
  return new Map(commands);
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

/** Listens for single keys, once a page. They mean nothing while somebody writes or a window is open. */
export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' && isWriting(event.target) && event.target instanceof HTMLElement) {
      if (event.target.closest('dialog') === null) event.target.blur();
      return;
    }
    if (isWriting(event.target) || document.querySelector('dialog[open]') !== null) return;
    const command = commands.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (command === undefined) return;
    event.preventDefault();
    command();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** Listens for Ctrl+K, which opens the list of all commands also while somebody writes. */
export function listenForPalette(open: () => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const asked = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
    if (!asked || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    open();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** Does something at a key while the component is shown; null does nothing. */
export function useCommand(key: string, command: (() => void) | null): void {
  const latest = useRef(command);
  latest.current = command;
  const active = command !== null;
  // Before the page is painted: whoever sees the button may press its key, and a hidden tab paints late.
  useLayoutEffect(() => {
    if (!active) return;
    const run = (): void => latest.current?.();
    commands.set(key, run);
    return () => {
      if (commands.get(key) === run) commands.delete(key);
    };
  }, [key, active]);
}
