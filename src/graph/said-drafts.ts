import type { Draft, Session } from '../core/domain/session.js';
import type { Sentences } from '../core/i18n/index.js';
import { withoutCitations } from './review-rules.js';
import { unansweredNote } from './unanswered-parts.js';

/** What the customer reads of drafts: those that may be sent, and what the hub adds to any of them. */
export function saidIn(drafts: readonly Draft[], faulty: ReadonlySet<Draft>): readonly string[] {
  return drafts.flatMap((draft) => [
    ...(isSaid(draft, faulty) ? [withoutCitations(draft.text)] : []),
    ...(draft.note ? [draft.note] : []),
  ]);
}

/** Names what stays unanswered beside what is said. */
export function owedIn(
  drafts: readonly Draft[],
  faulty: ReadonlySet<Draft>,
  session: Session,
  texts: Sentences,
): readonly string[] {
  const said = drafts.filter((draft) => isSaid(draft, faulty));
  return unansweredNote(drafts, said, session, texts);
}

/** True where a draft's own words go out. */
export function isSaid(draft: Draft, faulty: ReadonlySet<Draft>): boolean {
  return draft.text !== '' && !draft.unanswered && !faulty.has(draft);
}
