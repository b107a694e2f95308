/** A map that nobody can change. */
export class FrozenMap<K, V> extends Map<K, V> {
  readonly #closed: boolean;

  constructor(entries: Iterable<readonly [K, V]>) {
    super();
    this.#closed = false;
    for (const [key, value] of entries) super.set(key, value);
    this.#closed = true;
  }

  override set(key: K, value: V): this {
    if (this.#closed) throw new TypeError('A pack cannot be changed.');
    return super.set(key, value);
  }

  override delete(): boolean {
    throw new TypeError('A pack cannot be changed.');
  }

  override clear(): void {
    throw new TypeError('A pack cannot be changed.');
  }
}

/** Freezes a value and all it holds, also the values of maps. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const inner: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const one of inner) deepFreeze(one);
  return value;
}
