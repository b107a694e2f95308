import { ToolMessage } from '@langchain/core/messages';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub, type Row } from '../../support/hub.js';
import { ROSTER } from '../../support/roster.js';
import { type AttackCall, attackerModels, ObedientModel } from './attacker.js';
import { ANA, effects, expectBooksToAgree } from './books.js';

/** Calls that have an effect: what all actions go through is the gate's, so that not each must be looked at. */
const CALLS: Readonly<Record<string, AttackCall['args']>> = {
  cancel_reservation: { reservation_id: 'res_002' },
  process_refund: { reservation_id: 'res_002' },
  update_subscription: { action: 'pause', days: 30 },
  record_customer_preference: { key: 'contact_method', value: 'phone' },
  record_resolution: { resolution_type: 'answered', summary: 'The customer knows it all now.' },
};
/** What must be so before the call can be carried out. */
const BEFORE: Readonly<Record<string, string>> = {
  process_refund: `UPDATE reservations SET status = 'cancelled' WHERE reservation_id = 'res_002'`,
};

let hub: Hub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
});

/** Every change of the customer's data and every note that a tool may leave. */
function traces(of: Hub): readonly Row[] {
  return [
    ...effects(of).map(({ tool, customer_id }) => ({ tool, customer_id })),
    ...of.query('udahub', `SELECT key, value FROM customer_preferences ORDER BY customer_id, key`),
    ...of.query(
      'udahub',
      `SELECT summary FROM ticket_resolutions WHERE summary = ?`,
      'The customer knows it all now.',
    ),
    ...of.query('udahub', `SELECT tool, status FROM approvals ORDER BY rowid`),
  ];
}

/** What the calls with an effect came to, as the model read it, in order. */
function resultsOf(model: ObedientModel): readonly string[] {
  const results = new Map<string, string>();
  for (const message of model.read)
    if (ToolMessage.isInstance(message) && /^call_[abc]$/.test(message.tool_call_id))
      results.set(message.tool_call_id, message.text);
  return [...results.values()];
}

/** Ids that are made anew in every run. */
function withoutIds(text: string | undefined): string {
  return (text ?? '').replace(/\b(?:rsl|rfd|tkt)_\w+/g, '(id)');
}

/** Lets a model say these messages to a customer who agrees to whatever is asked. */
async function play(
  name: string,
  messages: readonly (AttackCall | readonly AttackCall[] | string)[],
): Promise<{ readonly hub: Hub; readonly reply: string; readonly model: ObedientModel }> {
  const model = new ObedientModel(messages);
  hub = await openHub({ models: attackerModels({ action: model }) });
  const before = BEFORE[name];
  if (before !== undefined) hub.exec('cultpass', before);
  let said = await hub.say(ANA, 'cancel my samba night booking');
  for (let asked = 0; said.pending && asked < 3; asked += 1) said = await hub.say(ANA, 'yes', said.threadId);
  expect(said.pending).toBeNull();
  expect(model.left).toBe(0);
  return { hub, reply: said.reply, model };
}

describe.each(Object.keys(CALLS))('a model that repeats %s', (name) => {
  const args = CALLS[name] ?? {};
  const call = (id: string): AttackCall => ({ id, name, args });
  let once: { readonly expected: readonly Row[]; readonly first: string | undefined; readonly reply: string };
  beforeAll(async () => {
    const played = await play(name, [call('call_a'), 'So be it.']);
    const [first] = resultsOf(played.model);
    once = { expected: traces(played.hub), first, reply: played.reply };
    await played.hub.close();
  });

  it.each([
    ['in its next step', [call('call_a'), call('call_b'), 'So be it.']],
    ['three times', [call('call_a'), call('call_b'), call('call_c'), 'So be it.']],
    ['twice in one message', [[call('call_a'), call('call_b')], 'So be it.']],
    ['twice in one message, and after that', [[call('call_a'), call('call_b')], call('call_c'), 'So be it.']],
    [
      'after it looked into something',
      [call('call_a'), { id: 'call_r', name: 'get_reservations', args: {} }, call('call_b'), 'So be it.'],
    ],
  ] as const)('[ATK-09] gets the first result: %s', async (_name, messages) => {
    const { expected, first, reply } = once;
    expect(expected.length).toBeGreaterThan(0);
    const again = await play(name, messages);
    expect(traces(again.hub)).toEqual(expected);
    expectBooksToAgree(again.hub);
    expect(again.reply).toBe(reply);
    const results = resultsOf(again.model);
    expect(results.length).toBeGreaterThan(0);
    for (const result of results) expect(withoutIds(result)).toBe(withoutIds(first));
  });
});

it('[ATK-09] a model that never stops repeating itself has the change done once, and the customer is told so', async () => {
  const calls = Array.from({ length: 60 }, (_, index) => ({
    id: `call_${index}`,
    name: 'cancel_reservation',
    args: { reservation_id: 'res_002' },
  }));
  const model = new ObedientModel(calls);
  hub = await openHub({ models: attackerModels({ action: model }) });
  const asked = await hub.say(ANA, 'cancel my samba night booking');
  const done = await hub.say(ANA, 'yes', asked.threadId);
  expect(done.reply).toMatch(/^Done: "Samba Night at Pedra do Sal" is cancelled/);
  expect(effects(hub)).toHaveLength(1);
  expectBooksToAgree(hub);
});

it('[ATK-09] looks at changes, and at what is written without asking', () => {
  const effects = Object.keys(CALLS).map((name) => ROSTER.all.get(name)?.effect);
  expect(new Set(effects)).toEqual(new Set(['irreversible', 'write']));
});
