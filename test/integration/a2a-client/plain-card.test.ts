import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, json, openCaller, openPartner, type Partner } from './partner.js';

const CARD = '/.well-known/agent.json';

let partner: Partner;
let caller: Caller;
beforeEach(async () => {
  partner = await openPartner();
  partner.on(
    CARD,
    json({
      name: 'Parking',
      description: 'Knows the car parks of the city.',
      capabilities: [
        {
          name: 'price_of_parking',
          description: 'What parking near a place costs.',
          endpoint: '/agents/parking/price',
          method: 'POST',
          input_schema: { type: 'object', required: ['place'], properties: { place: { type: 'string' } } },
          output_schema: { type: 'object', required: ['per_hour'] },
        },
        {
          name: 'list_places',
          description: 'All car parks.',
          endpoint: '/agents/parking/places',
          method: 'GET',
        },
      ],
      endpoints: { tasks: '/agents/parking/tasks' },
    }),
  );
  caller = openCaller(partner.url);
});
afterEach(async () => {
  await caller.agents.close();
  await partner.close();
});

describe('an agent whose card lists what it can do', () => {
  it('[SKD-70] is read: its capabilities are skills, and it takes messages', async () => {
    const card = await caller.agents.card('parking');
    expect(card.generic).toBe(true);
    expect(card.skills.map(({ id, specific }) => [id, specific?.method])).toEqual([
      ['price_of_parking', 'POST'],
      ['list_places', 'GET'],
    ]);
  });

  it('[SKD-70] is called at the endpoint of a capability, with what its schema asks for', async () => {
    partner.on('/agents/parking/price', json({ per_hour: 12 }));
    const call = (input: Record<string, string>) =>
      caller.agents.callSkill('parking', 'price_of_parking', input, caller.noting);
    expect(await call({ place: 'MASP' })).toMatchObject({ state: 'completed', data: { per_hour: 12 } });
    expect(JSON.parse(partner.at('/agents/parking/price')[0]?.text ?? '')).toEqual({ place: 'MASP' });
    await expect(call({})).rejects.toMatchObject({ code: 'input_invalid' });
  });

  it.each([
    [
      { status: 'completed', result: 'Ten an hour.', id: 't1' },
      { text: 'Ten an hour.', taskId: 't1' },
    ],
    [
      { answer: 'Ten.', per_hour: 10 },
      { text: 'Ten.', data: { per_hour: 10 } },
    ],
    ['Ten an hour.', { text: 'Ten an hour.' }],
    [
      { status: 'input_required', message: 'Which place?' },
      { state: 'input_required', text: 'Which place?' },
    ],
  ])('[SKD-70] is asked in words at its plain /tasks, and answers %j', async (body, reply) => {
    partner.on('/agents/parking/tasks', json(body));
    const said = { text: 'What does it cost?' };
    expect(await caller.agents.send('parking', said, caller.noting)).toMatchObject(reply);
    const heard = JSON.parse(partner.at('/agents/parking/tasks')[0]?.text ?? '');
    expect(heard).toMatchObject({ message: 'What does it cost?' });
  });

  it('[SKD-70] whose task failed has given no answer', async () => {
    partner.on('/agents/parking/tasks', json({ status: 'failed', message: 'no' }));
    await expect(caller.agents.send('parking', { text: 'x' }, caller.noting)).rejects.toMatchObject({
      code: 'remote_bad_answer',
    });
  });

  it('[SKD-70] that names a place of another origin is refused', async () => {
    partner.on(CARD, json({ name: 'Parking', endpoints: { tasks: 'http://127.0.0.1:1/tasks' } }));
    await expect(caller.agents.card('parking')).rejects.toMatchObject({ code: 'remote_forbidden_address' });
  });
});
