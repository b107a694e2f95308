import { z } from 'zod';
import { deskSays } from '../../core/desk-notes.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { Evidence } from '../../core/domain/skill.js';
import { toHubError } from '../../core/errors.js';
import { type Condition, compileCondition, type Scope } from '../expressions/expression.js';
import type { TreeDecision, TreeStep } from '../pack/file-schemas.js';
import type { OWN_PROMPTS, Pack } from '../pack/pack.js';
import { type Asked, askModel, CERTAIN, renderPrompt, systemPrompt } from '../routing/ask-model.js';
import type { RunContext } from '../run/run-context.js';
import type { Finding } from './tree-state.js';

interface CompiledDecision {
  readonly name: string;
  readonly condition: Condition;
  readonly decision: TreeDecision;
}

/** The conditions of a step, read once. */
export interface CompiledStep {
  readonly id: string;
  readonly step: TreeStep;
  readonly preConditions: readonly Condition[];
  readonly decisions: readonly CompiledDecision[];
}

/** @throws HubError `expression_invalid`; a pack that was validated has none */
export function compileSteps(pack: Pack): ReadonlyMap<string, CompiledStep> {
  return new Map(
    Object.entries(pack.tree?.steps ?? {}).map(([id, step]) => [
      id,
      {
        id,
        step,
        preConditions: step.pre_conditions.map(compileCondition),
        decisions: Object.entries(step.decisions).map(([name, decision]) => ({
          name,
          condition: compileCondition(decision.condition),
          decision,
        })),
      },
    ]),
  );
}

type Decided =
  | { readonly kind: 'taken'; readonly name: string; readonly decision: TreeDecision }
  | { readonly kind: 'none'; readonly notes: readonly string[] };

/** The first decision whose condition holds, in the order written. */
export function decide({ decisions }: CompiledStep, scope: Scope): Decided {
  const notes: string[] = [];
  for (const { name, condition, decision } of decisions) {
    const { holds, note } = condition.judge(scope);
    if (holds) return { kind: 'taken', name, decision };
    if (note !== undefined) notes.push(`${name}: ${note}`);
  }
  return { kind: 'none', notes };
}

/** The first pre-condition that does not hold, null where all do. */
export function unmetPreCondition({ preConditions }: CompiledStep, scope: Scope): string | null {
  return preConditions.find((condition) => !condition.holds(scope))?.text ?? null;
}

/*
 * A model's word in a tree, by the prompts that the pack brings. A pack without them, and a hub without a model, decide by
 * conditions alone.
 */

type TreePrompt = (typeof OWN_PROMPTS.decision_tree)[number];

const KNOWLEDGE_CHARS = 8_000;
const text = z.string().max(1_000).default('');
const confidence = z.number().min(0).max(1);

/** What a model chose, and why; null where there is none, it is not asked, or it is not sure. */
export interface ModelWord {
  readonly choice: string;
  readonly confidence: number;
  readonly reason: string;
}

/** What it decides on. */
interface Question {
  readonly prompt: TreePrompt;
  readonly choices: readonly { readonly id: string; readonly description: string }[];
  readonly view: JsonObject;
  readonly data: JsonObject;
}

/** Chooses a decision of a step where none of its conditions holds. */
export function classify(
  pack: Pack,
  { id, step, decisions }: CompiledStep,
  data: JsonObject,
  context: RunContext,
): Promise<ModelWord | null> {
  const choices = decisions.map(({ name, condition, decision: { conclusion } }) => ({
    id: name,
    description: [
      conclusion?.partial_finding ?? conclusion?.explanation ?? conclusion?.root_cause ?? name,
      `(where ${condition.text})`,
    ].join(' '),
  }));
  const view = { step: id, step_name: step.name, step_description: step.description ?? '' };
  return ask(pack, { prompt: 'classify', choices, view, data }, context);
}

/** Weighs what was found against what experts know: which of the causes holds. */
export function analyseResults(
  pack: Pack,
  findings: readonly Finding[],
  evidence: readonly Evidence[],
  input: JsonObject,
  context: RunContext,
): Promise<ModelWord | null> {
  const choices = findings.map(({ rootCause, explanation, step, confidence: sure }) => ({
    id: rootCause,
    description: `${explanation ?? rootCause} (found by ${step} with confidence ${sure})`,
  }));
  return ask(pack, { prompt: 'analyze_results', choices, view: {}, data: dataOf(input, evidence) }, context);
}

/** Proposes, of the steps that have not run, the one that is worth a look where the path ends without a cause. */
export function generateHypothesis(
  pack: Pack,
  open: readonly string[],
  evidence: readonly Evidence[],
  input: JsonObject,
  context: RunContext,
): Promise<ModelWord | null> {
  const choices = open.map((id) => {
    const step = pack.tree?.steps[id];
    return { id, description: [step?.name ?? id, step?.description ?? ''].join(': ') };
  });
  return ask(
    pack,
    { prompt: 'generate_hypothesis', choices, view: {}, data: dataOf(input, evidence) },
    context,
  );
}

function dataOf(input: JsonObject, evidence: readonly Evidence[]): JsonObject {
  // Evidence is made of JSON values only; the interface just says so in more words.
  return { input, evidence: evidence as unknown as JsonObject[string] };
}

async function ask(pack: Pack, question: Question, context: RunContext): Promise<ModelWord | null> {
  const { services, meter, ticketId = null } = context;
  const { model, log } = services;
  const template = templateOf(pack, question.prompt, model.tier('write') === 'small');
  if (template === undefined || model.provider === 'offline' || question.choices.length === 0) return null;
  const asked = await answerOf(pack, question, template, {
    model,
    log,
    signal: context.stepSignal ?? context.signal,
    ticketId,
    onCall: (call) => meter.modelCall(call),
  });
  if (!asked.ok || asked.answer.choice === null || asked.answer.confidence < CERTAIN) return null;
  const { choice, confidence: sure, reason } = asked.answer;
  return { choice, confidence: sure, reason: reason.replace(/\s+/g, ' ').trim() };
}

type Answer = { readonly choice: string | null; readonly confidence: number; readonly reason: string };

async function answerOf(
  pack: Pack,
  { prompt, choices, view, data }: Question,
  template: string,
  asking: Parameters<typeof askModel>[1],
): Promise<Asked<Answer>> {
  const ids = choices.map(({ id }) => id);
  const { title, description } = pack.summary;
  const knowledge = pack.knowledge?.slice(0, KNOWLEDGE_CHARS) ?? '';
  try {
    return await askModel(
      {
        name: `tree_${prompt}`,
        system: systemPrompt(),
        prompt: renderPrompt(
          template,
          { title, description, knowledge, choices: [...choices], ...view },
          data,
        ),
        schema: z.object({ choice: z.enum(ids).nullable(), confidence, reason: text }),
      },
      asking,
    );
  } catch (error) {
    return { ok: false, reason: `the prompt ${prompt} cannot be used (${toHubError(error).message})` };
  }
}

function templateOf({ prompts }: Pack, name: TreePrompt, isSmall: boolean): string | undefined {
  return (isSmall ? prompts.get(`${name}.small`) : undefined) ?? prompts.get(name);
}

/** How the evidence says that it is a model's word: it is an opinion, and not what a source said. */
export function modelReason({ reason, confidence: sure }: ModelWord): string {
  return reason === '' ? deskSays('model_sure', `${sure}`) : deskSays('model_chose', `${sure}`, reason);
}

/** A change that is advised on a model's word is put to a person, whatever the pack says. */
export function toBeApproved(finding: Finding): Finding {
  const { recommendedAction } = finding;
  if (recommendedAction === null) return finding;
  return { ...finding, recommendedAction: { ...recommendedAction, human_approval_required: true } };
}
