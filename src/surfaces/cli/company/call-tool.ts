import { createInterface } from 'node:readline/promises';
import { createApp } from '../../../app/app.js';
import type { RehearsedChange } from '../../../core/capabilities.js';
import { SCOPES } from '../../../core/domain/customer.js';
import type { JsonObject } from '../../../core/domain/json.js';
import { HubError } from '../../../core/errors.js';
import { type ConfigContext, EXIT } from '../../command.js';
import { printable } from '../../printable.js';

/** Calls one tool in the name of a customer, as a program does. */
export async function callCommand(
  { config, io, stop }: ConfigContext,
  tool: string,
  options: { readonly as: string; readonly input: string; readonly dryRun?: boolean; readonly yes?: boolean },
): Promise<number> {
  const app = await createApp(config, { onProgress: (line) => io.err.write(`${line}\n`) });
  try {
    const caller = {
      identity: await app.signIn(options.as),
      scopes: SCOPES,
      channel: 'mcp',
      program: 'npm run company',
    } as const;
    const call = { caller, name: tool, input: inputOf(options.input), signal: stop };
    const rehearsed = options.dryRun === true ? await app.capabilities.rehearse(call) : null;
    if (rehearsed !== null) {
      io.err.write(formatRehearsal(rehearsed));
      io.out.write(`${JSON.stringify({ kind: 'dry_run', ...rehearsed })}\n`);
      return rehearsed.refused === null ? EXIT.done : EXIT.failed;
    }
    let outcome = await app.capabilities.call(call);
    if (outcome.kind === 'confirmation') {
      const { token, question, terms } = outcome;
      io.err.write(`${question}\n${JSON.stringify(terms)}\n`);
      const approved = options.yes === true || (await agrees(io));
      outcome = await app.capabilities.confirm({ caller, token, approved, signal: stop });
      if (!approved) {
        io.err.write('Nothing was changed.\n');
        io.out.write(`${JSON.stringify(outcome)}\n`);
        return EXIT.done;
      }
    }
    io.out.write(`${JSON.stringify(outcome)}\n`);
    return outcome.kind === 'refused' ? EXIT.failed : EXIT.done;
  } finally {
    await app.close();
  }
}

/** What a change would be, for who writes a company's files: what is asked, what is agreed to, what is done. */
function formatRehearsal({
  refused,
  undecided,
  asked,
  terms,
  approval,
  effects,
  performs,
}: RehearsedChange): string {
  const lines: string[] = [];
  if (refused !== null) {
    lines.push(
      `It would be refused: ${refused.code}${refused.rule === null ? '' : `, says.${refused.rule}`}`,
    );
    for (const [language, said] of Object.entries(refused.said)) lines.push(`  ${language}: ${said}`);
    if (undecided !== null) lines.push(`  because ${undecided} cannot be worked out over what was read`);
  } else {
    lines.push('The customer would be asked:');
    for (const [language, { question, yes, no }] of Object.entries(asked)) {
      lines.push(`  ${language}: ${question}`);
      if (yes !== null && no !== null) lines.push(`    [${yes}] [${no}]`);
    }
    lines.push(`They would agree to: ${JSON.stringify(terms)}`);
    lines.push(approval === null ? 'No operator would be asked.' : `An operator would be asked: ${approval}`);
    for (const effect of effects) lines.push(`  ${effect}`);
    if (performs !== null)
      lines.push('Then it would perform:', ...[performs].flat().map((one) => `  ${JSON.stringify(one)}`));
  }
  return printable(`${lines.join('\n')}\nNothing was changed.\n`);
}

/** False too where the input ends without an answer. */
async function agrees(io: ConfigContext['io']): Promise<boolean> {
  io.err.write('yes or no? ');
  for await (const answer of createInterface({ input: io.in })) return answer.trim().toLowerCase() === 'yes';
  return false;
}

function inputOf(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw new HubError('usage', '--input must be a JSON object, such as {"order_id":"ord_001"}');
  }
}
