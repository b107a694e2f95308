import type { JsonObject } from '../../core/domain/json.js';
import type { SkillResult, SkillRun } from '../../core/domain/skill.js';
import { HubError, messageOf, toHubError } from '../../core/errors.js';
import type { SkillEvent, SkillRunRecord, SkillRunStore } from '../../core/ports/index.js';
import { createReaches, demandReach, mayReach, type Reaches } from '../composite/composite-env.js';
import { executeComposite } from '../composite/level4-synthesizer.js';
import { executeImplementation } from '../implementation/execute-implementation.js';
import { applyDefaults, compileJsonSchema } from '../json-schema.js';
import type { Pack } from '../pack/pack.js';
import { executeTemplate } from '../templates/review.js';
import { executeTree } from '../tree/execute-tree.js';
import {
  createJournal,
  Meter,
  newRecord,
  quieted,
  type RunContext,
  type RunMeter,
  type RunSetting,
  type SkillExecutor,
  type SkillOutcome,
  type SkillServices,
} from './run-context.js';
import { limitTime, type TimeLimit, withGrace } from './time-limit.js';

/** What runs a skill of this kind. @throws HubError `skill_invalid` for a pack that has nothing to run */
function executorOf({ id, descriptor }: Pack): SkillExecutor {
  if (descriptor.type === 'decision_tree') return executeTree;
  if (descriptor.type === 'composite') return executeComposite;
  if (descriptor.template_type !== null) return executeTemplate;
  if (descriptor.implementation) return executeImplementation;
  throw new HubError('skill_invalid', `${id} has neither a template nor an implementation.`, { skill: id });
}

/** Skills within skills within skills: no pack may go deeper, whatever it says. */
const DEEPEST = 10;
const STORAGE_FAULTS: ReadonlySet<string> = new Set(['database_failed', 'database_busy', 'disk_full']);

interface RunEngineDeps {
  readonly services: SkillServices;
  readonly store: SkillRunStore;
  /** The very pack a stored run began with. @throws HubError `skill_unknown` where it is gone */
  packOf(record: SkillRunRecord): Promise<Pack>;
}

/**
 * The input as the skill takes it, defaults filled in.
 * @throws HubError `input_invalid`, naming the fields
 */
export function checkedInput(pack: Pack, input: JsonObject): JsonObject {
  const schema = pack.descriptor.input_schema;
  const complete = applyDefaults(schema, input);
  const faults = compileJsonSchema(schema)(complete);
  if (faults.length === 0) return complete;
  const message = `The input does not fit ${pack.id} ${pack.version}: ${faults.slice(0, 5).join('; ')}.`;
  throw new HubError('input_invalid', message, { skill: pack.id, faults: faults.slice(0, 20) });
}

/** Takes one run from its record to its end or its next question, and stores what came of it. */
export class RunEngine {
  readonly reaches: Reaches;

  constructor(private readonly deps: RunEngineDeps) {
    const { catalog, sources } = deps.services;
    this.reaches = createReaches(catalog, sources.isCustomersOwn);
  }

  /** Stores a new run, or gives the one of that id that is stored. */
  async open(
    pack: Pack,
    run: Parameters<typeof newRecord>[1],
  ): Promise<{ readonly record: SkillRunRecord; readonly created: boolean }> {
    const record = newRecord(pack, run, this.deps.services.clock.now());
    if (await this.deps.store.create(record)) return { record, created: true };
    return { record: (await this.deps.store.get(run.runId)) ?? record, created: false };
  }

  /**
   * Runs or resumes. A fault of the skill is a run that failed; a fault of the hub's own storage is thrown.
   * @throws HubError `database_failed`, `disk_full`
   */
  async run(pack: Pack, record: SkillRunRecord, setting: RunSetting): Promise<SkillRun> {
    const { store, services } = this.deps;
    const began = performance.now();
    const meter = new Meter(record.usage, setting.meter);
    const limit = limitTime(pack, setting.signal);
    const spent = () => ({ usage: meter.usage(), durationMs: record.durationMs + performance.now() - began });
    try {
      // Also of a part that is chosen on the way, and of a run that began when the pack was another one.
      demandReach(pack, this.reaches.of(pack), setting);
      const context = this.contextFor(pack, record, setting, meter, limit);
      const outcome = await withGrace(executorOf(pack)(pack, record.input, context), limit.signal);
      if (outcome.status === 'waiting') {
        await store.savePack(pack.hash, pack.files);
        // Whoever reads the question answers this run, also where a part of it asks.
        const handoff = { ...outcome.handoff, run_id: record.runId };
        const update = { ...spent(), handoffs: record.handoffs + 1, handoff };
        return await this.#finish(record, { ...update, status: 'waiting', result: null, error: null });
      }
      const { result } = outcome;
      const error = templateFault(result);
      const status = error === null ? 'done' : 'failed';
      return await this.#finish(record, { ...spent(), status, result, handoff: null, error });
    } catch (error) {
      const known = reasonOf(error, limit.signal);
      if (STORAGE_FAULTS.has(known.code)) throw known;
      const details = about(record, known.code);
      const entry = { agent: 'skills', action: 'run_failed', ticketId: record.ticketId, details };
      // Whoever called it back knows why, and may do so as often as they like.
      if (known.code === 'cancelled') services.log.info(entry);
      else services.log.error(entry, error);
      const fault = { code: known.code, message: known.message };
      return this.#finish(record, { ...spent(), status: 'failed', error: fault, handoff: null });
    } finally {
      limit.clear();
    }
  }

  async #finish(record: SkillRunRecord, update: Parameters<SkillRunStore['update']>[1]): Promise<SkillRun> {
    await this.deps.store.update(record.runId, update);
    const after = { ...record, ...update };
    if (record.handoff && !after.handoff) await this.#forget(record.runId);
    this.deps.services.log.info({
      agent: 'skills',
      action: 'run_finished',
      ticketId: record.ticketId,
      details: { ...about(record, after.status), ms: Math.round(after.durationMs), usage: after.usage },
    });
    return toRun(after);
  }

  /** The state of a tree that was answered is needed until its result is stored. */
  async #forget(runId: string): Promise<void> {
    const { checkpointer, log } = this.deps.services;
    try {
      await checkpointer.deleteThread(runId);
    } catch (error) {
      log.warn({
        agent: 'skills',
        action: 'state_not_forgotten',
        details: { runId, message: toHubError(error).message },
      });
    }
  }

  /** What an executor of this run gets. */
  contextFor(
    pack: Pack,
    record: SkillRunRecord,
    setting: RunSetting,
    meter: RunMeter,
    { signal, stepSignal }: Pick<TimeLimit, 'signal' | 'stepSignal'>,
  ): RunContext {
    const { runId } = record;
    const { routing, type } = pack.descriptor;
    const own = type === 'composite' ? setting.depth + (routing?.max_depth ?? 3) : DEEPEST;
    const deepest = Math.min(setting.deepest, own, DEEPEST);
    return {
      runId,
      caller: setting.caller,
      ticketId: record.ticketId,
      signal,
      stepSignal,
      depth: setting.depth,
      answer: setting.answer,
      question: record.handoff,
      gatedActions: setting.gatedActions,
      services: quieted(this.deps.services, pack),
      meter,
      journal: createJournal(this.deps.store, record),
      mayRun: (other) => mayReach(this.reaches.of(other), setting),
      emit: (event) => this.#publish(setting, { ...event, runId }),
      runPart: (part, other, input, stop) =>
        this.#part(record, part, other, input, {
          ...setting,
          signal: stop ? AbortSignal.any([signal, stop]) : signal,
          depth: setting.depth + 1,
          deepest,
          meter,
        }),
    };
  }

  /** Whoever watches must not be able to break the run. */
  #publish({ onEvent }: RunSetting, event: SkillEvent): void {
    try {
      onEvent?.(event);
    } catch (error) {
      const { runId, type, step } = event;
      const message = messageOf(error);
      this.deps.services.log.warn({
        agent: 'skills',
        action: 'watcher_failed',
        details: { runId, type, step, message },
      });
    }
  }

  async #part(
    parent: SkillRunRecord,
    part: string,
    pack: Pack,
    input: JsonObject,
    setting: RunSetting,
  ): Promise<SkillOutcome> {
    if (setting.depth > setting.deepest) {
      const message = `${pack.id} would run ${setting.depth} levels below the skill that was asked for; ${setting.deepest} are allowed.`;
      throw new HubError('skill_too_deep', message, { skill: pack.id, depth: setting.depth });
    }
    const { runId, caller, ticketId } = parent;
    const run = {
      runId: `${runId}.${part}`,
      parentRunId: runId,
      caller,
      ticketId,
      input: checkedInput(pack, input),
      journal: {},
    };
    const { record, created } = await this.open(pack, run);
    if (record.parentRunId !== runId) {
      // Callers name their runs themselves: one that is named like this part is somebody's own.
      throw new HubError('run_unknown', `The name of the part ${run.runId} is taken by another run.`, {
        runId: run.runId,
      });
    }
    if (!created && record.result && (record.status === 'done' || templateFault(record.result)))
      return { status: 'done', result: record.result };
    if (!created && record.status === 'waiting' && record.handoff && setting.answer === null) {
      return { status: 'waiting', handoff: record.handoff };
    }
    const resumed = !created && record.status === 'waiting';
    const answer = resumed ? setting.answer : null;
    // What waits continues with the pack it began with, also where the catalog has a newer one by now.
    const own = resumed && record.packHash !== pack.hash ? await this.deps.packOf(record) : pack;
    const again = resumed ? record : { ...record, input: run.input };
    const done = await this.run(own, again, { ...setting, answer });
    if (done.handoff) return { status: 'waiting', handoff: done.handoff };
    // What a template could not write is still a result, which the skill around it may decide on.
    if (done.result) return { status: 'done', result: done.result, usage: done.usage };
    throw new HubError(
      (done.error?.code ?? 'skill_failed') as HubError['code'],
      done.error?.message ?? 'It failed.',
      { runId: done.runId },
    );
  }
}

/** A run as its caller sees it. */
export function toRun(record: SkillRunRecord): SkillRun {
  const { runId, skillId, skillVersion, status, result, handoff, error, usage, durationMs } = record;
  return { runId, skillId, skillVersion, status, result, handoff, error, usage, durationMs };
}

/** Why a template gave nothing that can be used; null where it did, and for every other kind of skill. */
function templateFault(result: SkillResult): SkillRun['error'] {
  if (result.kind !== 'generation' && result.kind !== 'review') return null;
  const { error } = result.value;
  if (error !== undefined) return error;
  if (result.kind === 'review' || result.value.success) return null;
  return { code: 'model_bad_output', message: (result.value.validationErrors ?? []).slice(0, 3).join('; ') };
}

/** What ended a run: a library may say only that it was aborted, the signal knows why. */
function reasonOf(error: unknown, signal: AbortSignal): HubError {
  if (signal.aborted && signal.reason instanceof HubError) return signal.reason;
  return toHubError(error);
}

function about({ runId, skillId, skillVersion }: SkillRunRecord, came: string) {
  return { runId, skill: skillId, version: skillVersion, came };
}
