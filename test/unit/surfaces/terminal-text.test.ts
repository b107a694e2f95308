import { describe, expect, test } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';
import { loadTexts } from '../../../src/company/texts.js';
import type { ApprovalOutcome } from '../../../src/core/app.js';
import { HubError } from '../../../src/core/errors.js';
import {
  formatOutcome,
  formatTurnError,
  parseChatLine,
} from '../../../src/surfaces/cli/chat/chat-session.js';
import { operatorOf } from '../../../src/surfaces/cli/desk/desk.js';
import { displayWidth, formatTable, oneLine, printable, shorten } from '../../../src/surfaces/printable.js';

describe('text for a terminal', () => {
  test('[HOU-07] comes from the text files of the company, in each of its languages', () => {
    const folder = new URL('../../companies/gearhouse', import.meta.url).pathname;
    const texts = loadTexts(folder, loadCompany(folder).profile);
    const banner = texts.for('es').say('terminal.banner', { who: null, offline: true });
    expect(banner.split('\n')).toEqual([
      expect.stringMatching(/^Atención al cliente de Gearhouse/),
      expect.stringMatching(/^Sin iniciar sesión: .* \(--as EMAIL inicia sesión\)\.$/),
      expect.stringMatching(/^Modo sin conexión: .*entrenados\.$/),
      '/help muestra los comandos, Ctrl-D sale.',
    ]);
    expect(texts.for('en').say('terminal.banner', { who: 'a@b.c', offline: false }).split('\n')).toEqual([
      expect.stringMatching(/^Gearhouse.* support$/),
      'Signed in as a@b.c.',
      '/help lists the commands, Ctrl-D leaves.',
    ]);
    expect(formatTurnError(new HubError('usage', 'x'), 'es', '/approve', texts)).toBe(
      'Indica el id de lo que está pendiente: /approve ID o /reject ID MOTIVO',
    );
    const pending = { pendingId: 'pen_1', status: 'rejected' };
    expect(formatOutcome({ pending, reply: null } as ApprovalOutcome, texts.for('es'))).toBe(
      'pen_1 está rechazado.\n',
    );
  });

  test.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007rest', 'rest'],
    ['half \u001b[3', 'half [3'],
    ['bell\u0007 back\b \u009b31m', 'bell back 31m'],
    ['abc\u202edcba\u2066x', 'abcdcbax'],
    ['two\nlines\tand ação 😀', 'two\nlines\tand ação 😀'],
  ])('%j is shown as %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test('takes the columns that it takes', () => {
    expect(['abc', 'ação', 'a\u0301', '日本', '😀'].map(displayWidth)).toEqual([3, 4, 1, 4, 2]);
    expect(shorten('日本語の文章', 7)).toBe('日本語…');
    expect(shorten('short', 5)).toBe('short');
    expect(oneLine(' a\n\tb ')).toBe('a b');
  });

  test('stands in columns, and the last one gives way', () => {
    const table = formatTable(
      ['A', 'N', 'TEXT'],
      [
        ['日本', '5', 'x'.repeat(40)],
        ['b', '12', 'a\nb'],
      ],
      { right: [1], width: 24 },
    );
    expect(table.split('\n')).toEqual([
      'A      N  TEXT',
      '----  --  --------------',
      `日本   5  ${'x'.repeat(13)}…`,
      'b     12  a b',
    ]);
  });
});

describe('a line of the chat', () => {
  test.each([
    ['', { kind: 'blank' }],
    [' \t', { kind: 'blank' }],
    ['hello', { kind: 'message', text: 'hello' }],
    ['/approve pnd_1', { kind: 'approve', id: 'pnd_1' }],
    ['  /REJECT pnd_1 not  now ', { kind: 'reject', id: 'pnd_1', reason: 'not  now' }],
    ['/reject pnd_1', { kind: 'reject', id: 'pnd_1', reason: '' }],
    ['/quit', { kind: 'quit' }],
    ['/help', { kind: 'help' }],
    ['/aprove x', { kind: 'unknown', word: '/aprove', text: '/aprove x' }],
    ['/1 of 2 is broken', { kind: 'message', text: '/1 of 2 is broken' }],
  ])('%j means %j', (line, meaning) => {
    expect(parseChatLine(line)).toEqual(meaning);
  });

  test.each(['/approve', '/reject'])('%s needs an id', (line) => {
    expect(() => parseChatLine(line)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

test('an operator has an id by the name, or is the one at the terminal', () => {
  expect(operatorOf({})).toEqual({ operatorId: 'op_terminal', name: 'Terminal operator' });
  expect(operatorOf({ as: ' Célia  Reis ' })).toEqual({ operatorId: 'op_celia_reis', name: 'Célia  Reis' });
  expect(() => operatorOf({ as: ' ' })).toThrow(expect.objectContaining({ code: 'usage' }));
});
