import type { Focus, Session, Task } from '../core/domain/session.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { sentencesOf } from './claims/sentences.js';
import type { GraphDeps } from './graph-deps.js';

/** The change that a text most likely asks for. */
export function likeliestChange(
  { language, tools }: GraphDeps,
  text: string,
  session: Session,
): ActionTool | null {
  const [likeliest] = [...language.chances(text, session.language)].sort((a, b) => b[1] - a[1]);
  return likeliest ? tools.roster.findAction(likeliest[0]) : null;
}

/** True for a change that triage hears in a text which asks for none. */
export function isMisheardChange(
  deps: GraphDeps,
  session: Session,
  task: Task,
  focus: Focus | null,
): boolean {
  return onlySpans(deps, session, task, focus) || (focus === null && isUnasked(deps, session, task));
}

/** "A month?": of no more words a question may only say how long. */
const SPAN_WORDS = 5;
const isShort = (text: string) =>
  sentencesOf(text).every((one) => !one.question || one.text.trim().split(/\s+/).length <= SPAN_WORDS);
/** Below this nobody hears an order in a message. */
const HARDLY_ORDERS = 0.3;

/**
 * True for a change of a record that triage hears in words which neither order one nor say that it is unwanted or impossible for them:
 * "I have the concert that day", "look into my cancelled bookings". Nobody is asked whether to cancel what they only speak of.
 */
function isUnasked(deps: GraphDeps, session: Session, { route, text }: Task): boolean {
  const { agents, dialogue, models } = deps;
  if (models.provider !== 'offline' || route === null || !agents.changes(route)) return false;
  const tool = likeliestChange(deps, text, session);
  // Money that is wanted back is no such offer.
  if (tool?.target && !tool.name.includes('cancel')) return false;
  // "I cancelled" tells what was done, however much it is like an order.
  const isNamed = dialogue.changesNamed(text).length > 0;
  if (isNamed && dialogue.changesNamed(dialogue.withoutDone(text)).length === 0) return true;
  // What has happened to the customer says why something is not wanted any more.
  if (session.life || !tool?.target) return false;
  const isMeant = dialogue.unwants(text) || dialogue.cannotGo(text) || dialogue.plainOrder(text) !== null;
  if (isMeant || isNamed) return false;
  return (dialogue.readQuestion(text)?.chanceOf('order') ?? 1) < HARDLY_ORDERS;
}

/**
 * True for a change to no record that triage hears in a question which names none, beside another that is open or after an answer: "a week? A month?"
 * asks how long something takes, and for no pause.
 */
function onlySpans(deps: GraphDeps, session: Session, { route, text }: Task, focus: Focus | null): boolean {
  const { agents, dialogue, models, tools } = deps;
  if (models.provider !== 'offline' || route === null || !agents.changes(route)) return false;
  if (session.lastReply === null || !text.includes('?')) return false;
  const tool = likeliestChange(deps, text, session);
  const open = tools.roster.findAction(focus?.intent ?? '');
  const isOther = isShort(text) && tool?.target === undefined;
  const isSame = open !== null && (tool === null ? open.target === undefined : open.name === tool.name);
  if (!isOther || isSame) return false;
  return dialogue.changesNamed(text).length === 0 && dialogue.plainOrder(text) === null;
}
