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
