import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that components follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Replaces the value by what is made from it. */
  update(change: (value: T) => T): void;
  /** @returns ends it */
  subscribe(listener: (value: T) => void): () => void;
}

/** Makes a store. Setting the same value tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<(value: T) => void>();
  const set = (value: T): void => {
    if (Object.is(value, current)) return;
    current = value;
    for (const listener of [...listeners]) listener(value);
  };
  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The store's value; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(() => store.get());
  // Before the page is painted: what is set as soon as it is seen is shown.
  useLayoutEffect(() => {
    setValue(() => store.get());
    return store.subscribe((next) => setValue(() => next));
  }, [store]);
  return value;
}
