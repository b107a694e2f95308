import { afterEach, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { startOtlpReceiver } from '../../support/otlp-receiver.js';
import { ANA } from '../safety/books.js';
import { as, call, programOf, proposed } from './support.js';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

const figure = async (hub: Hub, ...labels: readonly string[]): Promise<number> => {
  const { text } = await hub.app.metrics.render();
  const lines = text.split('\n').filter((line) => labels.every((label) => line.includes(label)));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

it('[CAP-21] calls are counted as those of agents, and appear as traces of their own', async () => {
  const collector = await startOtlpReceiver();
  cleanUps.push(() => collector.close());
  const hub = await openHub({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    overrides: { measure: true },
  });
  cleanUps.push(() => hub.close());
  const ana = await programOf(hub, ANA);
  as('done', await call(hub, ana, 'lookup_user'));
  as('refused', await call(hub, ana, 'cancel_reservation', { reservation_id: 'res_008' }));
  const plan = await proposed(hub, ana, 'cancel_reservation', { reservation_id: 'res_002' });
  const ofCancel = 'tool="cancel_reservation"';
  expect(await figure(hub, 'tool="lookup_user"', 'agent="account"')).toBe(1);
  expect(await figure(hub, ofCancel)).toBe(1);
  as('done', await hub.app.capabilities.confirm({ caller: ana, token: plan.token, approved: true }));
  expect(await figure(hub, ofCancel)).toBe(2);
  await hub.app.close();
  const roots = collector.spans.filter(({ name }) => name === 'call');
  expect(roots.map(({ attributes }) => [attributes['hub.tool'], attributes['hub.outcome']])).toEqual([
    ['lookup_user', 'done'],
    ['cancel_reservation', 'refused'],
    ['cancel_reservation', 'confirmation'],
  ]);
  expect(roots[0]).toMatchObject({ attributes: { 'hub.channel': 'mcp', 'hub.signed_in': true } });
  expect(collector.spans.filter(({ name }) => name === 'tool lookup_user')).toHaveLength(1);
  expect(collector.raw.join()).not.toContain(ANA);
});

it('[CAP-07] a text is told by its length, also where it is one word, and an id stands as it is', async () => {
  const hub = await openHub();
  cleanUps.push(() => hub.close());
  const ana = await programOf(hub, ANA);
  const word = 'bereavement';
  const draft = {
    ticket_summary: word,
    findings: { why: word, [word]: { also: [word] } },
    language: 'en',
    policy: word,
    issues: [word],
  };
  as('done', await call(hub, ana, 'draft_reply', draft));
  as('refused', await call(hub, ana, 'cancel_reservation', { reservation_id: 'res_008' }));
  const lines = hub.log.entries.filter(({ action }) => action === 'capability_called');
  expect(lines.map(({ details }) => details?.args)).toEqual([
    {
      ticket_summary: '(11 characters)',
      findings: '(an object)',
      language: 'en',
      policy: '(11 characters)',
      issues: ['(11 characters)'],
    },
    { reservation_id: 'res_008' },
  ]);
  expect(JSON.stringify(hub.log.entries)).not.toContain(word);
});
