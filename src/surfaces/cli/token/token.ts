import { SCOPES, type Scope } from '../../../core/domain/customer.js';
import { snaked } from '../../../core/domain/json.js';
import { HubError } from '../../../core/errors.js';
import type { ProgramTokenRecord, Sessions } from '../../../core/ports/sign-in.js';
import { type CliIo, type CommandHost, EXIT, withPart } from '../../command.js';
import { operatorOf } from '../desk/desk.js';

/** What a token command works with. */
interface TokenContext {
  readonly tokens: Pick<Sessions, 'issueFor' | 'programTokens' | 'revokeToken'> & {
    /** Makes a new signing key; `now` drops the earlier ones. */
    rotate(now: boolean): { readonly keyId: string; readonly until: string | null };
  };
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
export async function makeToken({ tokens, io }: TokenContext, options: TokenOptions): Promise<number> {
  const who = tokenOwnerOf(options);
  const minutes = lasting(options);
  if (options.scope === undefined)
    throw new HubError('usage', `Say what the program may do: --scope ${SCOPES.join(' --scope ')}`);
  const made = await tokens.issueFor(who, {
    scopes: options.scope,
    ...(minutes === undefined ? {} : { minutes }),
  });
  io.out.write(options.json === true ? `${JSON.stringify(snaked(made))}\n` : `${made.token}\n`);
  io.err.write(
    `Speaks for the ${made.role} with ${made.scopes.join(', ')}, until ${made.expiresAt}. To revoke it: npm run token -- revoke ${made.tokenId}\n`,
  );
  return EXIT.done;
}

/** Lists the tokens of programs that have not ended, never the tokens themselves. */
export async function listTokens(
  { tokens, io }: TokenContext,
  options: Pick<TokenOptions, 'json'>,
): Promise<number> {
  const records = await tokens.programTokens();
  if (options.json === true) io.out.write(`${JSON.stringify(records.map(asRecordJson))}\n`);
  else for (const record of records) io.out.write(`${lineOf(record)}\n`);
  if (records.length === 0) io.err.write('There are no tokens of programs that have not ended.\n');
  return EXIT.done;
}

/** Revokes one of them; a running server refuses it at once and ends its streams. @throws HubError `not_found` */
export async function revokeToken({ tokens, io }: TokenContext, tokenId: string): Promise<number> {
  await tokens.revokeToken(tokenId);
  io.err.write(`${tokenId} is revoked.\n`);
  return EXIT.done;
}

/** Makes a new signing key. Standard output gets its id. @throws HubError `usage`, `data_dir_unusable` */
export async function rotateKey({ tokens, io }: TokenContext, options: { now?: boolean }): Promise<number> {
  const { keyId, until } = tokens.rotate(options.now === true);
  io.out.write(`${keyId}\n`);
  io.err.write(
    until === null
      ? 'The new key signs from now on. Everything that was signed before is refused: everybody signs in again.\n'
      : `The new key signs from now on. What was signed before is taken until it ends, at the latest on ${until}.\n`,
  );
  return EXIT.done;
}

function lineOf({ tokenId, holder, scopes, ...times }: ProgramTokenRecord): string {
  const used = times.lastUsedAt === null ? 'never used' : `last used ${times.lastUsedAt}`;
  const state = times.revokedAt === null ? '' : `  REVOKED ${times.revokedAt}`;
  return `${tokenId}  ${holder.role} ${holder.id}  ${scopes.join(',')}  made ${times.createdAt}  ends ${times.expiresAt}  ${used}${state}`;
}

function asRecordJson({ tokenId, holder, scopes, ...times }: ProgramTokenRecord) {
  return { token_id: tokenId, role: holder.role, holder: holder.id, scopes, ...snaked(times) };
}

function tokenOwnerOf({ as, operator }: TokenOptions): Parameters<Sessions['issueFor']>[0] {
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

/** The frame of the token command. @param host what the command runs in */
export function withTokens(
  host: CommandHost,
  work: (context: TokenContext) => Promise<number>,
): Promise<void> {
  return withPart(
    host,
    async (config) => (await import('../../../app/access.js')).openTokens(config),
    (tokens, io) => work({ tokens, io }),
  );
}
