import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isInternalId,
  ownLanguage,
  plainName,
  plainSentence,
  withoutIds,
} from '../../../src/surfaces/web/desk/lib/format.js';
import { toCsv } from '../../../src/surfaces/web/shared/download.js';
import { createEventParser, type ServerEvent } from '../../../src/surfaces/web/shared/follow.js';
import { type Inline, safeUrl, toBlocks, toInline } from '../../../src/surfaces/web/shared/inline-marks.js';

describe('plain text of an answer', () => {
  it('[WEB-13] becomes paragraphs, line breaks and lists', () => {
    expect(toBlocks('One\ntwo\n\n- a\n- b\n  more\n\n3. c\n4. d\nend')).toEqual([
      { type: 'paragraph', lines: ['One', 'two'] },
      { type: 'bullets', items: [['a'], ['b', 'more']] },
      { type: 'numbers', start: 3, items: [['c'], ['d']] },
      { type: 'paragraph', lines: ['end'] },
    ]);
  });

  it('[WEB-13] keeps every word of any text', () => {
    const words = (text: string): string => text.replace(/[\s\-*•–\d.)]/g, '');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const shown = toBlocks(text)
          .map((block) => (block.type === 'paragraph' ? block.lines : block.items.flat()).join(' '))
          .join(' ');
        expect(words(shown)).toBe(words(text));
      }),
    );
  });
});

describe('the marks of a message', () => {
  const hosts = ['help.example.com'];
  /** As a reader would write it down: `{b ...}` for what is shown bold, and so on. */
  const shown = (parts: readonly Inline[]): string =>
    parts
      .map((part) =>
        part.type === 'text'
          ? part.text
          : part.type === 'code'
            ? `{code ${part.text}}`
            : part.type === 'link'
              ? `{to ${part.url}: ${shown(part.parts)}}`
              : `{${part.type === 'strong' ? 'b' : 'i'} ${shown(part.parts)}}`,
      )
      .join('');

  it.each([
    ['It costs **R$ 60.00** and *nothing* more', 'It costs {b R$ 60.00} and {i nothing} more'],
    ['**very _much_ so** and __this__', '{b very {i much} so} and {b this}'],
    ['## Steps\nthen `npm *x*`', '{b Steps}\nthen {code npm *x*}'],
    ['```sh\na\nb\n```', '{code a\nb}'],
    ['2 * 3 * 4, res_001_x, a*b*c, 5 ** 2 ** 3', '2 * 3 * 4, res_001_x, a*b*c, 5 ** 2 ** 3'],
    ['**open, `open, [open](', '**open, `open, [open]('],
    [
      'See https://help.example.com/a_b?c=1.',
      'See {to https://help.example.com/a_b?c=1: https://help.example.com/a_b?c=1}.',
    ],
    ['(https://help.example.com/)', '({to https://help.example.com/: https://help.example.com/})'],
    ['[the **page**](https://help.example.com/a)', '{to https://help.example.com/a: the {b page}}'],
    ['[good](https://evil.example/a)', '[good](https://evil.example/a)'],
    [
      'https://evil.example/ https://help.example.com@evil.example/',
      'https://evil.example/ https://help.example.com@evil.example/',
    ],
    [
      '[x](javascript:alert(1)) [y](data:text/html,z) [z](//help.example.com)',
      '[x](javascript:alert(1)) [y](data:text/html,z) [z](//help.example.com)',
    ],
    [
      'http://help.example.com/ https://help.example.com:81/',
      'http://help.example.com/ https://help.example.com:81/',
    ],
    ['[https://help.example.com](https://evil.example)', '[https://help.example.com](https://evil.example)'],
    ['<b onclick=x>**a**</b>', '<b onclick=x>{b a}</b>'],
  ])('[WEB-13 SHF-41] %s', (text, expected) => {
    expect(shown(toInline(text, hosts))).toBe(expected);
  });

  it('[WEB-13 SHF-41] takes no word away and leads nowhere else, whatever is written', () => {
    const piece = fc.constantFrom(
      '**',
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      'a',
      ' ',
      '\n',
      '#',
      ...['https://help.example.com/', 'https://evil.example/', 'javascript:alert(1)', '<img src=x>'],
    );
    const flat = (parts: readonly Inline[]): readonly Inline[] =>
      parts.flatMap((part) => ('parts' in part ? [part, ...flat(part.parts)] : [part]));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const parts = flat(toInline(text, hosts));
        const words = (of: string): string => of.replace(/https:\S*|[^a<>]/g, '');
        const kept = parts.map((part) => ('text' in part ? part.text : '')).join('');
        expect(words(kept).length).toBe(words(text).length);
        for (const part of parts) if (part.type === 'link') expect(new URL(part.url).host).toBe(hosts[0]);
      }),
    );
  });

  it('[SHF-41] takes no time over a text that was made to take it', () => {
    const before = process.cpuUsage();
    for (const unit of ['**a ', '*a ', '_a ', '[a', '`a', '**', '[a](https://'])
      toInline(unit.repeat(8_000 / unit.length), hosts);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

describe('an address in an article', () => {
  const hosts = ['help.example.com', '.cultpass.com.br'];
  it.each([
    ['https://help.example.com/a?b=c#d', true],
    ['https://www.cultpass.com.br/', true],
    ['https://HELP.example.com./', false],
    ['http://help.example.com/', false],
    ['https://help.example.com:8443/', false],
    ['https://help.example.com@evil.example/', false],
    ['https://user@help.example.com/', false],
    ['https://help.example.com.evil.example/', false],
    ['https://evilcultpass.com.br/', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//help.example.com/', false],
    ['/relative', false],
    ['', false],
  ])('[WEB-13] %s is allowed: %s', (url, allowed) => {
    expect(safeUrl(url, hosts) !== null).toBe(allowed);
  });
});

describe('an event stream', () => {
  const read = (pieces: readonly string[]): readonly ServerEvent[] => {
    const events: ServerEvent[] = [];
    const parse = createEventParser((event) => events.push(event));
    for (const piece of pieces) parse(piece);
    return events;
  };
  const text =
    ': still here\nretry: 5\n\nid: 1.0\nevent: token\ndata: {"text":"é"}\n\nid: 2.0\r\ndata: a\r\ndata: b\r\n\r\ndata: open';

  it('[WEB-08] is read the same however it is cut', () => {
    const whole = read([text]);
    expect(whole).toEqual([
      { id: '1.0', event: 'token', data: '{"text":"é"}' },
      { id: '2.0', event: 'message', data: 'a\nb' },
    ]);
    for (let at = 0; at < text.length; at += 1) {
      expect(read([text.slice(0, at), text.slice(at)]), String(at)).toEqual(whole);
    }
    expect(read([...text])).toEqual(whole);
  });
});

describe('data of a query', () => {
  it('[SHF-12] is called as people call it', () => {
    const names = ['hours_to_start', 'paid_cents', 'is_blocked', 'refunded_at', 'amount_cents', 'title'];
    expect(names.map(plainName)).toEqual([
      'Hours to start',
      'Paid',
      'Blocked',
      'Refunded',
      'Amount',
      'Title',
    ]);
    const entries = [
      ['what_en', 'a visit'],
      ['what_pt', 'uma visita'],
      ['price', 1],
    ] as const;
    expect(ownLanguage(entries, 'pt-BR', ['en', 'pt-BR'])).toEqual([
      ['what', 'uma visita'],
      ['price', 1],
    ]);
  });

  it('[SHF-12] names records by their titles, and leaves no id in brackets behind one', () => {
    const names = { res_029: 'Samba Night' };
    expect(withoutIds('It is "Samba Night" (res_029), which is cancelled.', names)).toBe(
      'It is "Samba Night", which is cancelled.',
    );
    expect(withoutIds('The reservation res_029 (of today) is paid.', names)).toBe(
      'The reservation “Samba Night” (of today) is paid.',
    );
    expect(withoutIds('Nothing of res_777 is known; R$ 60.00.', names)).toBe(
      'Nothing of res_777 is known; R$ 60.00.',
    );
    expect(withoutIds('A: Accept it (run run_trn_g1mb7_pre_0ae8)', names)).toBe('A: Accept it');
    expect(['res_029', 'tkt_t2xv73sy36cc2wvx', 'never_issued', 'as_of'].map(isInternalId)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('what the hub reports', () => {
  const plain = (text: string) =>
    plainSentence(text, (term) => (term === 'cancel_order' ? 'Cancel an order' : term.replaceAll('_', ' ')));

  it('[SHF-12] says calls by their label and what they were given, and terms as words', () => {
    expect(plain('action: cancel_order({"order_id":"ord_12","reason":"too late","why":"cut o)')).toBe(
      'Cancel an order: too late, cut o',
    );
    expect(plain('knowledge: investigate({})')).toBe('investigate');
    expect(plain('double_charge 1.0.0: paid_twice (confidence 0.95)')).toBe(
      'double charge 1.0.0: paid twice (confidence 0.95)',
    );
  });
});

describe('a list as a file', () => {
  it('[SHF-18] keeps commas, quotes and lines of a cell, and makes no formula of what a customer wrote', () => {
    const rows = [
      ['Customer', 'Last message'],
      ['Souza, Ana', 'She said "no".\nThen left.'],
      ['Bruno', '=HYPERLINK("https://evil.example")'],
      ['+55', '-1'],
    ];
    expect(toCsv(rows)).toBe(
      '\uFEFFCustomer,Last message\r\n"Souza, Ana","She said ""no"".\nThen left."\r\n' +
        'Bruno,"\'=HYPERLINK(""https://evil.example"")"\r\n\'+55,\'-1\r\n',
    );
  });
});
