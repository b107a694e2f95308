import type { RemoteThread } from '../../core/domain/session.js';
import { HubError } from '../../core/errors.js';
import type { Sentences } from '../../core/i18n/index.js';
import type { RemoteCard, RemoteReasoner, RemoteReply, RemoteSkill } from '../../core/ports/remote-agents.js';
import { asksForSecret, cleanAnswer, dataLines } from './clean-answer.js';
import { type Meaning, planCall, type RemoteGoal } from './fill-input.js';
import type { RemoteCalls, RemoteOutcome } from './remote-calls.js';

/** Questions that a remote agent may ask about one request; then the request is escalated. */
const MAX_QUESTIONS = 2;
const TEXT_CHARS = 1_500;

interface RemoteRequest {
  readonly agent: string;
  readonly goal: RemoteGoal;
  /** Set where the goal is the reply to a question of the other agent. */
  readonly open: RemoteThread | null;
  readonly calls: RemoteCalls;
  readonly linkHosts: readonly string[];
  readonly reasoner: RemoteReasoner | undefined;
  readonly meaning?: Meaning | undefined;
  /** Sentences of the customer's language: a message to another agent is in it too. */
  readonly texts: Pick<Sentences, 'say'>;
  readonly ticketId: string;
  readonly signal: AbortSignal;
  /** Takes personal data and secrets out of a text. */
  readonly mask: (text: string) => string;
}

/**
 * Has another agent do what is needed: by a skill of its card where one fits and its input can be read from the request,
 * else by a message; and where the skill does not answer, by a message in new words if that is safe and makes sense.
 * @throws what the outer signal was aborted with; anything that is no HubError
 */
export async function delegate(request: RemoteRequest): Promise<RemoteOutcome> {
  try {
    return await (request.open ? resume(request, request.open) : begin(request));
  } catch (error) {
    if (!(error instanceof HubError) || !isRemote(error)) throw error;
    request.calls.decide('give_up', 'rule', error.code, null);
    // A message asks; what follows a question of the other agent may be an order.
    return gaveUp(request, error.code, request.open !== null && isUncertain(error));
  }
}

/** What the other agent, or the way there, may come to; anything else is none of its doing. */
function isRemote({ code }: HubError): boolean {
  return code.startsWith('remote_') || code === 'not_found' || code === 'input_invalid';
}

async function begin(request: RemoteRequest): Promise<RemoteOutcome> {
  const { calls, goal } = request;
  const card = await calls.card();
  const plan = await planCall(request, card);
  calls.decide(plan.kind, plan.by, plan.reason, plan.kind === 'specific' ? plan.skill.id : null);
  if (plan.kind !== 'specific') {
    return plan.kind === 'give_up'
      ? gaveUp(request, null)
      : ended(request, await calls.send({ text: goal.text }));
  }
  try {
    const outcome = ended(request, await calls.skill(plan.skill.id, plan.input));
    if (outcome.outcome !== 'gave_up' || outcome.code !== 'remote_bad_answer') return outcome;
    return await lookAgain(request, card, plan.skill, isSilent(request.agent));
  } catch (error) {
    if (!(error instanceof HubError) || !isRemote(error)) throw error;
    return lookAgain(request, card, plan.skill, error);
  }
}

/** The structured way has failed: rules say whether the goal may be sent another way, a model whether it makes sense. */
async function lookAgain(
  request: RemoteRequest,
  card: RemoteCard,
  skill: RemoteSkill,
  error: HubError,
): Promise<RemoteOutcome> {
  const { calls, goal, reasoner, texts, ticketId, signal } = request;
  // Against a schema that the hub itself checks, nothing was sent.
  const unsent = error.code === 'input_invalid';
  const next = unsent
    ? ({ kind: card.generic ? 'reword' : 'give_up', reason: 'input_invalid', uncertain: false } as const)
    : reconsider({ error, readOnly: skill.specific?.readOnly ?? false, generic: card.generic });
  if (next.kind === 'give_up') {
    calls.decide('give_up', 'rule', next.reason, skill.id);
    return gaveUp(request, error.code, 'uncertain' in next && next.uncertain);
  }
  const second = await reasoner?.lookAgain({ goal: goal.text, ticketId, signal }, skill, error.code);
  if (second && !second.fits) {
    calls.decide('give_up', 'model', second.reason, skill.id);
    return gaveUp(request, error.code);
  }
  const reworded = texts.say('remote_reworded', { request: goal.text.trim(), skill: skill.name || skill.id });
  const words = second ? request.mask(second.words).trim().slice(0, TEXT_CHARS) : '';
  calls.decide(
    'reword',
    words === '' ? 'rule' : 'model',
    words === '' ? next.reason : (second?.reason ?? ''),
    skill.id,
  );
  return ended(request, await calls.send({ text: words || reworded }));
}

/** The customer has answered what the other agent wanted to know. */
async function resume(request: RemoteRequest, open: RemoteThread): Promise<RemoteOutcome> {
  const { calls, goal } = request;
  calls.decide('continue', 'rule', 'a_reply_to_its_question', null);
  try {
    const place = {
      ...(open.taskId === null ? {} : { taskId: open.taskId }),
      ...(open.contextId === null ? {} : { contextId: open.contextId }),
    };
    return ended(request, await calls.send({ text: goal.text, ...place }));
  } catch (error) {
    if (!(error instanceof HubError) || !isForgotten(error)) throw error;
    calls.decide('start_again', 'rule', 'it_does_not_know_its_task_any_more', null);
    return ended(
      request,
      await calls.send({
        text: request.texts.say('remote_restarted', { request: open.goal.trim(), reply: goal.text.trim() }),
      }),
    );
  }
}

/** The task is not there any more, so that nothing was done with the reply. */
function isForgotten({ code, fields }: HubError): boolean {
  return (
    code === 'not_found' ||
    (code === 'remote_refused' && [400, 404, 409, 410].includes(Number(fields.status)))
  );
}

/** Reads what came back: an answer, a question that may be asked, or nothing of use. */
function ended(request: RemoteRequest, reply: RemoteReply): RemoteOutcome {
  const { agent, goal, open, calls, linkHosts } = request;
  const text = cleanAnswer(reply.text, linkHosts);
  const facts = repeats(reply) ? [] : dataLines(reply.data).map((line) => cleanAnswer(line, linkHosts));
  const asks = reply.state === 'input_required';
  if (text === '' && (asks || facts.length === 0)) return gaveUp(request, 'remote_bad_answer');
  if (waitsForOperator(reply)) {
    calls.decide('give_up', 'rule', 'it_waits_for_its_own_people', null);
    return gaveUp(request, 'remote_failed');
  }
  const asked = (open?.asked ?? 0) + 1;
  if (asks && (asked > MAX_QUESTIONS || asksForSecret(text))) {
    calls.decide('give_up', 'rule', asked > MAX_QUESTIONS ? 'it_keeps_asking' : 'it_asks_for_a_secret', null);
    return gaveUp(request, 'remote_failed');
  }
  const mayFollow = asks || text.endsWith('?');
  const { taskId, contextId } = reply;
  const task =
    mayFollow && (taskId !== null || contextId !== null) && asked <= MAX_QUESTIONS
      ? { task_id: asks ? taskId : null, context_id: contextId, goal: open?.goal ?? goal.text, asked }
      : null;
  const { steps } = calls;
  const outcome = asks ? ('asks' as const) : ('answered' as const);
  return { agent, outcome, text, facts, code: null, uncertain: false, task, steps };
}

/** True where the structured output only says the same once more. */
function repeats({ text, data }: RemoteReply): boolean {
  const words = text.trim();
  return (
    words !== '' &&
    Object.values(data ?? {}).some((value) => typeof value === 'string' && value.trim() === words)
  );
}

const ITS_OPERATORS =
  /(?<!\p{L})(?:our (?:team|staff|operators?|specialists?)|(?:an?|to a) (?:operator|human|colleague|person)|nossa equipe|nosso time|(?:um|uma) (?:atendente|pessoa|operador[a]?))(?!\p{L})/iu;

/** It has no answer itself and passes the request on to people of its own: this customer cannot wait for them here. */
function waitsForOperator({ state, text, data }: RemoteReply): boolean {
  if (data?.escalated === true) return true;
  return state === 'input_required' && !text.includes('?') && ITS_OPERATORS.test(text);
}

function gaveUp({ agent, calls }: RemoteRequest, code: string | null, uncertain = false): RemoteOutcome {
  const { steps } = calls;
  return { agent, outcome: 'gave_up', text: '', facts: [], code, uncertain, task: null, steps };
}

function isSilent(agent: string): HubError {
  return new HubError('remote_failed', `The agent ${agent} answered nothing.`, { agent });
}

/** What happens after a structured call that did not work. */
type AfterFailure =
  | { readonly kind: 'reword'; readonly reason: string }
  | {
      readonly kind: 'give_up';
      readonly reason: string;
      /** True where the remote agent may have done it nevertheless. */
      readonly uncertain: boolean;
    };

/** What is known when a structured call has failed. */
interface Failure {
  readonly error: HubError;
  /** True where the card says that the skill changes nothing. */
  readonly readOnly: boolean;
  /** True where the other agent takes plain messages. */
  readonly generic: boolean;
}

/** The skill is not there, whatever the card says: nothing was looked at, so nothing was refused. */
const GONE_STATUSES = new Set([404, 405, 410]);

/**
 * Looks at the goal again by rules. What was refused is not asked again in other words; what may have been done already
 * is not sent another way; an agent that cannot be reached by its skill may still answer a message.
 */
function reconsider({ error, readOnly, generic }: Failure): AfterFailure {
  const stop = (reason: string, uncertain = false): AfterFailure => ({ kind: 'give_up', reason, uncertain });
  const { code, fields } = error;
  const uncertain = !readOnly && isUncertain(error);
  if (uncertain) return stop('it_may_have_been_done', true);
  if (code === 'remote_forbidden_address') return stop('forbidden_address');
  if (code === 'remote_refused' && !GONE_STATUSES.has(Number(fields.status))) return stop('refused');
  if (code === 'remote_failed' && !readOnly) return stop('failed_there');
  if (!generic) return stop('no_other_way');
  return { kind: 'reword', reason: code };
}

/** True where the call may have been carried out although it failed. */
function isUncertain({ code, fields }: HubError): boolean {
  return code === 'remote_bad_answer' || (code === 'remote_unreachable' && fields.certain !== true);
}
