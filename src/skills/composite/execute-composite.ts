import type { SkillExecutor } from '../run/run-context.js';
import { type CompositeEnv, choosesAmongAll, partsOf } from './composite-env.js';
import { routeParts } from './level0-intent-router.js';
import { decompose } from './level1-decomposer.js';
import { Execution } from './level3-executor.js';
import { synthesize } from './level4-synthesizer.js';
import { Progress } from './progress.js';
import type { Intent, Plan } from './schemas.js';

/**
 * Runs a composite skill through its five levels: which parts (0), in what order (1), with which inputs (2), the running
 * itself (3), and what came of it (4). A part's fault is a failed step of the result. What was decided and done stands in the
 * journal, so that a run which waited for a person goes on where it was.
 * @throws what the journal throws (`database_failed`, `disk_full`)
 */
export const executeComposite: SkillExecutor = async (pack, input, context) => {
  const all: CompositeEnv = { pack, input, context, parts: partsOf(pack, context.services.catalog) };
  const progress = new Progress(context.journal);
  const known = progress.plan();
  const intent = known?.intent ?? (await routeParts(all));
  const env = choosesAmongAll(pack) ? { ...all, parts: chosenParts(all, intent) } : all;
  const plan = known?.plan ?? (await makePlan(env, intent, progress));
  const { waiting, ...executed } = await new Execution(env, intent, plan, progress).run();
  if (waiting !== null) return { status: 'waiting', handoff: waiting };
  const value = await synthesize(env, intent, plan, executed);
  return { status: 'done', result: { kind: 'composite', value } };
};

/** Of all skills those that the request needs, in the order in which they are to run. */
function chosenParts({ parts }: CompositeEnv, intent: Intent): CompositeEnv['parts'] {
  return intent.parts.flatMap((name) => parts.find((part) => part.name === name) ?? []);
}

async function makePlan(env: CompositeEnv, intent: Intent, progress: Progress): Promise<Plan> {
  const plan = await decompose(env, intent);
  await progress.savePlan(intent, plan);
  return plan;
}
