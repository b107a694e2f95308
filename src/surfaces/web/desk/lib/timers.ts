import { useEffect, useState } from 'preact/hooks';
import { now } from '../../shared/clock.js';

const STEP_MS = 20_000;

/** The time, renewed often enough for what is counted in minutes. */
export function useNow(): Date {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return at;
}

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
