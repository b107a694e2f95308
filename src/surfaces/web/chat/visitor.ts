import { deviceStorage, tabStorage } from '../shared/store.js';

const KEY = 'hub.token.visitor';

/**
 * The token of who has not signed in. The device keeps it, so that a second tab or a later day finds what was said; each
 * tab keeps its own too, so that two which began at once do not lose each other's.
 */
interface VisitorToken {
  /** Null before the first question. */
  get(): string | null;
  set(token: string): void;
  forget(): void;
}

/** The visitor of this browser. */
export const visitorToken: VisitorToken = {
  get() {
    const own = tabStorage.get(KEY) ?? deviceStorage.get(KEY);
    if (own !== null) tabStorage.set(KEY, own);
    return own;
  },
  set(token) {
    tabStorage.set(KEY, token);
    deviceStorage.set(KEY, token);
  },
  forget() {
    if (deviceStorage.get(KEY) === tabStorage.get(KEY)) deviceStorage.set(KEY, null);
    tabStorage.set(KEY, null);
  },
};
