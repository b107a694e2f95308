import type { App } from '../core/app.js';
import type { Language, Route } from '../core/domain/taxonomy.js';
import type { TraceRecorder } from './trace.js';

/** A row of a table, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The company's database as it is at this moment. */
export interface EvalTables {
  /** @param customerId only what is this customer's, where given */
  rows(table: string, customerId?: string): readonly Row[];
}

/** A hub of its own for one conversation, on data that nobody else has. */
export interface EvalHub {
  readonly app: Pick<App, 'conversations' | 'signIn'>;
  readonly tables: EvalTables;
  close(): Promise<void>;
}

/** What is known of a tool. */
export interface ToolFacts {
  /** The agents that have it, and the routes that lead to them. */
  readonly agents: readonly string[];
  readonly routes: readonly Route[];
  /** True where it changes the customer's data. */
  readonly changes: boolean;
}

/** What a scenario may name. */
export interface EvalFacts {
  /** Name of the company's folder. */
  readonly company: string;
  readonly provider: string;
  readonly languages: readonly Language[];
  /** By table of the company's database. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly tools: Readonly<Record<string, ToolFacts>>;
  /** The tools that answer from articles. */
  readonly search: readonly ToolFacts[];
  /** Ids. */
  readonly articles: ReadonlySet<string>;
  /** E-mail addresses, in small letters. */
  readonly customers: ReadonlySet<string>;
}

/** One line of a conversation as a simulated customer sees it. */
export interface SpokenLine {
  readonly by: 'customer' | 'hub';
  readonly text: string;
}

/** What a simulated customer says next, told who they are and what was said. */
export type CustomerModel = (instruction: string, lines: readonly SpokenLine[]) => Promise<string>;

/** Where scenarios are played. */
export interface EvalWorld {
  readonly facts: EvalFacts;
  /** Null where there is no model to simulate customers with. */
  readonly customerModel: CustomerModel | null;
  /** A hub on a fresh copy of the seeded data, which tells the recorder what it does. */
  open(recorder: TraceRecorder): Promise<EvalHub>;
  close(): Promise<void>;
}
