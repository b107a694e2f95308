import { Command } from 'commander';
import { runCommand } from '../src/surfaces/command.js';
import { type McpOptions, serveMcp } from '../src/surfaces/mcp/stdio.js';

const command = new Command('mcp')
  .description('Serves the hub to one MCP client on standard input and output.')
  .option('--as <EMAIL>', 'the customer on whose behalf the client acts; without it only general questions')
  .addHelpText(
    'after',
    `
A client starts this command by itself. Nothing but the protocol is written to standard output, so keep npm quiet:

  {"mcpServers": {"cultpass": {"command": "npm",
    "args": ["run", "--silent", "--prefix", "/path/to/uda-hub", "mcp", "--", "--as", "ana.souza@example.com"]}}}`,
  )
  .action((options: McpOptions) => serveMcp(process, options));

await runCommand(command, process.argv);
