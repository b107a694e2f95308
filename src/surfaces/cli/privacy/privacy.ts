import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { HubError, messageOf } from '../../../core/errors.js';
import type { EraseReport, Privacy } from '../../../core/privacy.js';
import { type CliIo, type CommandHost, EXIT, withPart } from '../../command.js';
import { formatTable, oneLine } from '../../printable.js';

/** What a privacy command works with. */
interface PrivacyContext {
  readonly privacy: Privacy;
  readonly io: CliIo;
}

/** Writes everything about a customer to a file for its owner's eyes only, or to standard output. */
export async function exportCustomer(
  { privacy, io }: PrivacyContext,
  email: string,
  file: string | undefined,
): Promise<number> {
  const text = `${JSON.stringify(await privacy.export(email), null, 2)}\n`;
  if (file === undefined) {
    io.out.write(text);
    return EXIT.done;
  }
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new HubError('internal', `${file} cannot be written: ${messageOf(error)}`);
  }
  io.err.write(`Written to ${oneLine(file)}.\n`);
  return EXIT.done;
}

/** Removes a customer and says what was removed where, and what a search of every file has found. */
export async function eraseCustomer(
  { privacy, io }: PrivacyContext,
  email: string,
  options: { readonly yes?: boolean; readonly json?: boolean },
): Promise<number> {
  if (options.yes !== true && !(await agreed(io, email))) {
    throw new HubError('usage', 'Nothing was erased. It cannot be undone: say so with --yes.');
  }
  const report = await privacy.erase(email, (step) => io.err.write(`${step}\n`));
  io.out.write(options.json === true ? `${JSON.stringify(report)}\n` : wordsOf(report));
  return report.proof.leftovers.length === 0 ? EXIT.done : EXIT.failed;
}

async function agreed(io: CliIo, email: string): Promise<boolean> {
  if (io.in.isTTY !== true) return false;
  const reader = createInterface({ input: io.in, output: io.err });
  try {
    const answer = await reader.question(
      `Erase everything about ${oneLine(email)}? This cannot be undone. Type the address again: `,
    );
    return answer.trim().toLowerCase() === email.trim().toLowerCase();
  } finally {
    reader.close();
  }
}

function wordsOf({ status, pseudonym, removals, proof }: EraseReport): string {
  if (status === 'already') return 'This customer was erased before; nothing is left to erase.\n';
  const rows = removals
    .filter(({ count }) => count > 0)
    .map(({ place, what, count }) => [place, what, String(count)]);
  const size = `${proof.files} files, ${(proof.bytes / 1e6).toFixed(1)} MB`;
  const searched = `Searched ${size} for ${proof.needles} texts (address, name, pieces of what was said)`;
  const common = proof.common > 0 ? `; ${proof.common} more are said by others too and were left out` : '';
  const found = proof.leftovers.map(
    ({ file, what, count }) => `  ${oneLine(file)}: ${what}, ${count} time(s)`,
  );
  const verdict =
    found.length === 0
      ? 'Nothing is left: 0 finds.'
      : `NOT everything is gone:\n${found.join('\n')}\nStop whatever uses the data directory and run this again.`;
  return `${formatTable(['place', 'what', 'rows'], rows)}\nThe books keep this person as ${pseudonym}.\n${searched}${common}.\n${verdict}\n`;
}

/** The frame of the privacy commands. @param host what the command runs in */
export function withPrivacy(
  host: CommandHost,
  work: (context: PrivacyContext) => Promise<number>,
): Promise<void> {
  return withPart(
    host,
    async (config) => (await import('../../../app/privacy.js')).openPrivacy(config),
    (privacy, io) => work({ privacy, io }),
  );
}
