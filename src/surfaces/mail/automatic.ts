import type { ReceivedMail } from '../../core/ports/mailbox.js';
import { tokenIn } from './reply-address.js';

const MACHINES =
  /^(?:mailer-daemon|postmaster|(?:do-?|n[aã]o-?)?no-?(?:reply|responda)|nao-?responda|bounces?)(?:[+.-]|@)/;
const BULK = /^(?:bulk|junk|list|auto_reply)\b/i;

/**
 * Why a mail is not one that a person wrote to the hub, so that it is never answered: two machines that answer each other do
 * not stop. Null where a person did, as far as headers tell (RFC 3834).
 * @param own the hub's address
 */
export function automatic({ headers, from }: ReceivedMail, own: string): string | null {
  const values = (name: string): readonly string[] =>
    headers.filter((header) => header.name === name).map(({ value }) => value.trim());
  const submitted = values('auto-submitted').some((value) => !/^no\b/i.test(value));
  if (submitted || values('x-autoreply').length > 0 || values('x-autorespond').length > 0) return 'automatic';
  if (values('precedence').some((value) => BULK.test(value))) return 'bulk';
  if (values('list-id').length > 0 || values('list-unsubscribe').length > 0) return 'list';
  if (values('x-loop').some((value) => value.toLowerCase().includes(own))) return 'loop';
  if (values('return-path').some((value) => /^<\s*>$/.test(value))) return 'automatic';
  if (from === own || (from !== null && tokenIn(from, own) !== null)) return 'loop';
  return from !== null && MACHINES.test(from) ? 'automatic' : null;
}
