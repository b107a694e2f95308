import { readFileSync } from 'node:fs';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { App } from '../core/app.js';
import { ESCALATION_REASONS, type Language, type Route } from '../core/domain/taxonomy.js';
import type { TraceRecorder } from './trace.js';

const ID = /^[a-z0-9][a-z0-9_-]{0,79}$/;
const name = z.string().regex(ID, 'must be lower case with hyphens or underscores');
const text = z.union([z.string().min(1), z.number(), z.boolean()]).transform(String);
const texts = z.array(text).min(1);
/** Each must be there; of a list one is enough. */
const facts = z.array(z.union([text.transform((one) => [one]), texts])).min(1);
/** None may be there. */
const absent = z.array(z.union([text.transform((one) => [one]), texts])).transform((all) => all.flat());
const escalated = z.union([z.boolean(), z.enum(ESCALATION_REASONS)]);

const said = z.strictObject({
  contains: facts.optional(),
  lacks: absent.optional(),
  articles: texts.optional(),
  escalated: escalated.optional(),
  language: z.string().min(2).optional(),
});

const turnExpectation = said.extend({ asks: z.enum(['confirm', 'which', 'nothing']).optional() });

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const cell = z.union([scalar, z.strictObject({ contains: text })]);

/** Of what a table must hold. */
export const rowExpectation = z
  .strictObject({
    table: z.string().min(1),
    where: z.record(z.string(), cell).default({}),
    has: z.record(z.string(), cell).optional(),
    count: z.number().int().min(0).optional(),
    none: z.literal(true).optional(),
  })
  .refine(
    ({ has, count, none }) => [has, count, none].filter((one) => one !== undefined).length === 1,
    'needs exactly one of has, count and none',
  );

const tables = z.union([z.literal('all').transform((all): string[] => [all]), z.array(z.string()).min(1)]);

const endExpectation = said.extend({
  database: z.array(rowExpectation).optional(),
  unchanged: tables.optional(),
  tools: z
    .strictObject({ called: z.array(z.string()).default([]), not_called: z.array(z.string()).default([]) })
    .optional(),
  open: z.enum(['confirmation', 'approval', 'nothing']).optional(),
});

const turn = z
  .strictObject({
    say: text,
    when_asked: z.enum(['confirm', 'which', 'more', 'any']).optional(),
    or_skip: z.boolean().optional(),
    expect: turnExpectation.optional(),
  })
  .refine(
    ({ or_skip, when_asked }) => or_skip === undefined || when_asked !== undefined,
    'has or_skip without when_asked',
  );

const scenario = z
  .strictObject({
    id: name,
    category: name,
    language: z.string().min(2),
    customer: z.string().min(3).optional(),
    about: z.string().min(1),
    turns: z.array(turn).min(1).optional(),
    goal: z.string().min(1).optional(),
    persona: z.string().min(1).optional(),
    max_turns: z.number().int().min(1).max(30).default(8),
    expect: endExpectation.optional(),
  })
  .refine(
    ({ turns, goal, persona }) =>
      turns === undefined
        ? goal !== undefined && persona !== undefined
        : goal === undefined && persona === undefined,
    'needs either turns, or goal and persona for a simulated customer',
  )
  .refine(
    ({ turns = [], expect }) => [expect, ...turns.map((one) => one.expect)].some((one) => !isEmpty(one)),
    'expects nothing: it could not fail',
  );

const suite = z.strictObject({ suite: name, scenarios: z.array(scenario).min(1) });

/** What must hold of one answer. */
export type TurnExpectation = z.output<typeof turnExpectation>;
/** What must hold when the conversation is over. */
export type EndExpectation = z.output<typeof endExpectation>;
/** Rows of the company's database that must be there, or must not. */
export type RowExpectation = z.output<typeof rowExpectation>;
/** What a customer says, or says only if asked for it. */
export type ScenarioTurn = z.output<typeof turn>;

/** A conversation that is held with the hub, and what must hold of it. */
export interface Scenario extends z.output<typeof scenario> {
  readonly suite: string;
  /** File and line of a part of it, for the one who corrects it. */
  at(...path: readonly PropertyKey[]): string;
}

/** What was found in a file of scenarios. */
interface ReadSuite {
  readonly scenarios: readonly Scenario[];
  /** One line each: file, line, what is wrong and what is allowed. */
  readonly problems: readonly string[];
}

/** Reads the scenarios of a file. @param path as it is named in problems */
export function readSuite(path: string): ReadSuite {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const { line } = lines.linePos(broken.pos[0]);
    return { scenarios: [], problems: [`${path}:${line}: ${broken.message.split('\n')[0]}`] };
  }
  const at = (where: readonly PropertyKey[]): string => `${path}:${lineOf(document, lines, where)}`;
  const parsed = suite.safeParse(document.toJS());
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const [where, message] = deepest(issue);
      return `${at(where)}: ${where.join('.') || 'the file'}: ${message}`;
    });
    return { scenarios: [], problems };
  }
  const scenarios = parsed.data.scenarios.map((one, index) => ({
    ...one,
    suite: parsed.data.suite,
    at: (...where: readonly PropertyKey[]) => at(['scenarios', index, ...where]),
  }));
  return { scenarios, problems: [] };
}

/** The ids that two scenarios have. */
export function sharedIds(scenarios: readonly Scenario[]): readonly string[] {
  const first = new Map<string, Scenario>();
  return scenarios.flatMap((one) => {
    const other = first.get(one.id);
    first.set(one.id, other ?? one);
    return other
      ? [`${one.at('id')}: the id "${one.id}" is taken by ${other.at('id')}; give it another`]
      : [];
  });
}

function isEmpty(expectation: object | undefined): boolean {
  return Object.values(expectation ?? {}).every((one) => one === undefined);
}

/** Of a value that fits none of several shapes, what is wrong with those that it nearly has. */
function deepest(issue: z.core.$ZodIssue): readonly [readonly PropertyKey[], string] {
  if (issue.code !== 'invalid_union') return [issue.path, issue.message];
  const inner = issue.errors.flat().map((one) => deepest(one));
  const depth = Math.max(...inner.map(([path]) => path.length));
  const best = inner.filter(([path]) => path.length === depth);
  const messages = [...new Set(best.map(([, message]) => message))];
  return [[...issue.path, ...(best[0]?.[0] ?? [])], messages.join(', or ')];
}

/** The line of the nearest part of the path that is there. */
function lineOf(document: Document, lines: LineCounter, where: readonly PropertyKey[]): number {
  for (let length = where.length; length > 0; length -= 1) {
    const node = document.getIn(where.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** A row of a table, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The company's database as it is at this moment. */
export interface EvalTables {
  /** @param customerId only what is this customer's, where given */
  rows(table: string, customerId?: string): readonly Row[];
}

/** A hub of its own for one conversation, on data that nobody else has. */
export interface EvalHub {
  readonly app: Pick<App, 'capabilities' | 'conversations' | 'desk' | 'signIn'>;
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
export interface ScenarioLine {
  readonly by: 'customer' | 'hub';
  readonly text: string;
}

/** What a simulated customer says next, told who they are and what was said. */
export type CustomerModel = (instruction: string, lines: readonly ScenarioLine[]) => Promise<string>;

/** Where scenarios are played. */
export interface EvalWorld {
  readonly facts: EvalFacts;
  /** Null where there is no model to simulate customers with. */
  readonly customerModel: CustomerModel | null;
  /** A hub on a fresh copy of the seeded data, which tells the recorder what it does. */
  open(recorder: TraceRecorder): Promise<EvalHub>;
  close(): Promise<void>;
}
