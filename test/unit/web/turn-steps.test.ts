import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../../src/surfaces/web/desk/lib/turn-steps.js';

const call = (agent: string, tool: string) => ({ agent, tool, args: {}, ok: true });
const step = (to: string) => ({ to, by: 'rule:R1', why: `because of ${to}` });

describe('the way of a turn', () => {
  it('[SHF-28] is told in the order in which it was gone, each tool where its agent called it', () => {
    const steps = stepsOf({
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
});
