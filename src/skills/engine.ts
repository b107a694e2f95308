import type { JsonObject } from '../core/domain/json.js';
import {
  callerKey,
  type SkillAnswer,
  type SkillCaller,
  type SkillReach,
  type SkillRun,
} from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import type {
  ResumeOptions,
  SkillCache,
  SkillCall,
  SkillRunRecord,
  SkillRunStore,
  Skills,
} from '../core/ports/index.js';
import { choosesAmongAll, demandReach } from './composite/composite-env.js';
import { inputInRequest } from './composite/level2-parameter-resolver.js';
import type { Pack, PackFiles } from './pack/pack.js';
import { indexOf } from './routing/trigger-index.js';
import { createSkillCache } from './run/detached-runs.js';
import { NO_SETTING, type RunSetting, type SkillServices } from './run/run-context.js';
import { checkedInput, RunEngine, toRun } from './run/run-engine.js';
import { demandOption } from './tree/handoff.js';

/** What the engine works with. */
interface SkillEngineDeps {
  readonly services: Omit<SkillServices, 'cache'>;
  readonly store: SkillRunStore;
  readonly cache?: SkillCache;
  /** The pack a waiting run began with, from its stored files; null where they are no longer a whole pack. */
  restorePack(files: PackFiles): Pack | null;
}

/** Journal key of what the run's caller puts to people itself. */
const GATED = '@gated_actions';
/** Journal key of how far a customer's run may reach, where that is farther than the customer's own. */
const REACH = '@reach';

/**
 * Puts catalog, routing and the executors together.
 * Runs are stored from their beginning, so that what was paid for or found is never lost, and a waiting run continues in any
 * process with the very pack it began with.
 */
export function createSkillEngine(deps: SkillEngineDeps): Skills {
  const { store, restorePack } = deps;
  const { catalog, ids, log } = deps.services;
  // Not spread: the checkpointer may be opened by the first run that needs it.
  const services: SkillServices = Object.create(deps.services, {
    cache: { value: deps.cache ?? createSkillCache() },
  });
  const engine = new RunEngine({ services, store, packOf });
  const { reaches } = engine;
  /** Hashes of packs whose files are stored. */
  const kept = new Set<string>();
  /** Runs of this process that are under way, so that asking twice for one runs it once. */
  const active = new Map<string, Promise<SkillRun>>();
  const track = (runId: string, work: Promise<SkillRun>): Promise<SkillRun> => {
    const tracked = work.finally(() => {
      if (active.get(runId) === tracked) active.delete(runId);
    });
    active.set(runId, tracked);
    return tracked;
  };

  return {
    list: () => catalog.list().map(reaches.summary),
    get: (skillId, version) => reaches.summary(catalog.get(skillId, version)),
    pick: (request) => indexOf(catalog.list()).pick(request),
    inputFrom: (skillId, { text, facts = {} }) =>
      inputInRequest({ text, facts }, catalog.get(skillId).descriptor.input_schema),

    async run(call) {
      const pack = catalog.get(call.skillId, call.version);
      const { caller, reach: allowed = 'customer' } = call;
      demandReach(pack, reaches.of(pack), { caller, allowed });
      const runId = call.runId ?? ids.next('run');
      const input = checkedInput(pack, call.input);
      const under = active.get(runId);
      if (under === undefined) return track(runId, begin(call, runId, pack, input));
      const record = await store.get(runId);
      if (record && !maySee(record, caller)) throw unknownRun(runId);
      return under;
    },

    async resume(runId, answer, options = {}) {
      const record = await store.get(runId);
      if (!record || (options.caller && !maySee(record, options.caller))) throw unknownRun(runId);
      if (record.parentRunId !== null) {
        const message = `${runId} is a part of the run ${record.parentRunId}; answer that one.`;
        throw new HubError('run_not_waiting', message, { runId, parent: record.parentRunId });
      }
      if (!record.handoff || record.status !== 'waiting') throw notWaiting(record);
      const option = demandOption(record.handoff, answer.choice);
      const pack = await packOf(record);
      if (!(await store.claim(runId))) throw notWaiting({ ...record, status: 'running' });
      return track(runId, resumeRun(record, pack, { ...answer, choice: option.id }, options));
    },

    async show(runId, caller, reach = 'everybody') {
      const record = await store.get(runId);
      if (!record || !maySee(record, caller)) return null;
      return reach === 'everybody' || allowedTo(record) === 'customer' ? toRun(record) : null;
    },

    forTicket: async (ticketId) => (await store.listByTicket(ticketId)).map(toRun),
    assign: (runId, ticketId) => store.update(runId, { ticketId }),
    ticketOf: async (runId) => (await store.get(runId))?.ticketId ?? null,
  };

  async function begin(call: SkillCall, runId: string, pack: Pack, input: JsonObject): Promise<SkillRun> {
    const asked = call.gatedActions ?? [];
    const goesFar = reaches.of(pack) === 'everybody' || choosesAmongAll(pack);
    const isFar = call.reach === 'everybody' && goesFar;
    const { record, created } = await engine.open(pack, {
      runId,
      parentRunId: null,
      caller: callerKey(call.caller),
      ticketId: call.ticketId ?? null,
      input,
      journal: {
        ...(asked.length > 0 ? { [GATED]: asked } : {}),
        ...(isFar ? { [REACH]: 'everybody' } : {}),
      },
    });
    if (!created) {
      if (!maySee(record, call.caller)) throw unknownRun(runId);
      // A run that was cut off begins anew; any other is what it is.
      if (record.status !== 'running' || !(await store.claim(runId, 'running'))) return toRun(record);
    }
    const pinned = created ? pack : await packOf(record);
    // Kept from the start: the pack's folder may change before the run comes to its end.
    if (created) await keepFiles(pack);
    return engine.run(pinned, record, {
      ...setting(record),
      gatedActions: gatedOf(record),
      signal: call.signal,
      onEvent: call.onEvent,
    });
  }

  async function resumeRun(
    record: SkillRunRecord,
    pack: Pack,
    answer: SkillAnswer,
    { signal, onEvent }: ResumeOptions,
  ): Promise<SkillRun> {
    const { runId, ticketId } = record;
    const claimed = await store.get(runId);
    // Somebody may have answered this question just before, and the run asks another one by now.
    if (JSON.stringify(claimed?.handoff) !== JSON.stringify(record.handoff)) {
      await store.update(runId, { status: 'waiting' });
      throw notWaiting({ ...record, status: 'running' });
    }
    const run = await engine
      .run(pack, claimed ?? record, {
        ...setting(record),
        answer,
        gatedActions: gatedOf(record),
        signal,
        onEvent,
      })
      .catch(async (error: unknown) => {
        await letGo(runId);
        throw error;
      });
    const correct = verdictOf(record, answer);
    if (correct !== null && run.status !== 'failed') await store.update(runId, { correct });
    log.info({
      agent: 'skills',
      action: 'handoff_answered',
      ticketId,
      details: { runId, choice: answer.choice, by: answer.by, status: run.status },
    });
    return run;
  }

  /** The storage failed while a question was being answered: it is open again, where that can be written at all. */
  async function letGo(runId: string): Promise<void> {
    try {
      await store.update(runId, { status: 'waiting' });
    } catch (fault) {
      log.error({ agent: 'skills', action: 'run_not_let_go', details: { runId } }, fault);
    }
  }

  async function keepFiles(pack: Pack): Promise<void> {
    if (kept.has(pack.hash)) return;
    await store.savePack(pack.hash, pack.files);
    kept.add(pack.hash);
  }

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

function setting(record: SkillRunRecord): RunSetting {
  return { ...NO_SETTING, caller: callerOf(record.caller), allowed: allowedTo(record) };
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

/**
 * Whoever accepts a finding says that it is right; whoever takes over, or goes a way of the tree's own, in spite of it says
 * that it is not. To look further says nothing yet.
 */
function verdictOf({ handoff }: SkillRunRecord, { choice, by }: SkillAnswer): boolean | null {
  if (handoff?.proposal?.root_cause == null || !by.startsWith('operator:')) return null;
  return choice === 'A' ? true : choice === 'B' ? null : false;
}

function gatedOf({ journal }: SkillRunRecord): readonly string[] {
  return (journal[GATED] as readonly string[] | undefined) ?? [];
}

function allowedTo({ journal }: SkillRunRecord): SkillReach {
  return journal[REACH] === 'everybody' ? 'everybody' : 'customer';
}

function notWaiting({ runId, status, handoff }: SkillRunRecord): HubError {
  const why = status === 'running' && handoff ? 'its question is answered already' : `it is ${status}`;
  return new HubError('run_not_waiting', `The run ${runId} waits for no answer: ${why}.`, { runId, status });
}
