import type { Language } from '../core/domain/taxonomy.js';
import type { OpenRequest } from './references.js';
import type { Turn, TurnDeps } from './turn.js';

/* "Never mind" may take back a request that waits for operators, or be said of what was told last. */

type Deps = Pick<TurnDeps, 'graph'>;

/** Messages that are looked through for what was said last. */
const RECENT = 4;

/** True where the end of the last answer is about one of these: after anything else "never mind" is said of that. */
export async function isSpokenOf(
  { graph: { tickets, tools } }: Deps,
  { thread }: Pick<Turn, 'thread'>,
  requests: readonly OpenRequest[],
  language: Language,
): Promise<boolean> {
  const said = await tickets.listThreadMessages(thread.threadId, RECENT);
  const last = said.findLast(({ role }) => role === 'hub')?.content ?? '';
  const end = last.split(/\n{2,}/).at(-1) ?? '';
  const names = requests.flatMap(({ name, about }) => (about ? [name, about.title] : [name]));
  const waits = tools.texts.for(language).say('waiting_for_approval');
  return [...names, waits].some((one) => end.includes(one));
}

/** What is asked after it: "that was another one. But never mind. What else do I have?"; the whole where that asks nothing. */
export function askedAfterBare({ graph: { dialogue, language } }: Deps, text: string): string {
  const sentences = dialogue.sentencesIn(text);
  const last = sentences.findLastIndex((one) => language.readRequestAct(one).isBare);
  const after = sentences.slice(last + 1);
  return after.some((one) => one.includes('?')) ? after.join(' ') : text;
}
