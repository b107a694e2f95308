import type { SkillCaller, SkillRun, SkillSummary } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import type { SkillRunRecord, SkillRunStore, Skills } from '../core/ports/index.js';
import type { Pack, PackFiles } from './pack/pack.js';
import { createTriggerIndex } from './routing/trigger-index.js';
import { createSkillCache } from './run/cache.js';
import type { SkillCache, SkillServices } from './run/run-context.js';
import { checkedInput, RunEngine, type RunSetting, toRun } from './run/run-engine.js';
import { demandOption } from './tree/handoff.js';

/** What the engine works with. */
export interface SkillEngineDeps {
  readonly services: Omit<SkillServices, 'cache'>;
  readonly store: SkillRunStore;
  readonly cache?: SkillCache;
  /** The pack a waiting run began with, from its stored files; null where they are no longer a whole pack. */
  restorePack(files: PackFiles): Pack | null;
}

/** Journal key of what the run's caller puts to people itself. */
const GATED = '@gated_actions';

/**
 * Puts catalog, routing and the executors together.
 * Runs are stored from their beginning, so that what was paid for or found is never lost, and a waiting run goes on in any
 * process with the very pack it began with.
 */
export function createSkillEngine(deps: SkillEngineDeps): Skills {
  const { store, restorePack } = deps;
  const { catalog, ids, log } = deps.services;
  // Not spread: the checkpointer may be opened by the first run that needs it.
  const services: SkillServices = Object.create(deps.services, {
    cache: { value: deps.cache ?? createSkillCache() },
  });
  const engine = new RunEngine({ services, store });
  const index = createTriggerIndex(catalog.list());
  /** Runs of this process that are under way, so that asking twice for one runs it once. */
  const active = new Map<string, Promise<SkillRun>>();
  const once = (runId: string, work: () => Promise<SkillRun>): Promise<SkillRun> => {
    const known = active.get(runId);
    if (known) return known;
    const started = work().finally(() => active.delete(runId));
    active.set(runId, started);
    return started;
  };

  return {
    list: () => catalog.list().map((pack) => pack.summary),
    get: (skillId, version): SkillSummary => catalog.get(skillId, version).summary,
    pick: (request) => index.pick(request),

    async run(call) {
      const pack = catalog.get(call.skillId, call.version);
      const runId = call.runId ?? ids.next('run');
      const input = checkedInput(pack, call.input);
      return once(runId, async () => {
        const gatedActions = call.gatedActions ?? [];
        const { record, created } = await engine.open(pack, {
          runId,
          parentRunId: null,
          caller: callerKey(call.caller),
          ticketId: call.ticketId ?? null,
          input,
          journal: gatedActions.length > 0 ? { [GATED]: gatedActions } : {},
        });
        if (!created) {
          if (!maySee(record, call.caller)) throw unknownRun(runId);
          // A run that was cut off begins anew; any other is what it is.
          if (record.status !== 'running') return toRun(record);
        }
        const pinned = created ? pack : await packOf(record);
        return engine.run(pinned, record, {
          ...setting(call.caller),
          gatedActions,
          signal: call.signal,
          onEvent: call.onEvent,
        });
      });
    },

    async resume(runId, answer, options = {}) {
      const record = await store.get(runId);
      if (!record || (options.caller && !maySee(record, options.caller))) throw unknownRun(runId);
      if (record.parentRunId !== null) {
        const message = `${runId} is a part of the run ${record.parentRunId}; answer that one.`;
        throw new HubError('run_not_waiting', message, { runId, parent: record.parentRunId });
      }
      if (!record.handoff) throw notWaiting(record);
      const option = demandOption(record.handoff, answer.choice);
      const pack = await packOf(record);
      if (!(await store.claim(runId))) throw notWaiting(record);
      return once(runId, async () => {
        const run = await engine.run(pack, record, {
          ...setting(callerOf(record.caller)),
          answer: { ...answer, choice: option.id },
          gatedActions: (record.journal[GATED] as readonly string[] | undefined) ?? [],
          signal: options.signal,
          onEvent: options.onEvent,
        });
        // Whoever accepts the finding says that it is right; whoever takes over says that it did not help.
        if (option.id === 'A' || option.id === 'C') await store.update(runId, { correct: option.id === 'A' });
        log.info({
          agent: 'skills',
          action: 'handoff_answered',
          ticketId: record.ticketId,
          details: { runId, choice: option.id, by: answer.by, status: run.status },
        });
        return run;
      });
    },

    async show(runId, caller) {
      const record = await store.get(runId);
      return record && maySee(record, caller) ? toRun(record) : null;
    },

    forTicket: async (ticketId) => (await store.listByTicket(ticketId)).map(toRun),
  };

  async function packOf(record: SkillRunRecord): Promise<Pack> {
    const loaded = catalog.all().find((pack) => pack.hash === record.packHash);
    if (loaded) return loaded;
    const files = await store.getPack(record.packHash);
    const restored = files && restorePack(files);
    if (restored) return restored;
    const message = `${record.skillId} ${record.skillVersion}, which the run ${record.runId} began with, is no longer there.`;
    throw new HubError('skill_unknown', message, { runId: record.runId, skill: record.skillId });
  }
}

function setting(caller: SkillCaller): RunSetting {
  return {
    caller,
    answer: null,
    gatedActions: [],
    signal: undefined,
    onEvent: undefined,
    depth: 0,
    deepest: Number.POSITIVE_INFINITY,
    meter: undefined,
  };
}

function callerKey(caller: SkillCaller): string {
  return caller.kind === 'customer' ? `customer:${caller.customerId}` : `operator:${caller.operatorId}`;
}

function callerOf(key: string): SkillCaller {
  const [kind, ...rest] = key.split(':');
  const id = rest.join(':');
  return kind === 'customer' ? { kind: 'customer', customerId: id } : { kind: 'operator', operatorId: id };
}

/** Operators see every run, a customer only those made on the customer's own behalf. */
function maySee(record: SkillRunRecord, caller: SkillCaller): boolean {
  return caller.kind === 'operator' || record.caller === callerKey(caller);
}

function unknownRun(runId: string): HubError {
  return new HubError('run_unknown', `There is no run ${runId.slice(0, 80)}.`, { runId: runId.slice(0, 80) });
}

function notWaiting({ runId, status }: SkillRunRecord): HubError {
  const why = status === 'waiting' || status === 'running' ? 'somebody is answering it' : `it is ${status}`;
  return new HubError('run_not_waiting', `The run ${runId} waits for no answer: ${why}.`, { runId, status });
}
