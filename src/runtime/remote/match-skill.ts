import type { RemoteCard, RemoteSkill } from '../../core/ports/remote-agents.js';
import { contentWords, sameWord } from './words.js';

/** A skill of a card, and how well it fits a request: 0 to 1. */
export interface RankedRemoteSkill {
  readonly skill: RemoteSkill;
  readonly score: number;
}

/** From here on a skill is taken to be meant: a third of what the request is about. */
export const SKILL_FITS = 0.34;
/** A word of the description says less of what a skill is for than its name, tags and examples. */
const IN_DESCRIPTION = 0.7;

/**
 * The skills of a card, best first: how much of what the request is about they name, or how much the request is like one
 * of their examples. Words of a card are claims; all they can win is that the request is sent there.
 */
export function rankSkills(goal: string, card: RemoteCard): readonly RankedRemoteSkill[] {
  const words = contentWords(goal);
  return card.skills
    .map((skill) => ({ skill, score: scoreOf(words, skill) }))
    .sort((a, b) => b.score - a.score);
}

/** The best skill that fits; null where none does. */
export function bestFit(goal: string, card: RemoteCard): RankedRemoteSkill | null {
  const [best] = rankSkills(goal, card);
  return best && best.score >= SKILL_FITS ? best : null;
}

function scoreOf(words: readonly string[], skill: RemoteSkill): number {
  if (words.length === 0) return 0;
  const named = contentWords([skill.id, skill.name, ...skill.tags].join(' ').replaceAll('_', ' '));
  const examples = skill.examples.map(contentWords);
  const strong = [...named, ...examples.flat()];
  const described = contentWords(skill.description);
  const weights = words.map((word) => (has(strong, word) ? 1 : has(described, word) ? IN_DESCRIPTION : 0));
  // One word of a long description in common is chance.
  const certain = weights.some((weight) => weight === 1) || weights.filter((weight) => weight > 0).length > 1;
  const coverage = weights.reduce<number>((sum, weight) => sum + weight, 0) / words.length;
  return certain ? Math.max(coverage, ...examples.map((example) => likeness(words, example))) : 0;
}

/** How much two sets of words have in common (Dice). */
function likeness(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0;
  return (2 * a.filter((word) => has(b, word)).length) / (a.length + b.length);
}

function has(words: readonly string[], wanted: string): boolean {
  return words.some((word) => sameWord(word, wanted));
}
