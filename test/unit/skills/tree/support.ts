import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import BetterSqlite3 from 'better-sqlite3';
import { parse } from 'yaml';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import type { InvestigationResult, SkillAnswer, SkillHandoff } from '../../../../src/core/domain/skill.js';
import type { BoundStatement, DataSources, SkillEvent } from '../../../../src/core/ports/index.js';
import { treeSchema } from '../../../../src/skills/pack/file-schemas.js';
import type { Pack } from '../../../../src/skills/pack/pack.js';
import type { RunContext, SkillOutcome } from '../../../../src/skills/run/run-context.js';
import { executeTree } from '../../../../src/skills/tree/execute-tree.js';
import { mapCache, testContext } from '../../../support/skill-context.js';
import { catalogOf, packOf } from '../../../support/skill-packs.js';

/** A pack with the tree of a YAML text over the SQLite source `shop`. */
export function treePack(tree: string, descriptor: JsonObject = {}): Pack {
  return packOf(
    {
      id: 'demo',
      type: 'decision_tree',
      data_sources: { shop: { kind: 'sqlite', database: 'shop' } },
      decision_tree: {},
      ...descriptor,
    },
    { tree: treeSchema.parse(parse(tree)) },
  );
}

interface RunnerOptions {
  readonly sql?: string;
  readonly saver?: BaseCheckpointSaver;
  /** Called before each statement; may wait, or throw. */
  readonly beforeQuery?: (sql: string, signal: AbortSignal) => Promise<void> | void;
  readonly parts?: readonly Pack[];
  readonly runPart?: RunContext['runPart'];
}

interface RunOptions {
  readonly runId?: string;
  readonly answer?: string | SkillAnswer;
  readonly gatedActions?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs trees over a real SQLite database, without an engine around them. */
export class TreeRunner {
  readonly events: Omit<SkillEvent, 'runId'>[] = [];
  readonly statements: string[] = [];
  readonly saver: BaseCheckpointSaver;
  readonly #options: RunnerOptions;
  readonly #database = new BetterSqlite3(':memory:');

  constructor(options: RunnerOptions = {}) {
    this.#options = options;
    this.saver = options.saver ?? new MemorySaver();
    this.#database.exec(options.sql ?? '');
  }

  run(pack: Pack, input: JsonObject = {}, options: RunOptions = {}): Promise<SkillOutcome> {
    return executeTree(pack, input, this.context(options));
  }

  /** What a run found. @throws where it waits */
  async find(pack: Pack, input: JsonObject = {}, options: RunOptions = {}): Promise<InvestigationResult> {
    return foundIn(await this.run(pack, input, options));
  }

  /** What a run asks. @throws where it does not wait */
  async ask(pack: Pack, input: JsonObject = {}, options: RunOptions = {}): Promise<SkillHandoff> {
    const outcome = await this.run(pack, input, options);
    if (outcome.status !== 'waiting') throw new Error(`It does not wait: ${JSON.stringify(outcome)}`);
    return outcome.handoff;
  }

  context({ runId = 'run_1', answer, gatedActions = [], signal }: RunOptions): RunContext {
    const context = testContext({ sources: this.#sources(), ...(signal ? { signal } : {}) });
    return {
      ...context,
      runId,
      gatedActions,
      answer: typeof answer === 'string' ? { choice: answer, by: 'operator:op_1' } : (answer ?? null),
      emit: (event) => void this.events.push(event),
      runPart: this.#options.runPart ?? context.runPart,
      services: {
        ...context.services,
        checkpointer: this.saver,
        cache: mapCache(),
        catalog: catalogOf(this.#options.parts),
      },
    };
  }

  #sources(): DataSources {
    return {
      open: async () => ({
        answers: 'query',
        query: async (statement, { signal }) => {
          await this.#options.beforeQuery?.(textOf(statement), signal);
          this.statements.push(textOf(statement));
          const rows = this.#database.prepare(textOf(statement)).all(...statement.values) as JsonObject[];
          return { rows, truncated: false };
        },
        close: async () => undefined,
      }),
      isCustomersOwn: () => false,
      close: async () => undefined,
    };
  }
}

function foundIn(outcome: SkillOutcome): InvestigationResult {
  if (outcome.status !== 'done' || outcome.result.kind !== 'investigation') {
    throw new Error(`It found nothing: ${JSON.stringify(outcome)}`);
  }
  return outcome.result.value;
}

function textOf({ segments }: BoundStatement): string {
  return segments.join('?');
}

/** Tables of a little shop: order o1 was paid twice, o2 once, o3 never. */
export const SHOP = `
  CREATE TABLE orders (id TEXT, status TEXT, customer TEXT);
  INSERT INTO orders VALUES ('o1', 'open', 'ana'), ('o2', 'shipped', 'ana'), ('o3', 'open', 'bia');
  CREATE TABLE payments (order_id TEXT, cents INT);
  INSERT INTO payments VALUES ('o1', 4590), ('o1', 4590), ('o2', 1000);
`;

/** Two steps and no checks; `order_id` decides what is found. */
export const ORDER_TREE = `
entry_point: order
steps:
  order:
    name: Find the order
    pre_conditions: ['order_id != null']
    action: { type: query, source: shop, query_template: 'SELECT * FROM orders WHERE id = {order_id}' }
    decisions:
      none:
        condition: result.count == 0
        confidence: 0.9
        conclusion: { root_cause: no_order, explanation: 'There is no order {order_id}.' }
      there:
        condition: result.count == 1
        confidence: 0.6
        conclusion: { partial_finding: 'The order is {result.status}.' }
        next_step: payments
  payments:
    name: Look at the payments
    action: { type: query, source: shop, query_template: 'SELECT count(*) AS n, sum(cents) AS cents FROM payments WHERE order_id = {order_id}' }
    decisions:
      twice:
        condition: result.n > 1
        confidence: 0.95
        conclusion:
          root_cause: paid_twice
          explanation: 'Paid {result.n} times, {result.cents|money} in all; the order is {steps.order.status}.'
          impact: high
          recommended_action: { action: refund, priority: high, human_approval_required: true, arguments: { order_id: '{order_id}', cents: '{result.cents}' } }
          customer_message: { en: 'You paid {result.cents|money}.', pt-BR: 'Você pagou {result.cents|money}.', fr: 'Vous avez payé {result.cents|money}.' }
      once:
        condition: result.n == 1
        confidence: 0.5
        conclusion: { root_cause: all_is_well }
`;
