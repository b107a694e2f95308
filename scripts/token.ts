import { Command } from 'commander';
import { SCOPES } from '../src/core/domain/customer.js';
import { MAX_TOKEN_MINUTES } from '../src/core/ports/sign-in.js';
import {
  listTokens,
  makeToken,
  revokeToken,
  rotateKey,
  scopeOption,
  type TokenOptions,
  withTokens,
} from '../src/surfaces/cli/token/token.js';
import { type CommandHost, isProgram, runCommand, wholeNumber } from '../src/surfaces/command.js';

const MAX_DAYS = MAX_TOKEN_MINUTES / (24 * 60);

/** The command. @param host what it runs in */
export function tokenCommand(host: CommandHost): Command {
  const command = new Command('token')
    .description(
      'Makes a token with which another program may use MCP and A2A in the name of a customer or an operator; lists and revokes such tokens; rotates the key that signs all tokens.',
    )
    .enablePositionalOptions()
    .option('--as <EMAIL>', 'the customer it speaks for')
    .option('--operator <NAME>', 'the operator it speaks for')
    .option('--scope <SCOPE>', `what it may do, several times: ${SCOPES.join(', ')}`, scopeOption)
    .option('--days <N>', `how long it lasts, at most ${MAX_DAYS}`, wholeNumber('--days', 1, MAX_DAYS))
    .option(
      '--minutes <N>',
      'the same in minutes (default: as long as a session)',
      wholeNumber('--minutes', 1, MAX_TOKEN_MINUTES),
    )
    .option('--json', 'the token with role, scopes and end as a JSON object')
    .action((options: TokenOptions) => withTokens(host, (context) => makeToken(context, options)));

  command
    .command('list')
    .description('the tokens of programs that have not ended: whose, what for, when they were used last')
    .option('--json', 'as a JSON array')
    .action((options: TokenOptions) => withTokens(host, (context) => listTokens(context, options)));

  command
    .command('revoke')
    .description('refuses one of them from now on; its open streams and sessions end')
    .argument('<ID>', 'as list shows it')
    .action((id: string) => withTokens(host, (context) => revokeToken(context, id)));

  command
    .command('rotate')
    .description('makes a new signing key; what the old one signed is taken until it ends')
    .option('--now', 'drops the old key at once: everybody signs in again')
    .action((options: { now?: boolean }) => withTokens(host, (context) => rotateKey(context, options)));

  return command;
}

if (isProgram(import.meta.url)) await runCommand(tokenCommand(process), process.argv);
