import type { SkillModel } from '../../core/ports/chat-models.js';
import type { RankedSkill, SkillPick, SkillRequest } from '../../core/ports/skills.js';
import type { SkillRoute } from '../../core/workbench.js';
import {
  type Asking,
  askModel,
  CERTAIN,
  knownNames,
  promptFor,
  ROUTING_PROMPTS,
  type RouteAnswer,
  renderPrompt,
  routeAnswerSchema,
  systemPrompt,
} from './ask-model.js';
import { foldWords } from './trigger-entry.js';
import type { TriggerIndex } from './trigger-index.js';

interface RouteDeps extends Asking {
  readonly index: TriggerIndex;
}

type Decision = Pick<SkillRoute, 'by' | 'reason' | 'confidence' | 'complexity' | 'ranked' | 'durationMs'>;

/** What is to be done with a request. */
export type Route = Decision &
  (
    | {
        readonly kind: 'run';
        /** Best first; run in this order where sequential. */
        readonly skills: readonly RankedSkill[];
        readonly mode: 'parallel' | 'sequential';
      }
    | {
        /** Several may be meant: whoever asks says which. The id of an option is that of its skill. */
        readonly kind: 'ask';
        readonly question: string;
        readonly options: readonly { readonly id: string; readonly label: string }[];
      }
    | { readonly kind: 'none' }
  );

type Choice = Route extends infer Kind ? (Kind extends Route ? Omit<Kind, 'durationMs'> : never) : never;

const SHOWN_SKILLS = 40;
const SHOWN_DESCRIPTION = 240;
const MAX_OPTIONS = 6;
const QUESTION = 'Which of these is it about?';

/**
 * Level 0 over the whole catalog: triggers first, the model only where they do not decide, a question where the model does
 * not either. Never throws; a model that is offline, down or talks nonsense leaves the decision to the triggers.
 */
export async function routeRequest(request: SkillRequest, deps: RouteDeps): Promise<Route> {
  const began = performance.now();
  const pick = deps.index.pick(request);
  const choice = ruleChoice(pick) ?? (await modelChoice(request, pick, deps));
  return { ...choice, durationMs: Math.round((performance.now() - began) * 1000) / 1000 };
}

function ruleChoice(pick: SkillPick): Choice | null {
  const [best] = pick.ranked;
  if (pick.kind !== 'one' || best === undefined) return null;
  return {
    kind: 'run',
    skills: [best],
    mode: 'sequential',
    by: 'rule',
    reason: `Its triggers match: ${best.why.join(', ')}.`,
    confidence: 1,
    complexity: 1,
    ranked: pick.ranked,
  };
}

async function modelChoice(request: SkillRequest, pick: SkillPick, deps: RouteDeps): Promise<Choice> {
  const candidates = candidatesFor(request, pick, deps.index);
  if (candidates.length === 0) {
    return { kind: 'none', by: 'rule', reason: 'No skill is open to this request.', ...UNSURE, ranked: [] };
  }
  const asked = await askModel(
    {
      name: 'route_request',
      system: systemPrompt(),
      prompt: promptOf(request, pick, candidates, deps.model),
      schema: routeAnswerSchema,
    },
    deps,
  );
  if (asked.ok) return readModel(asked.answer, pick, candidates);
  return {
    ...undecided(pick, pick.ranked),
    by: deps.model.provider === 'offline' ? 'rule' : 'fallback',
    reason: `Triggers do not decide, and ${asked.reason}.`,
    ...UNSURE,
    ranked: pick.ranked,
  };
}

const UNSURE = { confidence: 0, complexity: 1 };

function promptOf(
  request: SkillRequest,
  pick: SkillPick,
  candidates: readonly RankedSkill[],
  model: SkillModel,
): string {
  return renderPrompt(
    promptFor('route_request', model, ROUTING_PROMPTS),
    {
      skills: candidates.map(({ skillId, title, description }) => ({
        id: skillId,
        title,
        description: description.slice(0, SHOWN_DESCRIPTION),
      })),
      tied:
        pick.kind === 'tie'
          ? tiedOf(pick)
              .map((skill) => skill.skillId)
              .join(', ')
          : '',
    },
    {
      text: request.text,
      ...(request.issueCategory === undefined ? {} : { issue_category: request.issueCategory }),
      ...(request.intents === undefined ? {} : { intents: request.intents }),
    },
  );
}

function readModel(answer: RouteAnswer, pick: SkillPick, candidates: readonly RankedSkill[]): Choice {
  const names = knownNames(
    answer.skills,
    candidates.map((skill) => skill.skillId),
  );
  const chosen = names.flatMap((name) => candidates.filter((skill) => skill.skillId === name));
  const invented = answer.skills.filter((name) => !names.includes(name));
  const decision = {
    by: 'model' as const,
    reason:
      invented.length > 0
        ? `${answer.reason} (dropped, no such skill: ${invented.join(', ')})`
        : answer.reason,
    confidence: answer.confidence,
    complexity: answer.complexity,
    ranked: pick.ranked,
  };
  if (chosen.length > 0 && answer.confidence >= CERTAIN) {
    return { kind: 'run', skills: chosen, mode: answer.mode, ...decision };
  }
  return { ...undecided(pick, [...chosen, ...pick.ranked]), ...decision };
}

/** Nobody decided: those that were named or matched are asked about; where none was, no skill is for this. */
function undecided(
  pick: SkillPick,
  named: readonly RankedSkill[],
): { kind: 'ask'; question: string; options: { id: string; label: string }[] } | { kind: 'none' } {
  const options = pick.kind === 'tie' ? [...tiedOf(pick), ...named] : named;
  const ids = [...new Set(options.map((skill) => skill.skillId))].slice(0, MAX_OPTIONS);
  if (ids.length === 0) return { kind: 'none' };
  return {
    kind: 'ask',
    question: QUESTION,
    options: ids.map((id) => ({ id, label: options.find((skill) => skill.skillId === id)?.title ?? id })),
  };
}

function tiedOf({ ranked }: SkillPick): readonly RankedSkill[] {
  return ranked.filter((skill) => skill.score === ranked[0]?.score);
}

/** Those the triggers name first, then those whose title and description share most words with the request. */
function candidatesFor(request: SkillRequest, pick: SkillPick, index: TriggerIndex): readonly RankedSkill[] {
  if (pick.kind === 'tie') return pick.ranked.slice(0, SHOWN_SKILLS);
  const named = new Set(pick.ranked.map((skill) => skill.skillId));
  const words = new Set(foldWords(request.text).filter((word) => word.length > 3));
  const rest = index
    .open(request)
    .filter((skill) => !named.has(skill.skillId))
    .map((skill) => ({ skill, shared: sharedWords(skill, words) }))
    .sort((one, other) => other.shared - one.shared)
    .map(({ skill }) => skill);
  return [...pick.ranked, ...rest].slice(0, SHOWN_SKILLS);
}

function sharedWords({ title, description }: RankedSkill, words: ReadonlySet<string>): number {
  return new Set(foldWords(`${title} ${description}`).filter((word) => words.has(word))).size;
}
