import type { SkillHandoff } from '../../../src/core/domain/skill.js';
import type { SkillRunRecord, SkillRunStore } from '../../../src/core/ports/skills.js';
import type { FixedClock } from '../../support/fixed-clock.js';

/** A store of runs whose time the test controls. */
export interface RunStoreWorld {
  readonly stores: { readonly skillRuns: SkillRunStore };
  readonly clock: FixedClock;
  /** The same runs as another connection sees them. */
  another(): Promise<{ readonly skillRuns: SkillRunStore }>;
  close(): Promise<void>;
}

const QUESTION: SkillHandoff = {
  run_id: 'r1',
  skill_id: 'entry_denied',
  at: 'step_2',
  trigger: 'low_confidence',
  question: 'Is it so?',
  advice: null,
  found: [],
  tried: ['step_1', 'step_2'],
  options: [
    { id: 'A', label: 'Accept' },
    { id: 'C', label: 'Take over' },
  ],
  proposal: null,
};

/** A run that has just begun. */
export function runRecord(
  { clock }: RunStoreWorld,
  runId: string,
  over: Partial<SkillRunRecord> = {},
): SkillRunRecord {
  const now = clock.now().toISOString();
  return {
    runId,
    parentRunId: null,
    skillId: 'entry_denied',
    skillVersion: '1.0.0',
    packHash: 'hash',
    caller: 'customer:usr_001',
    ticketId: null,
    status: 'running',
    input: { customer: { user_id: 'usr_001' }, list: [1, 'two', null] },
    result: null,
    handoff: null,
    error: null,
    journal: {},
    usage: { steps: 0, api_calls: 0, llm_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_usd: 0 },
    durationMs: 0,
    handoffs: 0,
    correct: null,
    createdAt: now,
    updatedAt: now,
    ...over,
  };
}

/** Stores a run that waits for a person. */
export async function storeAsking(
  world: RunStoreWorld,
  runId: string,
  over: Partial<SkillRunRecord> = {},
): Promise<void> {
  await world.stores.skillRuns.create(runRecord(world, runId, over));
  await world.stores.skillRuns.update(runId, { status: 'waiting', handoff: QUESTION });
}
