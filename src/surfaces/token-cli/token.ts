import { SCOPES, type Scope } from '../../core/domain/access.js';
import { HubError } from '../../core/errors.js';
import type { ProgramToken, Sessions } from '../../core/sessions.js';
import { type CliIo, EXIT } from '../command.js';
import { operatorOf } from '../desk-cli/desk.js';

/** What a token command works with. */
export interface TokenContext {
  readonly sessions: Pick<Sessions, 'issueFor'>;
  readonly io: Pick<CliIo, 'out' | 'err'>;
}

export interface TokenOptions {
  /** The customer's address. */
  readonly as?: string;
  /** The operator's name, instead of a customer. */
  readonly operator?: string;
  readonly scope?: readonly Scope[];
  readonly days?: number;
  readonly minutes?: number;
  readonly json?: boolean;
}

const MINUTES_A_DAY = 24 * 60;

/**
 * Reads one `--scope`, which may name several; for commander.
 * @throws HubError `usage` for a name the hub does not know
 */
export function scopeOption(text: string, earlier: readonly Scope[] = []): readonly Scope[] {
  const names = text.split(/[\s,]+/).filter(Boolean);
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined || names.length === 0)
    throw new HubError(
      'usage',
      `--scope is ${JSON.stringify(unknown ?? text)}; allowed: ${SCOPES.join(', ')}`,
    );
  return [...new Set([...earlier, ...(names as Scope[])])];
}

/**
 * Makes a token for another program. Standard output gets the token alone, so that it can go into a variable.
 * @throws HubError `usage`, `customer_unknown`
 */
export async function makeToken({ sessions, io }: TokenContext, options: TokenOptions): Promise<number> {
  const who = holderOf(options);
  const minutes = lasting(options);
  if (options.scope === undefined)
    throw new HubError('usage', `Say what the program may do: --scope ${SCOPES.join(' --scope ')}`);
  const made = await sessions.issueFor(who, {
    scopes: options.scope,
    ...(minutes === undefined ? {} : { minutes }),
  });
  io.out.write(options.json === true ? `${JSON.stringify(asJson(made))}\n` : `${made.token}\n`);
  io.err.write(
    `Speaks for the ${made.role} with ${made.scopes.join(', ')}, until ${made.expiresAt}. It cannot be called back: keep it safe.\n`,
  );
  return EXIT.done;
}

function holderOf({ as, operator }: TokenOptions): Parameters<Sessions['issueFor']>[0] {
  if ((as === undefined) === (operator === undefined))
    throw new HubError('usage', 'Say in whose name: --as EMAIL for a customer, or --operator NAME');
  return operator === undefined
    ? { email: as ?? '' }
    : { operator: operatorOf({ as: operator }, '--operator') };
}

function lasting({ days, minutes }: TokenOptions): number | undefined {
  if (days !== undefined && minutes !== undefined)
    throw new HubError('usage', 'Say how long it lasts once: --days or --minutes');
  return days === undefined ? minutes : days * MINUTES_A_DAY;
}

function asJson({ token, role, scopes, expiresAt }: ProgramToken) {
  return { token, role, scopes, expires_at: expiresAt };
}
