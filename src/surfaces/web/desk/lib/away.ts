import { now } from '../../shared/clock.js';
import { onScreen } from '../../shared/notices.js';
import { createStore, type Store } from '../../shared/store.js';

/** Who looked elsewhere for so long has been away. */
const AWAY_MS = 10 * 60_000;

/** Since when this operator was not at the desk, until they have read what happened meanwhile; null where they were. ISO 8601. */
export const awaySince: Store<string | null> = createStore<string | null>(null);

let hiddenAt: Date | null = null;
// A page that nobody sees says all the same that it is there.
onScreen.subscribe((visible) => {
  if (!visible) hiddenAt = now();
  else if (hiddenAt !== null && now().getTime() - hiddenAt.getTime() > AWAY_MS)
    cameBack(hiddenAt.toISOString());
});

/** Takes in since when the operator was away; of two times the earlier one counts. */
export function cameBack(since: string | null): void {
  if (since !== null) awaySince.update((before) => (before !== null && before < since ? before : since));
}
