/** One thing to tell an address that somebody outside has named. */
export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/**
 * Tells addresses that strangers have named, without letting them reach what only the hub can: never an address of the
 * internal network, also where a name is resolved anew, and never where a redirect leads.
 */
export interface Webhooks {
  /** @throws HubError `input_invalid` for what is no address that is ever told anything */
  check(url: string): void;
  /**
   * @returns the HTTP status of the answer; its body is not read
   * @throws HubError `input_invalid`, `remote_forbidden_address`, `remote_unreachable`
   */
  post(call: WebhookCall): Promise<number>;
}
