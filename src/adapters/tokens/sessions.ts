import { createHash } from 'node:crypto';
import { type Customer, type Operator, parseScopes, SCOPES, type Scope } from '../../core/domain/customer.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import type { Sentences, Texts } from '../../core/i18n/index.js';
import type {
  Clock,
  Customers,
  Ids,
  Log,
  Mail,
  Mailer,
  MemoryStore,
  Principal,
  ProgramTokens,
  SessionTokens,
  SignInCodes,
} from '../../core/ports/index.js';
import { CODE_MINUTES, MAX_TOKEN_MINUTES, type Sessions, VISITOR_MINUTES } from '../../core/ports/sign-in.js';
import { fold } from '../../core/text.js';

interface Wording {
  readonly texts: Texts;
  /** Which language of a mail in several comes first. */
  readonly locale: Language;
}

/** The mail with a one-time code, in every language: nothing is looked up about who asked. */
function codeMail(wording: Wording, to: string, code: string): Mail {
  return inAll(wording, to, 'sign_in_code.subject', (texts) =>
    texts.say('sign_in_code.text', { code, minutes: CODE_MINUTES }),
  );
}

/**
 * The mail about wrong codes.
 * @param language the customer's; null where it is not known, then in every language
 */
function attemptsMail(wording: Wording, to: string, language: Language | null): Mail {
  const known =
    language === null ? wording : { texts: { ...wording.texts, languages: [language] }, locale: language };
  return inAll(known, to, 'sign_in_attempts.subject', (texts) => texts.say('sign_in_attempts.text'));
}

function inAll(
  { texts, locale }: Wording,
  to: string,
  subject: 'sign_in_code.subject' | 'sign_in_attempts.subject',
  write: (texts: Sentences) => string,
): Mail {
  const others = texts.languages.filter((language) => language !== locale);
  const all = [locale, ...others].map((language) => texts.for(language));
  return {
    to,
    subject: all.map((one) => one.say(subject)).join(' / '),
    text: `${all.map(write).join('\n\n')}\n`,
  };
}

export interface SessionsDeps {
  readonly customers: Pick<Customers, 'get' | 'findByEmail' | 'ofClaims' | 'keepClaims'>;
  readonly tokens: SessionTokens;
  readonly programTokens: ProgramTokens;
  readonly codes: SignInCodes;
  /** Knows the customer's language. */
  readonly memory: Pick<MemoryStore, 'recall'>;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'unguessable'>;
  readonly log: Log;
  /** True where anybody may sign in. */
  readonly demo: boolean;
  readonly texts: Texts;
  /** Which language of a mail comes first. */
  readonly locale: Language;
  /** True of a customer whose data was removed. */
  readonly isErased: (customerId: string) => Promise<boolean>;
}

/** Signing in, and who a token speaks for. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { tokens, programTokens, codes, clock, log } = deps;

  const find = async (email: string): Promise<Customer | null> => {
    const user = await deps.customers.findByEmail(email);
    return user === null || (await deps.isErased(user.customerId)) ? null : user;
  };
  /** A code is for an address: told by a name a customer would be another one to guess at with each way of writing it. */
  const byAddress = async (email: string): Promise<Customer | null> =>
    email.includes('@') ? find(email) : null;
  /** Whom the company's own token names: by its claims alone where these say it, else by the address in it. */
  const named = async ({
    claims,
    email,
  }: Pick<Extract<Principal, { role: 'customer' }>, 'claims' | 'email'>): Promise<Customer | null> => {
    if (claims === undefined || !deps.customers.ofClaims) return email === null ? null : find(email);
    const user = await deps.customers.ofClaims(claims);
    if (user === null || (await deps.isErased(user.customerId))) return null;
    await deps.customers.keepClaims?.(claims);
    return user;
  };
  const known = async (email: string, customerId?: string): Promise<Customer> => {
    const user = await find(email);
    if (user !== null && (customerId ?? user.customerId) === user.customerId) return user;
    throw new HubError('customer_unknown', 'There is no customer with this address.');
  };
  const open = async (user: Customer) =>
    ({ role: 'customer', ...(await tokens.issue(customerAs(user))) }) as const;
  const failed = (error: unknown): void => log.error({ agent: 'sessions', action: 'mail_failed' }, error);
  const send = (mail: Mail): void => {
    // Not waited for: how long a mail server takes would tell which addresses are known.
    deps.mailer.send(mail).catch(failed);
  };
  /** Looks the customer up after the answer is on its way, for the same reason. */
  const warnOwner = (email: string): void => {
    const warn = async (): Promise<void> => {
      const user = await byAddress(email);
      if (user === null) return;
      const { preferredLanguage } = await deps.memory.recall(user.customerId, 0);
      send(attemptsMail(deps, user.email, preferredLanguage ?? user.language ?? null));
    };
    setImmediate(() => void warn().catch(failed));
  };

  return {
    demo: deps.demo,
    async openDemo(who) {
      if (!deps.demo) throw new HubError('forbidden', 'Signing in without a password is off here.');
      if ('operator' in who) {
        const operator = demoOperator(who.name);
        return { role: 'operator', ...(await tokens.issue({ role: 'operator', operator })) };
      }
      return open(await known(who.email));
    },
    async openVisitor() {
      const visitorId = deps.ids.unguessable('vis');
      return { role: 'visitor', ...(await tokens.issue({ role: 'visitor', visitorId }, VISITOR_MINUTES)) };
    },
    async requestCode(attempt) {
      const expiresAt = new Date(clock.now().getTime() + CODE_MINUTES * 60_000);
      // A code is made for any address, so that an unknown one takes as long and is held back as often.
      const [user, made] = [await byAddress(attempt.email), await codes.create(attempt, expiresAt)];
      if ('waitSeconds' in made)
        throw tooSoon('A code was sent a short while ago. Use that one, or ask again', made.waitSeconds);
      if (user !== null) send(codeMail(deps, user.email, made.code));
      log.info({ agent: 'sessions', action: 'code_requested', details: { known: user !== null } });
      return { challenge: made.challenge };
    },
    async useCode(guess) {
      const outcome = await codes.use(guess);
      if (outcome.kind === 'wait')
        throw tooSoon('There were too many wrong codes. Try again', outcome.seconds);
      if (outcome.kind === 'wrong' && outcome.notify) warnOwner(guess.email);
      const user = outcome.kind === 'right' ? await byAddress(guess.email) : null;
      if (user === null) throw new HubError('code_invalid', 'The code is wrong, used or too old.');
      return open(user);
    },
    async issueFor(who, { scopes, minutes }) {
      const asked = checkedScopes(scopes, minutes);
      const principal =
        'operator' in who
          ? operatorAs(who.operator)
          : customerAs(await known(who.email.trim(), who.customerId));
      const tokenId = await programTokens.nextId();
      const issued = await tokens.issue({ ...principal, scopes: asked, tokenId }, minutes);
      const { role } = principal;
      const id = role === 'operator' ? principal.operator.operatorId : principal.customerId;
      await programTokens.add({
        ...{ tokenId, scopes: asked, expiresAt: issued.expiresAt },
        holder: { role, id },
      });
      const details = { for: `${role}:${id}`, id: tokenId, scopes: asked, expires_at: issued.expiresAt };
      log.info({ agent: 'sessions', action: 'token_issued', details });
      return { role, scopes: asked, tokenId, ...issued };
    },
    programTokens: (holder) => programTokens.list(holder),
    async revokeToken(tokenId, holder) {
      if (!(await programTokens.revoke(tokenId, holder)))
        throw new HubError('not_found', 'There is no token with this id that could still be used.');
      log.info({ agent: 'sessions', action: 'token_revoked', details: { id: tokenId } });
    },
    revision: async () => `${tokens.revision()} ${await programTokens.revision()}`,
    async identify(token) {
      const principal = await tokens.verify(token);
      const { tokenId } = principal;
      if (tokenId !== undefined && !(await programTokens.use(tokenId)))
        throw new HubError('token_invalid', 'This token was revoked.');
      const expiresAt = principal.expiresAt ?? null;
      const scopes = principal.scopes ?? null;
      if (principal.role === 'operator')
        return { role: 'operator', operator: principal.operator, expiresAt, scopes };
      if (principal.role === 'visitor') {
        const identity = { kind: 'anonymous', visitorId: principal.visitorId } as const;
        return { role: 'visitor', identity, expiresAt, scopes };
      }
      const user = await named(principal);
      // Who is not found though the hub's own token names them is asked for by id too, which a system that answers nonsense
      // cannot: nobody is signed out because of a fault of it.
      if (user === null && principal.customerId !== undefined) await deps.customers.get(principal.customerId);
      if (user === null || (principal.customerId ?? user.customerId) !== user.customerId)
        throw new HubError('token_invalid', 'The session token is not valid. Sign in again.');
      const identity = { kind: 'customer', customerId: user.customerId, email: user.email } as const;
      return { role: 'customer', identity, name: user.name, expiresAt, scopes };
    },
  };
}

function customerAs({ email, customerId, name }: Customer) {
  return { role: 'customer', email, customerId, name } as const;
}

function operatorAs(operator: Operator) {
  return { role: 'operator', operator } as const;
}

/** The scopes in the order of the list, each once. @throws HubError `input_invalid` */
function checkedScopes(scopes: readonly Scope[], minutes: number | undefined): readonly Scope[] {
  const asked = parseScopes(scopes.join(' '));
  const wrong = (field: string, message: string) =>
    new HubError('input_invalid', message, { errors: [{ field, message }] });
  if (asked.length === 0) throw wrong('scopes', `Name at least one scope: ${SCOPES.join(', ')}.`);
  if (minutes !== undefined && (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_TOKEN_MINUTES))
    throw wrong('minutes', `A token lasts from 1 to ${MAX_TOKEN_MINUTES} minutes.`);
  return asked;
}

/** The same name is the same operator, so that a second tab finds its tickets. */
function demoOperator(name = 'Demo operator'): Operator {
  const shown = name.trim();
  const plain = fold(shown)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const short = /^[\x20-\x7e]+$/.test(shown)
    ? plain
    : `${plain}-${createHash('sha256').update(shown).digest('hex').slice(0, 8)}`;
  return { operatorId: `demo-${short}`.slice(0, 80), name: shown };
}

function tooSoon(message: string, seconds: number): HubError {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new HubError('rate_limited', `${message} in ${count} ${unit}${count === 1 ? '' : 's'}.`, {
    retryAfterSeconds: seconds,
  });
}
