import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { CustomerScope, SourceRows } from '../../core/ports/data-source.js';

const PROGRAM = fileURLToPath(new URL('./sqlite-process.mjs', import.meta.url));

/** What a process opens before it runs a statement; it keeps it open under the key. */
export type SqliteTarget =
  /** A file, whole. */
  | { readonly path: string }
  /** A file as one customer sees it. */
  | { readonly path: string; readonly scope: CustomerScope; readonly customerId: string }
  /** A database in memory, made by scripts; `schemas` are further names tables may be qualified with. */
  | { readonly script: readonly string[]; readonly schemas: readonly string[]; readonly now?: string };

/** One statement for a process. */
export interface SqliteStatement {
  /** The name of the source, for messages. */
  readonly source: string;
  /** Same target, same key. */
  readonly key: string;
  readonly open: SqliteTarget;
  /** With `?` for each value. */
  readonly sql: string;
  readonly values: readonly JsonValue[];
  readonly maxRows: number;
  readonly maxBytes?: number;
}

interface Reply {
  readonly id: number;
  readonly rows?: readonly JsonObject[];
  readonly truncated?: boolean;
  readonly error?: { readonly code: 'rejected' | 'unavailable' | 'bad'; readonly message: string };
}

const CODES = {
  rejected: 'source_rejected',
  unavailable: 'source_unavailable',
  bad: 'source_bad_answer',
} as const;

/** One process that answers SQL, one statement at a time. */
export class SqliteProcess {
  readonly #child: ChildProcess;
  #ended = false;
  #next = 1;
  #settle: { readonly id: number; resolve(reply: Reply): void; reject(error: Error): void } | null = null;

  /** Starts it; it can be asked at once. It does not keep the hub from ending. */
  constructor() {
    // No environment and no loaders of ours: it reads files that it is told and nothing else.
    this.#child = fork(PROGRAM, [], { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#child.on('message', (reply) => this.#receive(reply as Reply));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('exit', () => this.#fail(new Error('the process ended')));
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** False once it has ended; then it takes no statement. */
  get alive(): boolean {
    return !this.#ended;
  }

  /**
   * Runs one statement to its end. A process that was killed meanwhile throws.
   * @throws HubError `source_rejected`, `source_unavailable`, `source_bad_answer`
   */
  async run(statement: SqliteStatement): Promise<SourceRows> {
    const id = this.#next++;
    const { source, ...message } = statement;
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.#settle = { id, resolve, reject };
        if (this.#ended) reject(new Error('the process ended'));
        else this.#child.send({ id, ...message }, (error) => error !== null && reject(error));
      });
      if (reply.error !== undefined) {
        const { code, message: why } = reply.error;
        throw new HubError(CODES[code], `${source}: ${why}.`, { source });
      }
      return { rows: reply.rows ?? [], truncated: reply.truncated === true };
    } catch (error) {
      if (error instanceof HubError) throw error;
      throw new HubError(
        'source_unavailable',
        `${source}: the database process ended before it answered.`,
        { source },
        { cause: error },
      );
    } finally {
      this.#settle = null;
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  /** Ends it at once; it only reads, so nothing is lost. */
  kill(): void {
    this.#ended = true;
    this.#child.kill('SIGKILL');
  }

  #receive(reply: Reply): void {
    if (this.#settle?.id === reply.id) this.#settle.resolve(reply);
  }

  #fail(error: Error): void {
    this.#ended = true;
    this.#settle?.reject(error);
  }
}
