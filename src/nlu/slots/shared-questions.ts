import type { ClauseWords } from './clause-words.js';
import { fold } from './text.js';

/** The questions of a text that asks the same of several things, each as a whole one. */
export type SharedQuestions = (text: string) => readonly string[];

/** Of more words a thing that something is asked of is a sentence of its own. */
const MORE_WORDS = 3;
/** A longer text tells something. */
const MAX_CHARS = 300;
/** Before fewer words nothing is asked of what follows. */
const ASKING_WORDS = 2;

/**
 * Makes the reader of questions that ask the same of several things: "how do I change my card and my address?" asks two. Each thing has
 * an article or the like of its own, and the last ends its sentence; what stands before the first is asked of each.
 */
export function createSharedQuestions({ articles, and }: ClauseWords): SharedQuestions {
  const thing = String.raw`(?:${articles}) [^\s,;.!?]+(?: [^\s,;.!?]+){0,${MORE_WORDS - 1}}?`;
  const joint = String.raw`(?:\s*,\s*(?:(?:${and})\s+)?|\s+(?:${and})\s+)`;
  const shared = new RegExp(`^(.*?)\\b(${thing})((?:${joint}${thing})+)\\s*([.!?]*)$`, 'd');
  const each = new RegExp(`${joint}(${thing})(?=${joint}(?:${articles}) |$)`, 'dg');
  return (text) => {
    if (text.length > MAX_CHARS) return [];
    const { folded, at } = fold(text.trim());
    const found = shared.exec(folded);
    const [head, first, others, end] = found?.indices?.slice(1) ?? [];
    if (!head || !first || !others || !end) return [];
    if (
      folded
        .slice(...head)
        .trim()
        .split(/\s+/).length < ASKING_WORDS
    )
      return [];
    const written = ([from, to]: readonly [number, number]): string => text.trim().slice(at[from], at[to]);
    const more = [...folded.slice(...others).matchAll(each)].flatMap(({ indices }) =>
      indices?.[1] ? [written([others[0] + indices[1][0], others[0] + indices[1][1]])] : [],
    );
    const mark = written(end);
    return [written(first), ...more].map((one) => `${written(head)}${one}${mark}`);
  };
}
