import { HAND_MARKS } from './domain/hand-marks.js';
import type { PendingAction } from './domain/pending.js';
import type { TicketMessage } from './domain/ticket.js';

/** Stored before an answer that nobody could read at the time. */
export const STOPPED = 'The hub stopped before it could answer.';

const MERGED = ' merged another ticket of this customer into this one.';
const CHOSE = /^(.*) chose ([A-Z])(?: \([^)]*\))?\.$/;
const LEFT_TO_DO = 'Left to do by hand: ';
const ASKED_AGAIN = 'Asked again while it waits: ';
const WITHDREW =
  /^The customer withdrew the request for (\S+) .*\. Nothing was changed\. Their words: "(.*)"$/;

/** A change of hands, as it stands among the messages that the desk sees. */
type DeskMarker =
  | { readonly kind: 'took_over' | 'put_back' | 'resolved' }
  | { readonly kind: 'handed_back'; readonly name: string; readonly note: string | null };

export const DESK_NOTE_KINDS = [
  'took_over',
  'put_back',
  'lapsed',
  'shift_ended',
  'handed_back',
  'merged',
  'resolved',
  'chose',
  'left_to_do',
  'asked_again',
  'withdrawn',
  'stopped',
] as const;

/** What happened on a ticket, for a surface to word in the reader's language. */
export interface DeskNote {
  readonly kind: (typeof DESK_NOTE_KINDS)[number];
  /** Of the operator who did it; null where that was the customer or the hub. */
  readonly name: string | null;
  /** What somebody wrote: a reason, a note, the customer's words, what is left to do. */
  readonly text: string | null;
  /** The option of an investigation. */
  readonly choice: string | null;
  /** What was withdrawn. */
  readonly tool: string | null;
}

/** How what happened on a ticket is stored; read again by `noteOf` and `markerOf`, and never shown as it is. */
export const deskNotes = {
  tookOver: (name: string, why: string | null = null): string =>
    oneLine(name) + HAND_MARKS.took_over + below(why),
  putBack: (name: string): string => oneLine(name) + HAND_MARKS.put_back,
  lapsed: (name: string): string => oneLine(name) + HAND_MARKS.lapsed,
  shiftEnded: (name: string): string => oneLine(name) + HAND_MARKS.shift_ended,
  handedBack: (name: string, note: string | null): string =>
    oneLine(name) + HAND_MARKS.handed_back + below(note),
  merged: (name: string, summary: string): string =>
    oneLine(name) + MERGED + below(summary === '' ? null : summary),
  resolved: (name: string): string => oneLine(name) + HAND_MARKS.resolved,
  chose: (name: string, choice: string): string => `${oneLine(name)} chose ${choice}.`,
  /** What an operator goes on with by hand. */
  leftToDo: ({
    recommended_action: action,
    explanation,
  }: {
    readonly recommended_action: string | null;
    readonly explanation: string | null;
  }): string => `${LEFT_TO_DO}${(action ?? '').replaceAll('_', ' ')}. ${explanation ?? ''}`.trim(),
  askedAgain: (summary: string): string => `${ASKED_AGAIN}"${summary}"`,
  /** One line that ends in a quotation mark, so that the customer's words never read as a change of hands. */
  withdrawn: ({ tool, args, reason }: Pick<PendingAction, 'tool' | 'args' | 'reason'>): string =>
    `The customer withdrew the request for ${tool} ${JSON.stringify(args)}. Nothing was changed. Their words: "${oneLine(reason ?? '')}"`,
};

const NOTHING = { name: null, text: null, choice: null, tool: null };

/** What a stored message says happened; null for any other message. Only the hub writes system messages. */
export function noteOf({ role, content }: Pick<TicketMessage, 'role' | 'content'>): DeskNote | null {
  if (role !== 'system') return null;
  if (content === STOPPED) return { ...NOTHING, kind: 'stopped' };
  if (content.startsWith(LEFT_TO_DO))
    return { ...NOTHING, kind: 'left_to_do', text: content.slice(LEFT_TO_DO.length) };
  if (content.startsWith(ASKED_AGAIN))
    return { ...NOTHING, kind: 'asked_again', text: content.slice(ASKED_AGAIN.length + 1, -1) };
  const [, tool = null, words = null] = WITHDREW.exec(content) ?? [];
  if (tool !== null) return { ...NOTHING, kind: 'withdrawn', tool, text: words };
  const [, chooser = null, choice = null] = CHOSE.exec(content) ?? [];
  if (choice !== null) return { ...NOTHING, kind: 'chose', name: chooser, choice };
  const end = content.indexOf('\n');
  const line = end === -1 ? content : content.slice(0, end);
  const text = end === -1 ? null : content.slice(end + 1);
  for (const [kind, ending] of ENDINGS)
    if (line.endsWith(ending)) return { ...NOTHING, kind, name: line.slice(0, -ending.length), text };
  return null;
}

const ENDINGS = [
  ...(Object.entries(HAND_MARKS) as [keyof typeof HAND_MARKS, string][]),
  ['merged', MERGED],
] as const;

/** What a message says about the conversation's hands; null for any other message. */
export function markerOf(message: Pick<TicketMessage, 'role' | 'content'>): DeskMarker | null {
  const note = noteOf(message);
  switch (note?.kind) {
    case 'took_over':
    case 'put_back':
    case 'resolved':
      return { kind: note.kind };
    case 'lapsed':
    case 'shift_ended':
      return { kind: 'put_back' };
    case 'handed_back':
      return { kind: 'handed_back', name: note.name ?? '', note: note.text };
    default:
      return null;
  }
}

/** What stands under the line of a marker. */
function below(text: string | null): string {
  return text === null ? '' : `\n${text}`;
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}
