import { Grounding } from '../../../src/graph/claims/grounding.js';
import { sentencesOf } from '../../../src/graph/claims/sentences.js';
import { type ClaimLine, readLines, reviewLine, STATEMENTS, Talker } from './claims-lines.js';

/*
 * node --import tsx test/integration/safety/check-claims.ts FALSE.jsonl TRUE.jsonl [NOW]
 *
 * Says which false answers the guardrail let pass and which true ones it stopped, and how many customers got what a true one
 * says all the same, in the words of the articles. A line with `sources` goes before the
 * review node with these, at NOW; one without goes through the whole hub, whose own tools find what there is.
 */
const [falseFile, trueFile, now] = process.argv.slice(2);
if (!falseFile || !trueFile) {
  process.stderr.write('usage: check-claims.ts FALSE.jsonl TRUE.jsonl [NOW]\n');
  process.exit(2);
}
const { talker, close } = await Talker.open();
const check = async (line: ClaimLine) =>
  line.sources === undefined ? talker.ask(line) : reviewLine(line, now);

/** So much of what a sentence takes from the articles has to be in what is sent. */
const ENOUGH = 0.75;

/**
 * True where a text says what an answer says: of each of its sentences nearly all the words that the articles have, and all
 * the numbers. What is no word of theirs ("fingers crossed", "I'm afraid") is no fact of theirs.
 */
function saysAll({ answer, question, language, sources }: ClaimLine, sent: string): boolean {
  const said = groundingOf([sent], question, language);
  const source = groundingOf([sources].flat().map(String), question, language);
  const numbers = new Set(sentencesOf(`${sent} ${question}`).flatMap(numbersOf));
  return sentencesOf(answer).every((sentence) => {
    if (sentence.question) return true;
    const [taken, kept] = [source, said].map((one) => one.wordsOf(sentence));
    const missing = taken?.filter((word) => !kept?.includes(word)) ?? [];
    return (
      missing.length <= (1 - ENOUGH) * (taken?.length ?? 0) &&
      numbersOf(sentence).every((number) => numbers.has(number))
    );
  });
}

function groundingOf(texts: readonly string[], question: string, language: string): Grounding {
  const passages = texts.map((text) => ({ article: null, text }));
  return new Grounding(passages, question, language, STATEMENTS);
}

function numbersOf({ tokens }: ReturnType<typeof sentencesOf>[number]): readonly number[] {
  return tokens.flatMap(({ number, digits }) => (number !== null && digits ? [number] : []));
}

async function report(file: string, wantStopped: boolean): Promise<void> {
  const lines = readLines(file);
  let wrong = 0;
  let kept = 0;
  let ruled = 0;
  for (const [at, line] of lines.entries()) {
    const { stopped, fault, sent = null, byRules } = await check(line);
    if (byRules) ruled += 1;
    if (stopped && sent !== null && saysAll(line, sent)) kept += 1;
    if (stopped === wantStopped) continue;
    wrong += 1;
    const what = stopped ? `STOPPED (${fault})` : `PASSED (${line.why ?? 'no reason given'})`;
    process.stdout.write(`${file}:${at + 1} ${what} ${line.route}: ${line.answer}\n`);
    if (stopped && sent !== null) process.stdout.write(`    sent: ${sent.replaceAll('\n', ' ')}\n`);
  }
  const right = lines.length - wrong;
  process.stdout.write(
    `${file}: ${right} of ${lines.length} ${wantStopped ? 'stopped' : `passed, ${right + kept} said, ${ruled} left to the rules`}\n`,
  );
}

await report(falseFile, true);
await report(trueFile, false);
await close();
