import type { PendingAction } from './domain/pending.js';
import type { TicketMessage } from './domain/ticket.js';

/** What the hub writes for operators by itself, as a run or an escalation keeps it. `{a}` and `{b}` are what it speaks of. */
const SENTENCES = {
  accept_finding: 'Accept the finding: {a}',
  go_on_answer: 'Go on with this answer',
  accept_so_far: 'Accept what was found so far and end here',
  go_on_step: 'Go on with: {a}',
  person: 'A person takes over',
  go_on_guesses: 'Go on with the values given, and with what was inferred for {a}',
  go_on_given: 'Go on with the values given; without them this step is left out',
  needs: 'The step {a} needs {b}.',
  contradiction: 'The findings contradict each other: {a}. Which one holds?',
  low_confidence: 'The finding {a} is not certain enough ({b}). Is it right?',
  critical: 'The finding is {a}. May {b} be recommended?',
  stuck: '"{a}" leads no further: {b}',
  slow: 'It did not end within {a} s.',
  dead_end: 'The path ends here without a cause.',
  many_steps: '{a} steps have led to no cause.',
  unmet: 'The step needs {a}, which does not hold.',
  no_decision: 'None of its decisions fits what was found.',
  weighed: 'Weighed against what is known',
  holds: '{a} holds ({b})',
  hypothesis: 'Hypothesis',
  next_look: 'Next a look at {a} ({b})',
  model_chose: 'chosen by the model with confidence {a}: {b}',
  model_sure: 'chosen by the model with confidence {a}',
  unclassified: 'A message that could not be classified.',
  article: 'Article "{a}" (confidence {b})',
  answered: 'Answered so far: {a}',
  done: 'Done: {a}',
  reply: 'Reply to the customer',
  ask: 'Ask the customer for more details',
  add_article: 'Add or correct an article in the knowledge base, then reply',
  to_legal: 'Pass on to the data protection officer or to legal',
  by_hand: 'Do the requested change by hand',
  rest_by_hand: 'Do by hand what is left of the request',
  resolve: 'Resolve without a reply',
  part_waits: 'A part of this check waits for a person; it is left out.',
} as const;

/** One of them with what it speaks of, for a surface to word in the reader's language. */
interface DeskSentence {
  readonly kind: keyof typeof SENTENCES;
  readonly a: string;
  readonly b: string;
}

const PATTERNS = Object.entries(SENTENCES).map(([kind, sentence]) => {
  const escaped = sentence.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = escaped.replace(/\{([ab])\}/g, '(?<$1>.+?)');
  return [kind as DeskSentence['kind'], new RegExp(`^${pattern}$`, 's')] as const;
});

/** The sentence as a run keeps it; read again by `deskSentenceIn`, and shown as it is in English alone. */
export function deskSays(kind: DeskSentence['kind'], a = '', b = ''): string {
  return SENTENCES[kind].replace(/\{([ab])\}/g, (_place, name) => (name === 'a' ? a : b));
}

/** Which of these sentences a text is; null for what a pack, a model or a person has written. */
export function deskSentenceIn(text: string): DeskSentence | null {
  for (const [kind, pattern] of PATTERNS) {
    const found = pattern.exec(text);
    if (found !== null) return { kind, a: found.groups?.['a'] ?? '', b: found.groups?.['b'] ?? '' };
  }
  return null;
}

/** How the line ends that is stored when a conversation changes hands; it begins with the operator's name. */
export const HAND_MARKS = {
  took_over: ' took the conversation over.',
  put_back: ' put the conversation back into the queue.',
  lapsed: ' was not heard of for too long: the conversation is back in the queue.',
  shift_ended: ' ended the shift: the conversation is back in the queue.',
  handed_back: ' handed the conversation back to the hub.',
  resolved: ' resolved the ticket.',
} as const;

/** Stored before an answer that nobody could read at the time. */
export const STOPPED = 'The hub stopped before it could answer.';

/** How the lines end of what else an operator does with a ticket as it is. */
export const WORK_MARKS = {
  merged: ' merged another ticket of this customer into this one.',
  snoozed: ' put the ticket aside.',
  woken: ' took the ticket up again.',
} as const;
const CHOSE = /^(.*) chose ([A-Z])(?: \([^)]*\))?\.$/;
/** Sentences about an action, which is in their middle. */
const OF_ACTIONS = {
  agreed_unknown: ['The customer agreed to ', '; whether it was done is not known yet.'],
  agreed_open: ['The customer agreed to ', '; an approval is open for it.'],
  agreed_undone: ['The customer agreed to ', '; nothing of it was done.'],
  declined: ['The customer declined ', '.'],
  done: ["Done at the customer's word: ", '.'],
  done_again: ['Lost, and done again as agreed to: ', '.'],
} as const;
/** Sentences about words, which stand in their middle; words of others in quotation marks, so that they never read as a change of hands. */
const OF_WORDS = {
  left_to_do: ['Left to do by hand: ', ''],
  asked_again: ['Asked again while it waits: "', '"'],
  unanswered: ['Withdrawn, the customer had not answered: "', '"'],
  called_off: ['The customer no longer needs the team: "', '"'],
  mail_bounced: ['The mail could not be delivered: "', '"'],
  mail_not_proven: ['The sender of the mail is not proven: "', '"'],
  mail_left: ['Attachments of the mail that were not kept: "', '"'],
  mail_cut: ['The mail was too large to be read whole.', ''],
} as const;
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
  'snoozed',
  'woken',
  'resolved',
  'chose',
  'withdrawn',
  'stopped',
  'agreed_unknown',
  'agreed_open',
  'agreed_undone',
  'declined',
  'done',
  'done_again',
  'left_to_do',
  'asked_again',
  'unanswered',
  'called_off',
  'mail_bounced',
  'mail_not_proven',
  'mail_left',
  'mail_cut',
] as const;

/** What happened on a ticket, for a surface to word in the reader's language. */
interface DeskNote {
  readonly kind: (typeof DESK_NOTE_KINDS)[number];
  /** Of the operator who did it; null where that was the customer or the hub. */
  readonly name: string | null;
  /** What somebody wrote: a reason, a note, the customer's words, what is left to do. */
  readonly text: string | null;
  /** The option of an investigation. */
  readonly choice: string | null;
  /** What was withdrawn, agreed to, declined or done. */
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
    oneLine(name) + WORK_MARKS.merged + below(summary === '' ? null : summary),
  /** @param until ISO 8601 UTC; null where it is put aside no longer */
  snoozed: (name: string, until: string | null): string =>
    oneLine(name) + (until === null ? WORK_MARKS.woken : WORK_MARKS.snoozed) + below(until),
  resolved: (name: string): string => oneLine(name) + HAND_MARKS.resolved,
  chose: (name: string, choice: string): string => `${oneLine(name)} chose ${choice}.`,
  /** What an operator continues with by hand. */
  leftToDo: ({
    recommended_action: action,
    explanation,
  }: {
    readonly recommended_action: string | null;
    readonly explanation: string | null;
  }): string =>
    deskNotes.said('left_to_do', `${(action ?? '').replaceAll('_', ' ')}. ${explanation ?? ''}`.trim()),
  said: (kind: keyof typeof OF_WORDS, words: string): string => OF_WORDS[kind].join(oneLine(words)),
  /** What became of a question to the customer, with the question. */
  became: (
    kind: keyof typeof OF_ACTIONS,
    { tool, args, question }: Pick<PendingAction, 'tool' | 'args' | 'question'>,
  ): string => OF_ACTIONS[kind].join(`${tool} ${JSON.stringify(args)}`) + below(question),
  /** One line that ends in a quotation mark, so that the customer's words never read as a change of hands. */
  withdrawn: ({ tool, args, reason }: Pick<PendingAction, 'tool' | 'args' | 'reason'>): string =>
    `The customer withdrew the request for ${tool} ${JSON.stringify(args)}. Nothing was changed. Their words: "${oneLine(reason ?? '')}"`,
};

const NOTHING = { name: null, text: null, choice: null, tool: null };

/** What a stored message says happened; null for any other message. Only the hub writes system messages. */
export function noteOf({ role, content }: Pick<TicketMessage, 'role' | 'content'>): DeskNote | null {
  if (role !== 'system') return null;
  if (content === STOPPED) return { ...NOTHING, kind: 'stopped' };
  const [, tool = null, words = null] = WITHDREW.exec(content) ?? [];
  if (tool !== null) return { ...NOTHING, kind: 'withdrawn', tool, text: words };
  const [, chooser = null, choice = null] = CHOSE.exec(content) ?? [];
  if (choice !== null) return { ...NOTHING, kind: 'chose', name: chooser, choice };
  const end = content.indexOf('\n');
  const line = end === -1 ? content : content.slice(0, end);
  const text = end === -1 ? null : content.slice(end + 1);
  for (const [kind, ends] of entriesOf(OF_WORDS)) {
    const said = between(content, ends);
    if (said !== null) return { ...NOTHING, kind, text: said === '' ? null : said };
  }
  for (const [kind, ends] of entriesOf(OF_ACTIONS)) {
    const action = between(line, ends)?.split(' ')[0];
    if (action !== undefined) return { ...NOTHING, kind, tool: action, text };
  }
  for (const [kind, ending] of ENDINGS)
    if (line.endsWith(ending)) return { ...NOTHING, kind, name: line.slice(0, -ending.length), text };
  return null;
}

function entriesOf<K extends string, V>(table: Readonly<Record<K, V>>): readonly [K, V][] {
  return Object.entries(table) as [K, V][];
}

/** What stands between a beginning and an end; null where the text has not both. */
function between(text: string, [before, after]: readonly [string, string]): string | null {
  const fits = text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length;
  return fits ? text.slice(before.length, text.length - after.length) : null;
}

const ENDINGS = entriesOf<keyof typeof HAND_MARKS | keyof typeof WORK_MARKS, string>({
  ...HAND_MARKS,
  ...WORK_MARKS,
});

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
