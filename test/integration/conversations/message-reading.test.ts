import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMessageModel,
  MESSAGE_KINDS,
  type MessageKind,
  readMessageModel,
} from '../../../src/dialogue/index.js';
import { type Hub, openHub } from '../../support/hub.js';

const JOAO = 'joao.cardoso@example.com';
const BRUNO = 'bruno.lima@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says all of it in one conversation. @returns the last answer */
async function converse(email: string | null, ...lines: readonly string[]) {
  let reply = await hub.say(email, lines[0] ?? '');
  for (const line of lines.slice(1)) reply = await hub.say(email, line, reply.threadId);
  return reply;
}

describe('a message in its conversation', () => {
  it.each([
    [BRUNO, ['if i move up a plan today, what happens with the visits i already used?'], 'kb-change-plan-en'],
    [
      JOAO,
      [
        'o app diz que travou por senha errada',
        'e as entradas que já reservei, seguem valendo enquanto isso?',
      ],
      'kb-account-locked-pt',
    ],
    [
      BRUNO,
      ['can i lend my pass to my cousin', 'and if she comes with me instead?'],
      'kb-transfer-reservation-en',
    ],
  ])('[QST-07] %s: %j is answered from its article', async (email, lines, article) => {
    const reply = await converse(email, ...lines);
    expect(reply.citations.map(({ articleId }) => articleId)).toContain(article);
    expect(reply.escalated).toBe(false);
  });

  it.each([
    [JOAO, 'one of the stewards shoved my wife and her arm is hurt, do you have insurance for that?'],
    [null, 'you will hear from my solicitor about what your rules say on refunds.'],
  ])('[QST-08] %s: %s goes to people', async (email, text) => {
    expect((await hub.say(email, text)).escalated).toBe(true);
  });

  it.each([
    ['carla.mendes@example.com', ['why can I not book anything?', 'no no. am i paused or what'], /paused/],
    [JOAO, ['oi', 'assinei faz 3 dias e me arrependi, quero meu dinheiro'], /7 dias/],
  ])('[DLG-44] %s: %j is answered, and not taken for a withdrawal', async (email, lines, says) => {
    const reply = await converse(email, ...lines);
    expect(reply.reply).toMatch(says);
    expect(reply.reply).not.toMatch(/stays as it is|fica tudo como está/);
  });

  it('[QST-08] does both of two requests', async () => {
    const reply = await hub.say(BRUNO, 'cancel the film club please. and how fast do cards get refunds?');
    expect(reply.pending?.kind).toBe('confirmation');
    expect(reply.citations.map(({ articleId }) => articleId)).toContain('kb-refund-times-en');
  });
});

describe('the weights', () => {
  it('[QST-07] make of what is measured chances that add up, and of nothing no certainty', () => {
    const model = readMessageModel();
    const guess = model.kindOf({});
    expect(guess.chanceOf(...MESSAGE_KINDS)).toBeCloseTo(1, 5);
    expect(guess.chance).toBeLessThan(0.9);
    const order = model.kindOf({
      'triage.action': 0.95,
      'triage.sure': 0.95,
      'question.order': 0.95,
      'change.chance': 0.9,
    });
    expect(order.kind).toBe<MessageKind>('order');
  });

  it('[QST-07] are taken by name, and one that is not known counts nothing', () => {
    const model = createMessageModel({
      kinds: {
        bias: MESSAGE_KINDS.map(() => 0),
        weights: { asks: MESSAGE_KINDS.map((kind) => (kind === 'record' ? 5 : 0)) },
      },
      article: { bias: 0, weights: { alone: 4 } },
    });
    expect(model.kindOf({ asks: 1, elsewhere: 9 }).kind).toBe('record');
    expect(model.answers({ elsewhere: 9 })).toBe(0.5);
    expect(model.answers({ alone: 1 })).toBeGreaterThan(0.95);
  });

  it('[QST-09] are learned from lines that are whole', () => {
    const read = (path: string) =>
      readFileSync(new URL(`../../../companies/cultpass/${path}`, import.meta.url), 'utf8')
        .trim()
        .split('\n');
    const ids = new Set(
      read('articles/knowledge.jsonl').map((line) =>
        (JSON.parse(line) as { article_id: string }).article_id.replace(/-(en|pt)$/, ''),
      ),
    );
    interface Turn {
      readonly text: string;
      readonly kind: string | null;
      readonly articles?: readonly string[];
    }
    const turns = read('intents/conversations.jsonl').flatMap(
      (line) => (JSON.parse(line) as { turns: readonly Turn[] }).turns,
    );
    expect(turns.length).toBeGreaterThan(1000);
    const wrong = turns.filter(
      ({ text, kind, articles = [] }) =>
        text.trim() === '' ||
        (kind !== null && !(MESSAGE_KINDS as readonly string[]).includes(kind)) ||
        articles.some((id) => !ids.has(id)),
    );
    expect(wrong).toEqual([]);
  });

  it('[DLG-43] of mentions are learned from lines whose mentions stand in braces with their role', () => {
    const lines = readFileSync(new URL('../../../data/nlu/mentions.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThan(3000);
    const MARKED = /^(?:en|pt|es)\t[^{}\t]*(?:\{[WKR] [^{}\t]+\}[^{}\t]*)+$/;
    expect(lines.filter((line) => !MARKED.test(line))).toEqual([]);
  });
});
