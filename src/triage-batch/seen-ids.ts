import { hash } from 'node:crypto';

/**
 * A set of texts that answers only "was it there before", in 16 to 32 bytes each: 64 bits of a SHA-1 in an open
 * table. Two different texts among ten million are taken for the same with a probability of about 1 in 400,000.
 */
export class SeenIds {
  private table = new BigUint64Array(1024);
  private used = 0;

  get size(): number {
    return this.used;
  }

  /** @returns false where the text was added before */
  add(text: string): boolean {
    if (this.used * 2 >= this.table.length) this.grow();
    // Zero marks a free place.
    const key = hash('sha1', text, 'buffer').readBigUInt64LE() || 1n;
    const added = insert(this.table, key);
    if (added) this.used += 1;
    return added;
  }

  private grow(): void {
    const wider = new BigUint64Array(this.table.length * 2);
    for (const key of this.table) if (key !== 0n) insert(wider, key);
    this.table = wider;
  }
}

function insert(table: BigUint64Array, key: bigint): boolean {
  const mask = table.length - 1;
  let at = Number(key & 0xffffffffn) & mask;
  while (table[at] !== 0n) {
    if (table[at] === key) return false;
    at = (at + 1) & mask;
  }
  table[at] = key;
  return true;
}
