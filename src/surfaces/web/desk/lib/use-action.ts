import { useRef, useState } from 'preact/hooks';
import { newId } from '../../shared/clock.js';
import { type ApiError, asApiError } from '../../shared/problem.js';

/** Something an operator does: once at a time, and once in all where the answer was lost on the way. */
export interface Action<Input> {
  readonly busy: boolean;
  readonly error: ApiError | null;
  /** @returns true where it worked */
  run(input: Input): Promise<boolean>;
  clear(): void;
}

/**
 * @param perform gets a key that stays the same while the same input is tried again after a fault of the line
 * @param after called when it worked or was refused, with the error or null
 */
export function useAction<Input>(
  perform: (input: Input, key: string) => Promise<unknown>,
  after?: (error: ApiError | null) => void,
): Action<Input> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const attempt = useRef({ text: '', key: '' });
  const running = useRef(false);

  async function run(input: Input): Promise<boolean> {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(null);
    const text = JSON.stringify(input) ?? '';
    if (attempt.current.text !== text || attempt.current.key === '') attempt.current = { text, key: newId() };
    let failure: ApiError | null = null;
    try {
      await perform(input, attempt.current.key);
    } catch (thrown) {
      failure = asApiError(thrown);
    }
    // Only a request that may or may not have arrived is sent under the same key again.
    if (failure === null || !failure.passing) attempt.current = { text: '', key: '' };
    running.current = false;
    setBusy(false);
    setError(failure);
    after?.(failure);
    return failure === null;
  }

  return { busy, error, run, clear: () => setError(null) };
}
