import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '../core/ports/system.js';

/** Crockford's base 32 without i, l, o and u: nothing to misread when an operator types an id. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits. */
const LENGTH = 16;
/** 130 bits. */
const UNGUESSABLE_LENGTH = 26;

/** Random ids, e.g. `tkt_7k3m9q2x4v6t1c8e`; no two processes need to know of each other. */
export function createRandomIds(): Ids {
  return {
    next: (prefix) => `${prefix}_${letters(LENGTH)}`,
    unguessable: (prefix) => `${prefix}_${letters(UNGUESSABLE_LENGTH)}`,
  };
}

function letters(count: number): string {
  return Array.from(randomBytes(count), (byte) => ALPHABET[byte & 31]).join('');
}

/** The time of the machine. */
export function createSystemClock(): Clock {
  return { now: () => new Date() };
}
