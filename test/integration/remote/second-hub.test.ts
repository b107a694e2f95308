import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { type Hub, openHub } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';

const ANA = 'ana.souza@example.com';

let dir: string;
let other: TestServer;
let hub: Hub;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hub-remote-'));
  other = await openServer();
  const file = join(dir, 'agents.yaml');
  writeFileSync(
    file,
    [
      'agents:',
      '  - name: second_hub',
      `    card: ${other.url}/.well-known/agent-card.json`,
      '    description: Another help centre.',
      '    keywords: [basic plan, waiting list, lista de espera, my dog]',
      '    share: [language]',
      '    allow_private: true',
      '    allow_http: true',
      '    retries: 0',
    ].join('\n'),
  );
  hub = await openHub({ env: { HUB_REMOTE_AGENTS: file } });
});
afterAll(async () => {
  await hub.close();
  await other.close();
  rmSync(dir, { recursive: true, force: true });
});

const triesOf = (calls: TurnReply['toolCalls']) =>
  calls
    .filter(({ tool }) => tool.startsWith('remote:') && !tool.endsWith('.decision'))
    .map(({ tool }) => tool);

describe('a second hub as the agent elsewhere, over HTTP', () => {
  it('[ORC-23] answers a general question by message, and the first one says whose answer it is', async () => {
    const reply = await hub.say(ANA, 'How does the waiting list work?');
    expect(reply.reply).toMatch(/^second_hub says:\n\nWhen a session has no places left/);
    expect(reply.agents).toEqual(['triage', 'second_hub']);
    expect(triesOf(reply.toolCalls)).toEqual(['remote:second_hub.card', 'remote:second_hub.generic']);
    expect(reply.citations).toEqual([]);
    const [customer] = other.hub.query('udahub', 'SELECT customer_id FROM tickets');
    expect(customer?.customer_id).toBeNull();
    const written = JSON.stringify(other.hub.dump('udahub'));
    expect(written).toContain('waiting list');
    expect(written).not.toContain('ana.souza');
    expect(written).not.toContain(reply.ticketId);
  });

  it('[ORC-23] em português', async () => {
    const reply = await hub.say(null, 'Não há mais lugares: como funciona a lista de espera?');
    expect(reply.reply).toMatch(/^second_hub diz:\n\n.*lista de espera/is);
    expect(triesOf(reply.toolCalls)).toEqual(['remote:second_hub.generic']);
  });

  it('[ORC-23] answers by its skill where that fits the request', async () => {
    const text = 'Search the help centre for the rules and prices of the basic plan';
    const reply = await hub.say(null, text);
    expect(triesOf(reply.toolCalls)).toEqual(['remote:second_hub.specific(search_knowledge)']);
    expect(reply.reply).toMatch(/^second_hub says:.*R\$ 59\.90/s);
  });

  it('[ORC-23] that does not know it either leaves the customer to a person of ours', async () => {
    const reply = await hub.say(ANA, 'Can I bring my dog to a museum?');
    expect(reply.agents).toContain('second_hub');
    expect(reply.reply).toContain('I asked second_hub');
    expect(reply.escalation?.reason).toBe('requires_human');
    expect(reply.reply).not.toContain('instead of guessing');
  });

  it('[ORC-24] that is gone in the middle is told of honestly, within the time of the turn', async () => {
    await other.server.close();
    const reply = await hub.say(ANA, 'How does the waiting list work?');
    expect(reply.reply).toContain('got no answer from it');
    expect(reply.escalated).toBe(true);
    expect(reply.toolCalls).toContainEqual(
      expect.objectContaining({ tool: 'remote:second_hub.generic', ok: false, code: 'remote_unreachable' }),
    );
  });
});
