import { HubError } from '../core/errors.js';
import type { Environment } from './variables.js';

/** Everything that the server alone decides by. */
export interface ServerConfig {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Undefined: made and kept in the data directory. */
  readonly authSecret: string | undefined;
  /** The one before it: signs nothing, and is still taken. */
  readonly previousAuthSecret: string | undefined;
  /** True where anybody may sign in as a seeded customer or as the demo operator. */
  readonly demo: boolean;
  readonly sessionMinutes: number;
  /** The company's own sign-in, whose tokens are taken too. */
  readonly companySignIn:
    | { readonly jwksUrl: string; readonly issuer: string | undefined; readonly audience: string }
    | undefined;
  /** Undefined: mail goes to the log. */
  readonly mail: MailConfig | undefined;
  /** 0 is no limit. */
  readonly turnsPerMinute: number;
  /** 0 is no limit. */
  readonly turnsPerMinutePerAddress: number;
  /** Origins of pages that may show the chat in a frame, besides the hub's own. */
  readonly embedOrigins: readonly string[];
  /** Origins whose scripts may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Hosts that links and images in answers may lead to. */
  readonly linkHosts: readonly string[];
  /** True where the last hop of `X-Forwarded-For` is the client's address. */
  readonly trustProxy: boolean;
  /** Undefined: anybody who reaches the port may read the metrics. */
  readonly metricsToken: string | undefined;
  /**
   * The address others reach the server at, without a slash at the end; what agent cards and metadata name. Undefined:
   * the one each request was sent to.
   */
  readonly publicUrl: string | undefined;
  /** Where LangGraph Studio's server is, which the desk puts threads into; undefined: nowhere. */
  readonly studioUrl: string | undefined;
  /** True where programs without a token may ask the agents what a visitor of the chat may. */
  readonly anonymousAgents: boolean;
  /** True where the chat answers general questions of who has not signed in. */
  readonly visitors: boolean;
  /** How long running turns may take to end when the server stops. */
  readonly stopSeconds: number;
}

/** Mail, out and in. */
export interface MailConfig {
  readonly smtpUrl: string;
  /** As written: `Support <support@example.com>`. */
  readonly from: string;
  /** The address in it, in lower case. */
  readonly address: string;
  /** How long a page may take to show an answer before it is sent by mail. */
  readonly unreadMs: number;
  /** The mailbox that is read; undefined: none. */
  readonly imapUrl: string | undefined;
  /** See Trust in src/surfaces/mail/sender.ts. */
  readonly authServer: string | undefined;
  readonly authHops: number;
}

/**
 * The server's part of the configuration.
 * @throws HubError `config_invalid` where variables contradict each other
 */
export function serverConfig(values: Environment): ServerConfig {
  const host = values.HUB_HOST ?? '127.0.0.1';
  const { HUB_PUBLIC_URL: publicUrl, HUB_TRUST_PROXY: trustProxy = false } = values;
  return {
    port: values.PORT ?? 3000,
    host,
    ...authSecrets(values),
    demo: values.HUB_DEMO ?? isThisMachineAlone({ host, publicUrl, trustProxy }),
    sessionMinutes: values.HUB_SESSION_MINUTES ?? 480,
    companySignIn: companySignIn(values),
    mail: mail(values),
    turnsPerMinute: values.HUB_TURNS_PER_MINUTE ?? 60,
    turnsPerMinutePerAddress: values.HUB_TURNS_PER_MINUTE_PER_ADDRESS ?? 600,
    embedOrigins: values.HUB_EMBED_ORIGINS ?? [],
    corsOrigins: values.HUB_CORS_ORIGINS ?? [],
    linkHosts: values.HUB_LINK_HOSTS ?? [],
    trustProxy,
    metricsToken: values.HUB_METRICS_TOKEN,
    publicUrl,
    studioUrl: values.HUB_STUDIO_URL,
    anonymousAgents: values.HUB_A2A_ANONYMOUS ?? true,
    visitors: values.HUB_CHAT_VISITORS ?? true,
    stopSeconds: values.HUB_STOP_SECONDS ?? 10,
  };
}

/**
 * True where whoever calls is on this machine, so that signing in without a password harms nobody. A public address, or
 * a proxy in front, lets others in.
 */
export function isThisMachineAlone({
  host,
  publicUrl,
  trustProxy,
}: Pick<ServerConfig, 'host' | 'publicUrl' | 'trustProxy'>): boolean {
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')))
    return false;
  return isLoopback(host) && !trustProxy;
}

/** True for the names and addresses of this machine that no other one reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function authSecrets({
  HUB_AUTH_SECRET: authSecret,
  HUB_AUTH_SECRET_PREVIOUS: previousAuthSecret,
}: Environment): Pick<ServerConfig, 'authSecret' | 'previousAuthSecret'> {
  if (previousAuthSecret !== undefined && authSecret === undefined)
    throw missing('HUB_AUTH_SECRET', 'HUB_AUTH_SECRET_PREVIOUS', 'the secret that signs from now on');
  return { authSecret, previousAuthSecret };
}

function companySignIn(values: Environment): ServerConfig['companySignIn'] {
  const { HUB_AUTH_JWKS_URL: jwksUrl, HUB_AUTH_AUDIENCE: audience, HUB_AUTH_ISSUER: issuer } = values;
  if (jwksUrl === undefined) return undefined;
  // Without it a token made for any other program of the company would open a session here.
  if (audience === undefined)
    throw missing('HUB_AUTH_AUDIENCE', 'HUB_AUTH_JWKS_URL', 'whom tokens are made for');
  return { jwksUrl, issuer, audience };
}

function mail(values: Environment): ServerConfig['mail'] {
  const { HUB_SMTP_URL: smtpUrl, HUB_MAIL_FROM: from, HUB_IMAP_URL: imapUrl } = values;
  if (smtpUrl === undefined) {
    if (imapUrl !== undefined) throw missing('HUB_SMTP_URL', 'HUB_IMAP_URL', 'where answers leave');
    return undefined;
  }
  if (from === undefined) throw missing('HUB_MAIL_FROM', 'HUB_SMTP_URL', 'a sender');
  const unreadMs = (values.HUB_MAIL_UNREAD_MINUTES ?? 5) * 60_000;
  return {
    ...{ smtpUrl, from, address: addressIn(from), unreadMs, imapUrl },
    authServer: values.HUB_MAIL_AUTH_SERVER,
    authHops: values.HUB_MAIL_AUTH_HOPS ?? 1,
  };
}

/** @throws HubError `config_invalid` where it holds no address that replies could go to */
function addressIn(from: string): string {
  const address = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase();
  if (/^[^\s@<>,;:"]{1,40}@[a-z0-9.-]{1,200}$/.test(address)) return address;
  throw new HubError(
    'config_invalid',
    'HUB_MAIL_FROM holds no address; allowed: a sender such as Support <support@example.com>',
    { variable: 'HUB_MAIL_FROM' },
  );
}

function missing(variable: string, because: string, allowed: string): HubError {
  return new HubError('config_invalid', `${variable} is not set, but ${because} is; allowed: ${allowed}`, {
    variable,
  });
}
