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
export interface DeskSentence {
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
