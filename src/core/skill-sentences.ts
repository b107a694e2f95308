/** What the investigation engine says by itself, as a run keeps it. `{a}` and `{b}` are what it speaks of. */
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
  part_waits: 'A part of this check waits for a person; it is left out.',
} as const;

/** One of them with what it speaks of, for a surface to word in the reader's language. */
export interface SkillSentence {
  readonly kind: keyof typeof SENTENCES;
  readonly a: string;
  readonly b: string;
}

const PATTERNS = Object.entries(SENTENCES).map(([kind, sentence]) => {
  const escaped = sentence.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = escaped.replace(/\{([ab])\}/g, '(?<$1>.+?)');
  return [kind as SkillSentence['kind'], new RegExp(`^${pattern}$`, 's')] as const;
});

/** The sentence as a run keeps it; read again by `skillSentenceIn`, and shown as it is in English alone. */
export function skillSays(kind: SkillSentence['kind'], a = '', b = ''): string {
  return SENTENCES[kind].replace(/\{([ab])\}/g, (_place, name) => (name === 'a' ? a : b));
}

/** Which of the engine's sentences a text is; null for what a pack, a model or a person has written. */
export function skillSentenceIn(text: string): SkillSentence | null {
  for (const [kind, pattern] of PATTERNS) {
    const found = pattern.exec(text);
    if (found !== null) return { kind, a: found.groups?.['a'] ?? '', b: found.groups?.['b'] ?? '' };
  }
  return null;
}
