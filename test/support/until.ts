import { setTimeout as sleep } from 'node:timers/promises';

/** A net for what never comes, not a bar: on a machine under load everything takes its time. */
const NET_MS = 560_000;
/** What takes seconds is looked at less often than what takes a moment: a look takes the processor from what it waits for. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, LONGER] = [10, 200, 1.1];

/**
 * Looks again until there is something: neither `undefined` nor `null` nor `false`.
 * @param what is waited for, for the message
 * @throws after nearly ten minutes, shortly before the test itself would end
 */
export async function until<T>(
  look: () => T | Promise<T>,
  what = 'what was waited for',
): Promise<Exclude<T, undefined | null | false>> {
  const late = AbortSignal.timeout(NET_MS);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * LONGER, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false)
      return found as Exclude<T, undefined | null | false>;
    if (late.aborted) throw new Error(`did not come within ${NET_MS / 1_000} s: ${what}`);
    await sleep(pause);
  }
}

/** Lets whatever can run do so that many times: what would happen by itself has happened then, at any speed. */
export async function letOthersRun(turns = 50): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
