import {
  type AgentRoute,
  type ClaimLine,
  checkerOf,
  readLines,
} from '../test/integration/safety/claims-lines.js';
import { barred, type Measure, plain, spread } from './report.js';

const LINES = new URL('../test/integration/safety/claims-more-true.jsonl', import.meta.url);
/** About as long as answers get. */
const LENGTH = 2_000;
/** Answers before which nothing is measured: the engine compiles what is used often. */
const WARM_UP = 10;
const ROUTES: readonly AgentRoute[] = ['knowledge', 'account'];

/**
 * The check of a long answer against what its turn read, sentence by sentence, so that none ends it before the last: the
 * first time, when the sources are read too, for sentences that are new where they are known, and for the same again.
 */
export async function guardrail(quick: boolean): Promise<readonly Measure[]> {
  const lines = readLines(LINES);
  return ROUTES.flatMap((route) => {
    const own = lines.filter((line) => line.route === route);
    const [sources, sentences, again] = timesOf(own.slice(0, quick ? WARM_UP * 3 : undefined));
    const name = `guardrail: ${LENGTH} characters of ${route}`;
    return [
      plain(`${name}, read before`, again.median, 'ms', 'as what was shown while it was written'),
      barred(name, sentences.median, 'ms', { atMost: 8 }, 'a busy machine adds to it'),
      plain(`guardrail: the sources of ${route}`, sources.median, 'ms'),
    ];
  });
}

function timesOf(lines: readonly ClaimLine[]) {
  const [sources, sentences, again]: [number[], number[], number[]] = [[], [], []];
  for (const [at, line] of lines.entries()) {
    const review = checkerOf(line);
    const timed = (texts: readonly string[]): number => {
      const start = performance.now();
      for (const text of texts) review(text);
      return performance.now() - start;
    };
    const first = timed([line.answer]);
    const answer = sentencesAfter(lines, at);
    const times = [timed(answer), timed(answer)];
    if (at < WARM_UP) continue;
    sources.push(first);
    sentences.push(times[0] ?? 0);
    again.push(times[1] ?? 0);
  }
  return [spread(sources), spread(sentences), spread(again)] as const;
}

/** The sentences of the answers after a line, up to that length. */
function sentencesAfter(lines: readonly ClaimLine[], from: number): readonly string[] {
  const sentences: string[] = [];
  let length = 0;
  for (let at = from + 1; length < LENGTH; at += 1)
    for (const sentence of (lines[at % lines.length]?.answer ?? '').split(/(?<=[.!?])\s/)) {
      sentences.push(sentence);
      length += sentence.length + 1;
    }
  return sentences;
}
