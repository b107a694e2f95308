/** The part of autocannon's interface that is used; it ships no types. */
declare module 'autocannon' {
  interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly setupRequest?: (request: Request) => Request;
  }
  interface Client {
    setRequests(requests: readonly Request[]): void;
    on(event: 'response', listener: (status: number, bytes: number, ms: number) => void): void;
  }
  interface Figures {
    readonly average: number;
    readonly p50: number;
    readonly p99: number;
    readonly total: number;
  }
  interface Result {
    readonly requests: Figures;
    readonly latency: Figures;
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
    readonly duration: number;
  }
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests of all connections together, instead of a duration. */
    readonly amount?: number;
    readonly timeout?: number;
    readonly setupClient?: (client: Client) => void;
  }
  const autocannon: (options: Options) => Promise<Result>;
  export = autocannon;
}
