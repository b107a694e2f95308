import { randomBytes } from 'node:crypto';
import type { Ids } from '../core/ports/ids.js';

/** Crockford's base 32 without i, l, o and u: nothing to misread when an operator types an id. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

/** Ids of 80 random bits, e.g. `tkt_7k3m9q2x4v6t1c8e`; no two processes need to know of each other. */
export function createRandomIds(): Ids {
  return {
    next(prefix) {
      let id = '';
      for (const byte of randomBytes(LENGTH)) id += ALPHABET[byte & 31];
      return `${prefix}_${id}`;
    },
  };
}
