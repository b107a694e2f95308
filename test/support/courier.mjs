// The MCP server of a courier, as its owner would write it, over stdio. A file says how it behaves; what it did stands in another.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromJsonSchema, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const room = process.env.COURIER_ROOM ?? '.';
const read = (name) => (existsSync(join(room, name)) ? readFileSync(join(room, name), 'utf8') : '');
const done = () => read('done').split('\n').filter(Boolean);
const text = { type: 'string' };
const schema = (...names) =>
  fromJsonSchema({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, text])),
  });
const answer = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

writeFileSync(join(room, 'pid'), String(process.pid));
serveStdio(() => {
  const server = new McpServer({ name: 'courier', version: '1' });
  const newer = read('mode') === 'newer' ? ['consent'] : [];
  server.registerTool(
    'where_is',
    {
      description: 'Where an order is',
      inputSchema: schema('customer_id', 'order_id'),
      annotations: { readOnlyHint: true },
    },
    ({ order_id }) => answer({ order_id, town: 'Porto' }),
  );
  server.registerTool(
    'policy_of',
    {
      description: 'Which policy was made under a key',
      inputSchema: schema('key'),
      annotations: { readOnlyHint: true },
    },
    ({ key }) => {
      const [, order] =
        done()
          .map((line) => line.split(' '))
          .find((line) => line[2] === key) ?? [];
      return answer(order === undefined ? null : { policy: `of ${order}` });
    },
  );
  server.registerTool(
    'insure',
    {
      description: 'Insures an order',
      inputSchema: schema('customer_id', 'order_id', 'key', ...newer),
      annotations: { destructiveHint: false, idempotentHint: true },
    },
    ({ customer_id, order_id, key }) => {
      const line = `${customer_id} ${order_id} ${key}`;
      if (!done().includes(line)) appendFileSync(join(room, 'done'), `${line}\n`);
      if (read('mode') === 'dies') {
        writeFileSync(join(room, 'mode'), '');
        process.exit(1);
      }
      const failing = read('mode');
      if (failing === 'fails' || failing === 'breaks') writeFileSync(join(room, 'mode'), '');
      if (failing === 'fails') return { ...answer('the printer is on fire'), isError: true };
      if (failing === 'breaks') throw new ProtocolError(ProtocolErrorCode.InternalError, 'no more paper');
      return answer({ policy: `of ${order_id}` });
    },
  );
  return server;
});
