import { describe, expect, it } from 'vitest';
import { emptyThread, withMessage, withThread } from '../../../src/surfaces/web/chat/thread-state.js';

const AT = '2026-03-11T15:00:00.000Z';

describe('a conversation that is loaded while it goes on', () => {
  it('[WEB-06] keeps a message that was told after the answer was made, within the same moment', () => {
    const told = withMessage(emptyThread('thr_1'), {
      id: 'msg_1',
      role: 'customer',
      content: 'How long does a refund take?',
      created_at: AT,
      citations: [],
      author: null,
      client_message_id: 'c1',
      files: [],
    });
    const loaded = withThread(told, {
      thread_id: 'thr_1',
      ticket_id: null,
      number: null,
      owner: 'hub',
      operator: null,
      pending: null,
      messages: [],
      read_by_operator: null,
      asks_rating: null,
      created_at: AT,
      updated_at: AT,
    });
    expect(loaded.messages.map(({ id }) => id)).toEqual(['msg_1']);
  });
});
