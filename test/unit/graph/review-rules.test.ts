import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Draft, Session, ToolTrace } from '../../../src/core/domain/session.js';
import { citedIds, reviewDraft, withoutCitations } from '../../../src/graph/review-rules.js';
import type { PlainTool } from '../../../src/runtime/define-tool.js';
import { createRoster } from '../../../src/runtime/roster.js';
import { ROSTER } from '../../support/roster.js';

const session: Session = {
  turnId: 't1',
  ticketId: 'k1',
  threadId: 'h1',
  graphThreadId: 'h1',
  channel: 'chat',
  identity: { kind: 'customer', customerId: 'usr_001', email: 'ana.souza@example.com' },
  customerName: 'Ana Souza',
  language: 'en',
  unsupportedLanguage: null,
  memory: null,
  lastReply: null,
  previousMessage: null,
};

const CANCELLED = { reservation_id: 'res_001', title: 'Forró Night', status: 'cancelled', refund_cents: 0 };

const draft = (text: string): Draft => ({
  agent: 'knowledge',
  text,
  provider: 'openai',
  focus: null,
  unanswered: false,
  paused: false,
});

const trace = (tool: string, result: unknown, ok = true): ToolTrace => ({
  callId: `c_${tool}`,
  agent: 'action',
  task: 0,
  tool,
  args: {},
  ok,
  result,
  paused: false,
});

const found = trace('search_knowledge', {
  articles: [{ article_id: 'kb-refund-rules-en', title: 'Refunds', confidence: 0.9 }],
});

const RULE =
  'Quando a viagem foi cancelada por nós, o valor volta sozinho. Uma viagem foi reembolsada se diz "Devolvida".';
const ruled = trace('search_knowledge', {
  articles: [{ article_id: 'kb-rides-pt', title: 'Viagens', confidence: 0.9, content: RULE }],
});

describe('review before sending', () => {
  it.each([
    [`${RULE} [kb-rides-pt]`, [ruled], null],
    [RULE, [], 'claimed_action'],
    [`${RULE} A sua viagem foi cancelada.`, [ruled], 'claimed_action'],
    ['You get it back within ten days [kb-refund-rules-en].', [found], null],
    ['You get it back within ten days [kb-made-up-en].', [found], 'unknown_source'],
    ['', [], 'empty'],
    ['   [kb-refund-rules-en]  ', [found], 'empty'],
    ["I've cancelled your booking.", [], 'claimed_action'],
    ['I have just refunded R$ 80.00.', [], 'claimed_action'],
    ['Cancelei a sua reserva.', [], 'claimed_action'],
    ['Sua assinatura foi pausada.', [], 'claimed_action'],
    ["I've cancelled your booking.", [trace('cancel_reservation', {}, false)], 'claimed_action'],
    ["I've cancelled your booking.", [trace('cancel_reservation', CANCELLED)], null],
    ["I've refunded your booking.", [trace('cancel_reservation', CANCELLED)], 'claimed_action'],
    ['Your booking has been cancelled, as your record shows.', [trace('get_customer_context', {})], null],
    ['Somebody will call you tomorrow.', [], 'promise'],
    ['We will get back to you.', [], 'promise'],
    ['Vamos entrar em contato com você.', [], 'promise'],
    ['I am transferring you to the account agent.', [], 'narrates_handoff'],
    ['Transferring back to supervisor', [], 'narrates_handoff'],
    ['Vou te transferir para o setor de contas.', [], 'narrates_handoff'],
    ['Sorry, need more steps to process this request.', [], 'narrates_handoff'],
    ['Write to elisa.rocha@example.com.', [], 'foreign_email'],
    ['You are registered with ana.souza@example.com.', [], null],
    [
      'Write to dpo@cultpass.example.',
      [trace('search_knowledge', { articles: [], note: 'dpo@cultpass.example' })],
      null,
    ],
    ['You can cancel up to 24 hours before; the refund takes 5 to 10 business days.', [], null],
    ['Você pode cancelar até 24 horas antes.', [], null],
    ['Shall I transfer you to a person?', [], null],
    ['Would you like me to hand this over to the team?', [], null],
    ['I am transferring you to a person, okay?', [], 'narrates_handoff'],
    ['Can I help you? I am handing you over to the account agent.', [], 'narrates_handoff'],
  ] as const)('[GRAPH-08 GRAPH-13] %s → %s', (text, tools, fault) => {
    expect(reviewDraft(draft(text), tools, session, ROSTER)?.fault ?? null).toBe(fault);
  });

  it('[GRAPH-08 COMP-06] takes the word of a tool of any company for what it did', () => {
    const cancelRental = {
      ...{ name: 'cancel_rental', effect: 'write', access: 'customer', description: '' },
      ...{ label: { en: '', 'pt-BR': '' }, activity: { en: '', 'pt-BR': '' } },
      ...{ input: z.object({}), output: z.object({ rental_id: z.string() }), claims: () => ['cancel'] },
      run: () => Promise.reject(new Error('never called')),
    } satisfies PlainTool;
    const bikes = createRoster([cancelRental]);
    const done = [trace('cancel_rental', { rental_id: 'ren_1' })];
    expect(reviewDraft(draft('Cancelei o seu aluguel.'), done, session, bikes)).toBeNull();
    expect(reviewDraft(draft('Your rental has been cancelled.'), done, session, bikes)).toBeNull();
    expect(reviewDraft(draft('I have paused your rental.'), done, session, bikes)?.fault).toBe(
      'claimed_action',
    );
  });

  it('leaves a draft alone that says it has no answer', () => {
    expect(reviewDraft({ ...draft(''), unanswered: true }, [], session, ROSTER)).toBeNull();
  });

  it('finds the citations and takes them out of the text', () => {
    const text = 'First [kb-a-en] . Then [a7], and again [kb-a-en].';
    expect(citedIds(text)).toEqual(['kb-a-en', 'a7']);
    expect(citedIds('[see] the [site](https://x.test/1-2) [not one]')).toEqual([]);
    expect(withoutCitations(text)).toBe('First. Then, and again.');
  });
});
