/** Work that is done again and again. */
export interface RepeatedTask {
  /** The same on every server. */
  readonly name: string;
  /** How long after the end of one time the next one begins, in milliseconds. */
  readonly everyMs: number;
  /** True where the first time is now. */
  readonly now?: boolean;
  work(): Promise<unknown>;
}

/** Work that is being repeated. */
export interface Repeated {
  /** There is something to do before its time. Resolves when it was tried, or when the other servers were told; never throws. */
  soon(): Promise<void>;
  /** Ends it, and waits for what is in work. */
  stop(): Promise<void>;
}

/** How many jobs of a queue wait, and how many are in work. */
export interface QueueDepth {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
}

/** Jobs that any server or worker does, each given as text and answered with text. */
export interface SharedJobs {
  /**
   * Has a job done by whoever is free. A worker that dies over it loses nothing: another one begins it anew, and of several
   * answers one is taken.
   * @throws HubError `internal` where it has failed again and again, `cancelled` once the queue is closed
   */
  give(queue: string, job: string): Promise<string>;
  /** Does jobs from now on, so many at once. What the work throws is tried again elsewhere. The function ends it. */
  help(queue: string, atOnce: number, work: (job: string) => Promise<string>): () => Promise<void>;
}

/** Work that need not answer at once; nothing that a customer waits for. */
export interface BackgroundWork {
  /** Repeats it until it is stopped or the work closes, never twice at the same time. A failure is logged, and it goes on. */
  every(task: RepeatedTask): Repeated;
  /** Of several machines; null where this process is alone. */
  readonly jobs: SharedJobs | null;
  depth(): Promise<readonly QueueDepth[]>;
  /** Takes nothing up any more, and waits a moment for what is in work; the rest is given back. */
  close(): Promise<void>;
}
