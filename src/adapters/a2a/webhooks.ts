import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { HubError } from '../../core/errors.js';
import type { WebhookCall, Webhooks } from '../../core/ports/webhooks.js';
import { addressFault, guardedLookup, literalAddress } from './public-address.js';

const MAX_URL_CHARS = 2_048;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Webhooks over HTTP.
 * @param allowLoopback true where the hub itself can only be reached from this machine, so that whoever calls it may be
 *   called back here
 */
export function createWebhooks({ allowLoopback }: { readonly allowLoopback: boolean }): Webhooks {
  const faultOf = (address: string): string | null => {
    if (allowLoopback && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return null;
    return addressFault(address, false);
  };
  const parse = (text: string): URL => {
    const url = text.length <= MAX_URL_CHARS && URL.canParse(text) ? new URL(text) : null;
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw refused('The webhook must be an absolute http or https URL.');
    if (url.username !== '' || url.password !== '')
      throw refused('The URL of the webhook must not carry a user name or password.');
    const literal = literalAddress(url.hostname);
    const named = /^(?:localhost|.+\.localhost)\.?$/i.test(url.hostname);
    const fault = literal === null ? null : faultOf(literal);
    if (fault !== null || (named && !allowLoopback))
      throw refused(`The webhook is not called: its address ${fault ?? 'is this machine'}.`);
    return url;
  };
  const lookup = guardedLookup(
    faultOf,
    (fault) =>
      new HubError(
        'remote_forbidden_address',
        `The webhook is not called: the address of its host ${fault}.`,
      ),
  );
  return {
    check: (url) => void parse(url),
    post: (call) => post(parse(call.url), call, lookup),
  };
}

function post(
  url: URL,
  { headers, body, timeoutMs, signal }: WebhookCall,
  lookup: LookupFunction,
): Promise<number> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done, fail) => {
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const over = (): void => clearTimeout(timer);
    const request: ClientRequest = send(
      url,
      // A connection of its own: one that is kept alive would not be checked again.
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        lookup,
        agent: false,
        ...(signal && { signal }),
      },
      (response) => {
        over();
        response.destroy();
        done(response.statusCode ?? 0);
      },
    );
    request.on('error', (error) => {
      over();
      fail(unreachable(error));
    });
    request.end(body);
  });
}

function unreachable(error: Error): HubError {
  if (error instanceof HubError) return error;
  return new HubError(
    'remote_unreachable',
    `The webhook cannot be reached: ${error.message}.`,
    {},
    { cause: error },
  );
}

function refused(message: string): HubError {
  return new HubError('input_invalid', message, { field: 'url' });
}
