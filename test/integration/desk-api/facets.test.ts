import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';

const AT = '2026-03-11T15:00:00.000Z';

/** Conversations about a zebra: where each is, who has it, and when it was opened. */
const TICKETS = [
  ['waits', 'http', 'waiting_operator', 'operator', null, 'en', AT],
  ['ruis', 'email', 'waiting_operator', 'operator', 'rui', 'pt-BR', '2026-03-08T15:00:00.000Z'],
  ['done', 'http', 'resolved', 'operator', 'rui', 'pt-BR', '2026-02-20T15:00:00.000Z'],
  // Half past eleven in the evening of the 10th of March in Brasilia, the 11th in UTC.
  ['hubs', 'mcp', 'open', 'hub', null, 'en', '2026-03-11T02:30:00.000Z'],
] as const;

describe('all conversations, narrowed', () => {
  let server: TestServer;
  let token: string;
  const ask = async (query: string) => {
    const { status, body } = await server.get(`/api/desk/tickets?q=zebra&facets=true&${query}`, token);
    expect(status, query).toBe(200);
    const { tickets, facets } = body as unknown as {
      readonly tickets: readonly { readonly ticket_id: string }[];
      readonly facets: Readonly<Record<string, readonly unknown[]>>;
    };
    return { ids: tickets.map(({ ticket_id: id }) => id.slice(4)), facets };
  };

  beforeAll(async () => {
    server = await openServer();
    token = await server.operator('Olga');
    for (const [id, channel, status, owner, holder, language, at] of TICKETS) {
      const name = holder === null ? 'NULL' : `'Rui Costa'`;
      const by = holder === null ? 'NULL' : `'${holder}'`;
      server.hub.exec(
        'udahub',
        `INSERT INTO tickets (ticket_id, thread_id, channel, status, owner, operator_id, operator_name, created_at, updated_at)
           VALUES ('tkt_${id}', 'thr_${id}', '${channel}', '${status}', '${owner}', ${by}, ${name}, '${at}', '${at}');
         INSERT INTO ticket_metadata (ticket_id, issue_type, priority, sentiment, requires_human, summary, language, confidence, route, requests, updated_at)
           VALUES ('tkt_${id}', 'refund', 'low', 'neutral', 0, 'About a zebra', '${language}', 0.9, 'action', '[]', '${at}');
         INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at)
           VALUES ('msg_${id}', 'tkt_${id}', 'customer', 'My zebra', '${at}')`,
      );
    }
  });
  afterAll(() => server.close());

  it('[SHF-33] counts every facet of what was found', async () => {
    const { ids, facets } = await ask('');
    expect(ids.sort()).toEqual(['done', 'hubs', 'ruis', 'waits']);
    expect(facets).toEqual({
      status: [
        { value: 'waiting_operator', count: 2 },
        { value: 'open', count: 1 },
        { value: 'resolved', count: 1 },
      ],
      channel: [
        { value: 'http', count: 2 },
        { value: 'email', count: 1 },
        { value: 'mcp', count: 1 },
      ],
      operator: [{ value: 'Rui Costa', count: 2 }],
      language: [
        { value: 'en', count: 2 },
        { value: 'pt-BR', count: 2 },
      ],
      opened: [
        { days: 1, count: 1 },
        { days: 7, count: 3 },
        { days: 30, count: 4 },
        { days: 90, count: 4 },
      ],
    });
  });

  it('[SHF-33] narrows the list by each, while a choice does not count within its own facet', async () => {
    const { ids, facets } = await ask('operator=Rui%20Costa&language=pt-BR&status=resolved');
    expect(ids).toEqual(['done']);
    expect(facets['status']).toEqual([
      { value: 'resolved', count: 1 },
      { value: 'waiting_operator', count: 1 },
    ]);
    expect(facets['channel']).toEqual([{ value: 'http', count: 1 }]);
    expect((await ask('channel=mcp')).ids).toEqual(['hubs']);
    expect((await ask('view=mine')).ids).toEqual([]);
    expect((await ask('view=unassigned')).ids).toEqual(['waits']);
  });

  it("[SHF-33] takes days as the company's clocks show them", async () => {
    expect((await ask('from=2026-03-11')).ids).toEqual(['waits']);
    const { ids, facets } = await ask('from=2026-03-08&to=2026-03-10');
    expect(ids.sort()).toEqual(['hubs', 'ruis']);
    expect(facets['status']).toEqual([
      { value: 'open', count: 1 },
      { value: 'waiting_operator', count: 1 },
    ]);
    expect(facets['opened']?.[0]).toEqual({ days: 1, count: 1 });
    for (const wrong of ['from=yesterday', 'facets=perhaps', 'channel=pigeon'])
      expect((await server.get(`/api/desk/tickets?${wrong}`, token)).status, wrong).toBe(422);
  });

  it('[SHF-33] counts nothing where that is not asked for', async () => {
    expect((await server.get('/api/desk/tickets', token)).body['facets']).toBeNull();
  });
});
