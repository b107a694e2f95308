import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { Suggestion } from '../core/desk-reads.js';
import type { SearchHit } from '../core/domain/article.js';
import type { Customer } from '../core/domain/customer.js';
import { englishNameOf, onlyIn } from '../core/domain/language.js';
import type { SkillRun } from '../core/domain/skill.js';
import { ESCALATION_ROUTE, type Language } from '../core/domain/taxonomy.js';
import { toHubError } from '../core/errors.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { citedIds, reviewText, withoutCitations } from '../graph/review-rules.js';
import { readPrompt } from '../runtime/build-agent.js';
import { answerDraft, type DraftWords, openDraft } from './drafts.js';
import { gatherMaterial, type SuggestMaterial, sessionOf, wasCited, wasSaid } from './suggest-material.js';

/** The prompt of the model that drafts an operator's reply. */
export const SUGGEST_PROMPT = new URL('./suggest.md', import.meta.url);

const MODEL_MS = 30_000;
/** An article up to this long is given whole: cutting is less work than looking up. */
const WHOLE_CHARS = 1_000;
/** So sure an article must be that it answers a question. */
const ANSWERS = 0.5;
/** The same of what is only told, to which some article is always the nearest: more, where many of its words are foreign to the article. */
const [ANSWERS_TOLD, ANSWERS_ANYHOW] = [0.65, 0.88];
const OWN_WORDS = 0.6;
/** From here on it is known what is told, whatever words it has. */
const UNDERSTOOD = 0.9;
/** From here on what is told is a complaint, or for a person alone: no article answers that. */
const NO_ARTICLES = 0.5;
/** The mark of a point of a list, and so many characters by which one is known. */
const LISTED = /^(?:[-*]|\d+[.)])\s+/;
const KNOWN_BY = 60;
/** A word of a name that can be said. */
const SAYABLE = /^[\p{L}][\p{L}'’-]{0,39}$/u;

/**
 * What the hub would reply to the customer's last messages. Reads only: nothing is stored, no tool is called. By the
 * model where there is one, in one call; its draft has to pass the review that every answer passes.
 * @throws HubError `not_found`
 */
export async function suggest(deps: GraphDeps, ticketId: string): Promise<Suggestion> {
  const material = await gatherMaterial(deps, ticketId);
  return (await byModel(deps, material)) ?? (await byRules(deps, material));
}

/** Null where there is no model, it cannot be reached, or what it wrote must not be sent. */
async function byModel(deps: GraphDeps, material: SuggestMaterial): Promise<Suggestion | null> {
  if (deps.models.provider === 'offline' || material.asked === '') return null;
  const { log } = deps.tools;
  const { ticketId } = material.ticket;
  try {
    const answer = await deps.models
      .forRole('knowledge')
      .invoke([systemMessage(deps, material), ...conversationOf(material)], {
        signal: AbortSignal.timeout(MODEL_MS),
        metadata: { ticket_id: ticketId },
      });
    if (answer.response_metadata.hub_provider === 'offline') return null;
    const text = answer.text.trim();
    const finding =
      text === '' ? null : reviewText(text, material.trace, sessionOf(material), deps.tools.roster);
    if (text !== '' && finding === null) return cited(text, material.hits, 'openai');
    log.warn({
      agent: 'desk',
      action: 'draft_rejected',
      ticketId,
      details: { fault: finding?.fault ?? 'empty' },
    });
  } catch (error) {
    const { code } = toHubError(error);
    log.warn({ agent: 'desk', action: 'draft_failed', ticketId, details: { code } });
  }
  return null;
}

function systemMessage(deps: GraphDeps, material: SuggestMaterial): SystemMessage {
  return new SystemMessage({
    content: promptOf(deps, material),
    additional_kwargs: { hub_language: material.language },
  });
}

function promptOf({ tools }: GraphDeps, material: SuggestMaterial): string {
  const { language, user, classification, escalation, runs, hits, awaitsApproval } = material;
  const name = user?.name ?? null;
  const findings = runs.flatMap((run) => {
    const value = run.result?.kind === 'investigation' ? run.result.value : null;
    return value?.explanation ? [value.explanation] : [];
  });
  const data = {
    customer: name,
    about: classification?.summary ?? null,
    waits_for_approval: awaitsApproval,
    found: [...findings, ...(escalation?.found ?? [])],
    articles: hits.map(({ articleId, title, content }) => ({ article_id: articleId, title, content })),
  };
  return `${readPrompt(SUGGEST_PROMPT, tools.company).trim()}\n\n## This reply\nWrite in ${englishNameOf(language)}.\nThe record, as JSON:\n${JSON.stringify(data)}`;
}

/** The end of the conversation as the model reads one. It ends with what is asked. */
function conversationOf({ messages, asked }: SuggestMaterial) {
  const last = messages.findLastIndex(({ role }) => role !== 'customer');
  const earlier = messages
    .slice(0, last + 1)
    .filter(({ role }) => role !== 'system')
    .slice(-8)
    .map(({ role, content }) => (role === 'customer' ? new HumanMessage(content) : new AIMessage(content)));
  return [...earlier, new HumanMessage(asked)];
}

/** An investigation's own words for the customer, else the best article, else a question for what is missing; nothing that was said before. */
async function byRules(deps: GraphDeps, material: SuggestMaterial): Promise<Suggestion> {
  const { classification, hits, runs, language } = material;
  const words: DraftWords = {
    texts: deps.tools.texts.for(language),
    name: nameOf(material.user),
    frustrated: classification?.sentiment === 'frustrated',
  };
  const maySay = (answer: string): boolean =>
    reviewText(answer, material.trace, sessionOf(material), deps.tools.roster) === null;
  const found = runs.map((run) => foundFor(run, language)).findLast((message) => message !== null) ?? null;
  const isTold = found !== null && wasSaid(material, found);
  if (found !== null && !isTold && maySay(found))
    return { text: answerDraft(words, found), citations: [], provider: 'offline', unanswered: false };
  const [best] = hits;
  const known = best !== undefined && answers(deps, material, best);
  const answer = known ? excerpt(best) : '';
  // What was looked into, or read in the article, and is told all the same is not answered by the article.
  const isAgain = !deps.dialogue.isQuestion(material.question) && (isTold || wasCited(material, best));
  const isOld = known && (isAgain || wasSaid(material, answer) || wasSaid(material, best.passage));
  // An article may promise what a person who answers here cannot keep.
  if (known && !isOld && maySay(answer)) {
    const { articleId, title, confidence } = best;
    return {
      text: answerDraft(words, answer),
      citations: [{ articleId, title, confidence }],
      provider: 'offline',
      unanswered: false,
    };
  }
  const text = await openDraft(deps, material, words, isOld || isTold);
  return { text, citations: [], provider: 'offline', unanswered: material.question !== '' && !known };
}

/** True where an article is surely about what is asked, and not the nearest to a symptom that none is about. */
function answers(
  { dialogue, language: reader, tools }: GraphDeps,
  { question, language }: SuggestMaterial,
  { confidence, told }: SearchHit,
): boolean {
  const { confidence_threshold: least } = tools.policy.retrieval;
  if (dialogue.isQuestion(question)) return confidence >= Math.max(least, ANSWERS);
  const requests = reader.requests(question, language);
  const isForPerson = requests.some(
    ({ intent, route, confidence: sure }) =>
      sure >= NO_ARTICLES && (intent === 'complaint' || route === ESCALATION_ROUTE),
  );
  if (isForPerson) return false;
  const isPlain = told > OWN_WORDS || requests.some(({ confidence: sure }) => sure >= UNDERSTOOD);
  return confidence >= Math.max(least, isPlain ? ANSWERS_TOLD : ANSWERS_ANYHOW);
}

/** A short article whole; of a long one what answers, and where that is a part of a list all of the list: one point may lean on another. */
function excerpt({ content, passage }: SearchHit): string {
  if (content.length <= WHOLE_CHARS) return content.trim();
  const [first = '', ...more] = passage.split(/\n+/);
  const list = content
    .split(/\n{2,}/)
    .find((block) => LISTED.test(block) && block.includes(first.replace(LISTED, '').slice(0, KNOWN_BY)));
  if (list === undefined) return passage;
  return [list, ...more.filter((line) => !list.includes(line.replace(LISTED, '').trim()))].join('\n\n');
}

/** What the skill has to say to the customer. */
function foundFor(run: SkillRun, language: Language): string | null {
  const value = run.result?.kind === 'investigation' ? run.result.value.customer_message : null;
  return onlyIn(value ?? run.handoff?.proposal?.customer_message ?? {}, language) ?? null;
}

function nameOf(user: Customer | null): string | null {
  const [first = ''] = user?.name.trim().split(/\s+/) ?? [];
  return SAYABLE.test(first) ? first : null;
}

function cited(text: string, hits: readonly SearchHit[], provider: Suggestion['provider']): Suggestion {
  const ids = new Set(citedIds(text));
  const citations = hits
    .filter(({ articleId }) => ids.has(articleId))
    .map(({ articleId, title, confidence }) => ({ articleId, title, confidence }));
  return { text: withoutCitations(text), citations, provider, unanswered: false };
}
