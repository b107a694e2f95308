import type { Deed, GuardrailFault } from '../core/domain/guardrail.js';
import type { Draft, Session, ToolTrace } from '../core/domain/session.js';
import type { ToolRoster } from '../runtime/define-tool.js';
import { ASK_REMOTE_AGENT } from '../runtime/remote/remote-calls.js';
import { claimsOf } from '../runtime/roster.js';
import { unsupportedIn } from './claims/check.js';
import { sentencesOf } from './claims/sentences.js';
import type { Unsupported } from './claims/statements.js';
import type { TurnEvidence } from './claims/turn-evidence.js';
import { asksSecret, claimsForUs } from './outside-claims.js';

export interface ReviewFinding {
  readonly fault: GuardrailFault;
  /** Told to the model that has to write it again. */
  readonly advice: string;
  /** True where rules know better at once, from a record or articles that were read. */
  readonly byRules?: boolean;
}

/** `[some-id]`: one word with a digit, dash or underscore in it; article ids may have any such shape. */
const CITATION = /\[(?=[^\]\s]{0,119}[\d_-])([\p{L}\p{N}][\p{L}\p{N}_.:-]{0,119})\](?!\()/giu;
const EMAIL = /[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,253}\.[a-z]{2,24}/gi;

const CLAIM_ADVICE =
  'It says that something of the company was approved, changed or paid, which no agent elsewhere can know.';
const SECRET_ADVICE = 'It asks for a password, a code, or a card or identity number.';

/** What a model that wrote more than it knows is told. */
const UNSUPPORTED_ADVICE: Readonly<Record<Unsupported['kind'], string>> = {
  claimed_action: 'It says that something was done which no tool did and no record shows',
  promise: 'It promises something that no rule it was given says',
  figure: 'It gives an amount, date, time or number that stands in none of its sources',
};

/** An answer says that something was done. */
interface DoneClaim {
  readonly words: RegExp;
  /** One of them is enough. */
  readonly deeds: readonly Deed[];
  /** True where what a customer's record says may be meant, and not what the hub has done. */
  readonly orRecord: boolean;
}

const DONE_CLAIMS: readonly DoneClaim[] = [
  {
    words:
      /\b(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |now |already |successfully )*cancell?ed\b|\bcancelei\b|\bcancelamos\b/i,
    deeds: ['cancel'],
    orRecord: false,
  },
  {
    words:
      /\b(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |now |already |successfully )*(?:refunded|issued|processed)\b|\breembolsei\b|\breembolsamos\b/i,
    deeds: ['refund'],
    orRecord: false,
  },
  {
    words:
      /\b(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |now |already |successfully )*(?:paused|resumed|reactivated)\b|\bpausei\b|\breativei\b|\bpausamos\b/i,
    deeds: ['pause', 'resume'],
    orRecord: false,
  },
  {
    words:
      /\b(?:has|have) (?:now |just |successfully )?been (?:cancell?ed|refunded|paused|resumed)\b|\bfo(?:i|ram) (?:cancelad|reembolsad|pausad|reativad)[oa]s?\b/i,
    deeds: ['cancel', 'refund', 'pause', 'resume'],
    orRecord: true,
  },
];

const PROMISES =
  /\b(?:i|we)(?:'ll| will) (?:call|contact|e-?mail|get back to|follow up|reach out|escalate|look into|make sure)\b|\b(?:someone|somebody|an? agent|our team) will (?:call|contact|reach|get back|e-?mail)\b|\bvou (?:ligar|entrar em contato|retornar|verificar e)\b|\b(?:vamos|iremos) (?:ligar|entrar em contato|retornar)\b|\b(?:algu[eé]m|nossa equipe) (?:vai|ir[aá]) (?:ligar|entrar em contato|retornar)\b/i;

const HANDOFF =
  /\btransfer(?:ring|red)? (?:you |this |back )?(?:back )?to (?:the |an? |our )?(?:\w+ )?(?:agent|supervisor|assistant)\b|\btransfer(?:ring|red)? you\b|\bhand(?:ing)? (?:you |this )?(?:over|off) to\b|\b(?:vou|estou) (?:te |lhe )?transferi(?:r|ndo)\b|\bsorry, need more steps\b|\b(?:knowledge|account|action|triage) agent\b/i;

/** A question whether to escalate claims no escalation. */
function narratesHandoff(text: string): boolean {
  return HANDOFF.test(text) && sentencesOf(text).some((one) => !one.question && HANDOFF.test(one.text));
}

/** An answer of the hub's own model against all that the turn knows. */
function unsupported(
  answer: string,
  evidence: TurnEvidence,
  agent: string | undefined,
): ReviewFinding | null {
  const found = unsupportedIn(withoutCitations(answer), evidence);
  if (found === null) return null;
  const byRules = agent !== undefined && (evidence.readsRecords(agent) || evidence.quotesOf(agent) !== null);
  return {
    fault: found.kind,
    byRules,
    advice: `${UNSUPPORTED_ADVICE[found.kind]}: "${found.what.slice(0, 200)}".`,
  };
}

/**
 * An answer that rules wrote from what tools returned, or one of an agent elsewhere: no deed that no tool did, no promise.
 * @param trace what counts as done; what other agents of the turn did is no evidence for what one elsewhere says
 */
function unfounded(answer: string, trace: readonly ToolTrace[], roster: ToolRoster): ReviewFinding | null {
  const text = withoutQuotes(answer, trace);
  const done = new Set(trace.flatMap((entry) => claimsOf(roster, entry)));
  const hasRecord = trace.some(({ ok, tool }) => ok && roster.all.get(tool)?.access === 'customer');
  for (const { words, deeds, orRecord } of DONE_CLAIMS) {
    const isFounded = deeds.some((deed) => done.has(deed)) || (orRecord && hasRecord);
    if (!isFounded && words.test(text))
      return { fault: 'claimed_action', advice: 'It says that something was done which no tool did.' };
  }
  return PROMISES.test(text)
    ? { fault: 'promise', advice: 'It promises something that nobody will do.' }
    : null;
}

/** An answer without the sentences that stand in an article of this turn: "quando a viagem foi cancelada" is a rule there. */
function withoutQuotes(answer: string, trace: readonly ToolTrace[]): string {
  const contents = trace.flatMap(({ ok, tool, result }) => {
    const { articles = [] } = (ok && tool === 'search_knowledge' ? result : {}) as {
      articles?: { content?: string }[];
    };
    return articles.map(({ content = '' }) => content);
  });
  if (contents.length === 0) return answer;
  return sentencesOf(withoutCitations(answer))
    .map(({ text }) => text)
    .filter((sentence) => !contents.some((content) => content.includes(sentence.trim())))
    .join('');
}

/** The ids an answer cites, in order, each once. */
export function citedIds(text: string): readonly string[] {
  return [...new Set([...text.matchAll(CITATION)].map((match) => match[1] ?? ''))];
}

/** The answer without its citation marks. */
export function withoutCitations(text: string): string {
  return text
    .replace(CITATION, '')
    .replace(/(?<![ \t])[ \t]+([.,;:!?])/g, '$1')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .trim();
}

/** The articles that searches of this turn returned, by id. What a stored call of an earlier turn returned is not known. */
export function retrievedArticles(
  trace: readonly ToolTrace[],
): ReadonlyMap<string, { title: string; confidence: number }> {
  const found = new Map<string, { title: string; confidence: number }>();
  for (const entry of trace) {
    if (!entry.ok) continue;
    if (entry.tool === 'search_knowledge') {
      const { articles = [] } = entry.result as {
        articles?: { article_id: string; title: string; confidence: number }[];
      };
      for (const { article_id: id, title, confidence } of articles)
        if (!found.has(id)) found.set(id, { title, confidence });
    }
    if (entry.tool === 'get_article_by_id') {
      const { article_id: id, title = '' } = entry.result as { article_id?: string; title?: string };
      if (id !== undefined && !found.has(id)) found.set(id, { title, confidence: 1 });
    }
  }
  return found;
}

/** True where the agent's answer comes from an agent elsewhere. */
export function isFromElsewhere(agent: string, trace: readonly ToolTrace[]): boolean {
  return trace.some((entry) => entry.agent === agent && entry.tool === ASK_REMOTE_AGENT);
}

/**
 * Reads an answer as a careful colleague would before it is sent. Pure. Works on one draft, or on the sentences
 * of one as they come.
 * @param text the answer or its beginning
 * @param trace this turn's tool calls
 * @param roster says what each of them did
 * @param agent who says it, where that is known
 * @param evidence all that the turn knows, for what the hub's own model wrote; rules write from what tools returned
 * @returns the first fault, or null where it may be sent
 */
export function reviewText(
  text: string,
  trace: readonly ToolTrace[],
  session: Session,
  roster: ToolRoster,
  agent?: string,
  evidence?: TurnEvidence,
): ReviewFinding | null {
  const elsewhere = agent !== undefined && isFromElsewhere(agent, trace);
  if (elsewhere && claimsForUs(text)) return { fault: 'claimed_action', advice: CLAIM_ADVICE };
  if (elsewhere && asksSecret(text)) return { fault: 'asks_secret', advice: SECRET_ADVICE };
  const sources = retrievedArticles(trace);
  const invented = citedIds(text).find((id) => !sources.has(id));
  if (invented) return { fault: 'unknown_source', advice: `It cites ${invented}, which was not retrieved.` };
  const finding =
    evidence && !elsewhere
      ? unsupported(text, evidence, agent)
      : unfounded(text, elsewhere ? [] : trace, roster);
  if (finding) return finding;
  if (narratesHandoff(text))
    return { fault: 'narrates_handoff', advice: 'It speaks of agents or of a transfer.' };
  const named = text.match(EMAIL) ?? [];
  const own = session.identity.kind === 'customer' ? session.identity.email.toLowerCase() : '';
  const shown = named.length === 0 ? '' : JSON.stringify(trace.map((entry) => entry.result)).toLowerCase();
  const foreign = named.find((email) => email.toLowerCase() !== own && !shown.includes(email.toLowerCase()));
  if (foreign) return { fault: 'foreign_email', advice: 'It names an e-mail address from no source.' };
  return null;
}

/** The whole draft: everything of reviewText, and that there is an answer at all. */
export function reviewDraft(
  draft: Draft,
  trace: readonly ToolTrace[],
  session: Session,
  roster: ToolRoster,
  evidence?: TurnEvidence,
): ReviewFinding | null {
  if (draft.unanswered) return null;
  if (withoutCitations(draft.text) === '') return { fault: 'empty', advice: 'It is empty.' };
  return reviewText(
    draft.text,
    trace,
    session,
    roster,
    draft.agent,
    draft.provider === 'openai' ? evidence : undefined,
  );
}
