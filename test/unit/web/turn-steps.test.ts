import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../../src/surfaces/web/desk/lib/turn-steps.js';

const call = (agent: string, tool: string, at: string | null = null) => ({
  ...{ agent, tool, args: {}, ok: true, ms: null },
  at,
});
const step = (to: string, at: string | null = null) => ({ to, by: 'rule:R1', why: `because of ${to}`, at });
const turn = { created_at: '2026-03-11T15:00:02.000Z', total_ms: 2_000 };

describe('the way of a turn', () => {
  it('[SHF-28] is told in the order in which it was gone, each tool where its agent called it', () => {
    const steps = stepsOf({
      ...turn,
      route: [step('account'), step('knowledge'), step('account'), step('finish')],
      tool_calls: [
        call('account', 'get_reservations'),
        call('knowledge', 'search_knowledge'),
        call('triage', 'classify_ticket'),
      ],
    });
    expect(steps.map((one) => (one.kind === 'node' ? one.to : one.call.tool))).toEqual([
      'account',
      'knowledge',
      'search_knowledge',
      'account',
      'get_reservations',
      'finish',
      'classify_ticket',
    ]);
  });

  it('[SHF-28] says how long after the message each step was taken, and begins with what was called first', () => {
    const at = (ms: number): string => new Date(Date.parse('2026-03-11T15:00:00.000Z') + ms).toISOString();
    const steps = stepsOf({
      ...turn,
      route: [step('knowledge', at(400)), step('customer', at(-60_000))],
      tool_calls: [call('knowledge', 'search_knowledge', at(450)), call('triage', 'classify_ticket', at(20))],
    });
    expect(steps.map((one) => [one.kind === 'node' ? one.to : one.call.tool, one.after])).toEqual([
      ['classify_ticket', 20],
      ['knowledge', 400],
      ['search_knowledge', 450],
      // Before a question was answered: of an earlier turn.
      ['customer', null],
    ]);
  });
});
