import { z } from 'zod';
import { HubError } from '../../core/errors.js';
import type { SourceSpec } from '../../core/ports/data-source.js';
import { fetchText, TransientFault } from './fetch-text.js';
import { addressOf, DEFAULT_TIMEOUT_MS, misconfigured, type Secret, settingOf } from './settings.js';

/** Access tokens of a source, fetched with its client credentials and kept until shortly before they end. */
interface OauthTokens {
  /** @throws TransientFault; HubError `source_rejected` where the credentials are refused, `source_bad_answer` */
  get(signal: AbortSignal): Promise<string>;
  /** A token that is not taken any more is not given again. @returns false where it was fetched just now */
  forget(): boolean;
}

const answerSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
});
/** Milliseconds that a token is kept where the server says nothing, and before its end from which on another is fetched. */
const USUAL_MS = 300_000;
const MARGIN_MS = 30_000;
const MAX_BYTES = 100_000;

/** Makes those of a source with `auth: oauth2`. @throws HubError `source_misconfigured` */
export function createOauthTokens(spec: SourceSpec, secret: Secret): OauthTokens {
  const { url } = addressOf(spec, 'token_url', secret);
  const client = settingOf(spec, 'credentials', secret);
  if (!client.includes(':'))
    throw misconfigured(spec, 'has auth: oauth2, whose credentials are client:secret');
  let kept: { readonly token: string; readonly until: number; used: boolean } | null = null;
  let fetching: Promise<string> | null = null;
  const fetched = async (signal: AbortSignal): Promise<string> => {
    const form = {
      grant_type: 'client_credentials',
      ...(spec.scope === undefined ? {} : { scope: spec.scope }),
    };
    const { status, text } = await fetchText({
      ...{ source: spec.name, url, method: 'POST', maxBytes: MAX_BYTES, signal },
      timeoutMs: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(basicOf(client)).toString('base64')}`,
      },
      body: new URLSearchParams(form).toString(),
    });
    if (status >= 500 || status === 429) throw new TransientFault(`its token server answers HTTP ${status}`);
    if (status !== 200)
      throw new HubError('source_rejected', `${spec.name} gives no token (HTTP ${status}).`, {
        ...{ source: spec.name, status },
      });
    const answer = answerSchema.safeParse(parsed(text));
    if (!answer.success)
      throw new HubError('source_bad_answer', `The token server of ${spec.name} answers with no token.`, {
        source: spec.name,
      });
    const { access_token: token, expires_in: seconds } = answer.data;
    const lasts = seconds === undefined ? USUAL_MS : seconds * 1_000;
    kept = { token, until: performance.now() + Math.max(0, lasts - MARGIN_MS), used: false };
    return token;
  };
  return {
    async get(signal) {
      if (kept !== null && performance.now() < kept.until) {
        kept.used = true;
        return kept.token;
      }
      fetching ??= fetched(signal).finally(() => {
        fetching = null;
      });
      return await fetching;
    },
    forget() {
      const wasUsed = kept?.used ?? false;
      kept = null;
      return wasUsed;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Both parts encoded, as RFC 6749 (2.3.1) asks. */
function basicOf(client: string): string {
  const at = client.indexOf(':');
  return `${encodeURIComponent(client.slice(0, at))}:${encodeURIComponent(client.slice(at + 1))}`;
}
