/**
 * Lets runs begin one at a time, each in a round of its own of the event loop. Most of a turn never waits for anything
 * outside the process, so that turns which arrive together would keep every request, answer and timer waiting until all
 * of them were done.
 * @returns resolves when it is the caller's turn to begin
 */
export function createTurnstile(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(admit);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(admit);
    });
}
