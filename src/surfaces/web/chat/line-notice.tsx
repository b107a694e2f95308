import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../shared/components/icon.js';
import type { LineState } from '../shared/follow.js';
import { useTexts } from './texts.js';

/** A connection that comes back within this time is not worth a word. */
const PATIENCE_MS = 1_200;

/** Says when the page is cut off from the server, or open elsewhere. */
export function LineNotice({ line }: { readonly line: LineState | 'none' }) {
  const texts = useTexts();
  const offline = useOffline();
  const broken = line === 'waiting' || line === 'connecting';
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!broken) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [broken]);
  const words = offline
    ? texts.lineOffline
    : line === 'replaced'
      ? texts.lineReplaced
      : broken && late
        ? texts.lineWaiting
        : null;
  return (
    <div class="line-place" role="status">
      {words && (
        <p class="line">
          {broken && !offline ? <span class="spinner" /> : <Icon name={offline ? 'offline' : 'alert'} />}
          {words}
        </p>
      )}
    </div>
  );
}

function useOffline(): boolean {
  const [offline, setOffline] = useState(!navigator.onLine);
  useEffect(() => {
    const look = (): void => setOffline(!navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return offline;
}
