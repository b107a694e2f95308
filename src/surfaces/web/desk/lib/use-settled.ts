import { useEffect, useState } from 'preact/hooks';

const SETTLE_MS = 250;

/** A text that is being typed, once it has stood still for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
