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

/** Text kept by the browser. Where that is forbidden (a frame of another site), it lives as long as the page. */
interface KeptText {
  get(key: string): string | null;
  set(key: string, value: string | null): void;
  /** Forgets every key that begins so. */
  clear(prefix: string): void;
}

function keep(open: () => Storage): KeptText {
  const memory = new Map<string, string>();
  return {
    get(key) {
      try {
        return open().getItem(key);
      } catch {
        return memory.get(key) ?? null;
      }
    },
    set(key, value) {
      try {
        if (value === null) open().removeItem(key);
        else open().setItem(key, value);
      } catch {
        if (value === null) memory.delete(key);
        else memory.set(key, value);
      }
    },
    clear(prefix) {
      try {
        const storage = open();
        for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
      } catch {
        for (const key of [...memory.keys()]) if (key.startsWith(prefix)) memory.delete(key);
      }
    },
  };
}

/** As long as the tab. */
export const tabStorage = keep(() => sessionStorage);
/** For good. */
export const deviceStorage = keep(() => localStorage);
