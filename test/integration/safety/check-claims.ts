import { type ClaimLine, readLines, reviewLine, Talker } from './claims-lines.js';

/*
 * node --import tsx test/integration/safety/check-claims.ts FALSE.jsonl TRUE.jsonl [NOW]
 *
 * Says which false answers the guardrail let pass and which true ones it stopped, and what became of these: said in the
 * articles' words, left to the agent's rules, or lost. A line with `sources` goes before the review node with these, at NOW;
 * one without goes through the whole hub, whose own tools find what there is.
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
  let [right, quoted, ruled] = [0, 0, 0];
  for (const [at, line] of lines.entries()) {
    const { stopped, fault, sent = null, byRules } = await check(line);
    if (stopped === wantStopped) {
      right += 1;
      continue;
    }
    if (byRules) ruled += 1;
    else if (stopped && sent !== null) quoted += 1;
    const what = stopped ? `STOPPED (${fault})` : `PASSED (${line.why ?? 'no reason given'})`;
    process.stdout.write(`${file}:${at + 1} ${what} ${line.route}: ${line.answer}\n`);
    if (stopped && sent !== null) process.stdout.write(`    sent: ${sent.replaceAll('\n', ' ')}\n`);
  }
  const lost = lines.length - right - quoted - ruled;
  const rest = wantStopped
    ? 'stopped'
    : `as written, ${quoted} quoted, ${ruled} left to the rules, ${lost} lost`;
  process.stdout.write(`${file}: ${right} of ${lines.length} ${rest}\n`);
}

await report(falseFile, true);
await report(trueFile, false);
await close();
