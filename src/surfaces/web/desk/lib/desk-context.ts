import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PublicConfig, Session, Ticket } from '../../shared/api-types.js';
import { fill } from '../../shared/message.js';
import type { ApiError } from '../../shared/problem.js';
import type { Texts } from '../texts.js';
import type { DeskApi } from './desk-api.js';
import type { Live } from './live.js';
import type { Reads } from './reads.js';

/** What every part of the desk may use once somebody is signed in. */
export interface Desk {
  readonly api: DeskApi;
  readonly live: Live;
  readonly reads: Reads;
  readonly me: NonNullable<Ticket['operator']>;
  readonly config: PublicConfig;
}

export const DeskContext = createContext<Desk | null>(null);

/** The desk of the operator who is signed in. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('The desk is used before anybody has signed in.');
  return desk;
}

/** Who is signed in: the subject of the token, since the queue names operators by it. */
export function operatorOf(
  token: string | null,
  info: Session & { readonly operator_id?: string },
): NonNullable<Ticket['operator']> {
  return { id: info.operator_id ?? subjectOf(token) ?? '', name: info.name };
}

function subjectOf(token: string | null): string | null {
  try {
    const payload = (token ?? '').split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { sub } = JSON.parse(new TextDecoder().decode(bytes)) as { sub?: unknown };
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

/** An error of the API in words for an operator; what the server says itself where the code is not known. */
export function errorText(error: ApiError, texts: Texts): string {
  const { errors } = texts;
  if (error.code === 'already_claimed')
    return fill(errors.already_claimed, { name: error.operator ?? errors.somebody });
  if (error.code === 'pending_decided' && error.operator !== null)
    return fill(errors.decided_by, { name: error.operator, how: error.decision ?? 'approved' });
  if (error.code === 'rate_limited')
    return fill(errors.rate_limited, { seconds: Math.max(1, error.retryAfter ?? 1) });
  const known = Object.hasOwn(errors, error.code) ? errors[error.code as keyof typeof errors] : undefined;
  const details = error.fields.map(({ message }) => message).join(' ');
  if (typeof known === 'string') return details === '' ? known : `${known} ${details}`;
  return details === '' ? error.message : `${error.message} ${details}`;
}
