import { type ClaimLine, readLines, reviewLine, Talker } from './claims-lines.js';

/*
 * node --import tsx test/integration/safety/check-claims.ts FALSE.jsonl TRUE.jsonl [NOW]
 *
 * Says which false answers the guardrail let pass and which true ones it stopped. A line with `sources` goes before the
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

async function report(file: string, wantStopped: boolean): Promise<void> {
  const lines = readLines(file);
  let wrong = 0;
  for (const [at, line] of lines.entries()) {
    const { stopped, fault } = await check(line);
    if (stopped === wantStopped) continue;
    wrong += 1;
    const what = stopped ? `STOPPED (${fault})` : `PASSED (${line.why ?? 'no reason given'})`;
    process.stdout.write(`${file}:${at + 1} ${what} ${line.route}: ${line.answer}\n`);
  }
  const right = lines.length - wrong;
  process.stdout.write(`${file}: ${right} of ${lines.length} ${wantStopped ? 'stopped' : 'passed'}\n`);
}

await report(falseFile, true);
await report(trueFile, false);
await close();
