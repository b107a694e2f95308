import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bareGraph } from './bare-graph.js';

// What the parts cost by themselves: a route that answers, and a route that runs a graph in which nothing happens.
const graph = bareGraph();
let turns = 0;
const app = new Hono()
  .post('/bare', async (c) => c.json({ reply: (await c.req.json<{ text: string }>()).text }))
  .post('/graph', async (c) => {
    turns += 1;
    await graph(turns);
    return c.json({ reply: 'done' });
  });
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }: AddressInfo) => {
  process.stderr.write(`http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => {
  server.close();
  process.exit();
});
