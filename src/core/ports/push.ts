import type { Identity } from '../domain/customer.js';

/** Whose browser it is: a customer's, or that of a visitor of the chat. */
export type PushOwner = { readonly customerId: string } | { readonly visitorId: string };

/** A browser that is to be woken now. */
export interface DuePush {
  readonly endpoint: string;
  /** What an undelivered push of the same conversation is replaced by. */
  readonly threadId: string;
}

/** Browsers that are told of answers. Throws HubError `database_failed` or `disk_full` on a fault. */
export interface PushStore {
  /** The hub's private key to push services, as text: `made` is kept where there is none yet. */
  key(made: string): Promise<string>;
  /** A browser belongs to the one who signed in there last. Of many browsers of one owner the oldest is forgotten. */
  put(endpoint: string, owner: PushOwner): Promise<void>;
  /** Nothing happens where it is somebody else's. */
  remove(endpoint: string, owner: PushOwner): Promise<void>;
  /** The push service knows it no longer. */
  drop(endpoint: string): Promise<void>;
  /**
   * Takes up what was said to customers until `before` and is not read yet, each message once over all processes; what was
   * there before the first call, and what is older than `since`, wakes nobody.
   */
  due(before: Date, since: Date): Promise<readonly DuePush[]>;
}

/**
 * Web push: wakes the browser of a customer who has left, without a word of the conversation. What is lost in a crash is not
 * sent again, since mail and the chat itself bring the answer.
 */
export interface PushSupport {
  /** What a browser subscribes with: the public key of VAPID (RFC 8292), base64url. */
  publicKey(): Promise<string>;
  /** @throws HubError `input_invalid` for an endpoint that is never called, `forbidden` for a caller nobody can name */
  subscribe(identity: Identity, endpoint: string): Promise<void>;
  unsubscribe(identity: Identity, endpoint: string): Promise<void>;
  /** Wakes browsers from now on, until the App closes. */
  begin(): void;
  /** Wakes those that are due now. */
  deliver(): Promise<void>;
}
