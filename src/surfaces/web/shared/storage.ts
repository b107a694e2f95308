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
