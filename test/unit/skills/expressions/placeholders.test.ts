import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeFormat } from '../../../../src/core/i18n/index.js';
import {
  bindStatement,
  fillPath,
  fillText,
  fillValue,
  placeholderNames,
} from '../../../../src/skills/expressions/placeholders.js';

const scope = {
  name: 'Ana',
  paid_cents: 4590,
  exact_cents: '4590',
  nothing: null,
  active: true,
  at: '2026-11-26T23:00:00.000Z',
  user: { id: 'u-1', tags: ['a', 'b'] },
  rows: [{ id: 7 }],
};

describe('[SKE-02] statements', () => {
  it('[SKE-02] keep values apart from their text', () => {
    expect(bindStatement('SELECT * FROM t WHERE id = {user.id} AND n = {paid_cents} LIMIT 5', scope)).toEqual(
      {
        segments: ['SELECT * FROM t WHERE id = ', ' AND n = ', ' LIMIT 5'],
        values: ['u-1', 4590],
      },
    );
  });

  it('[SKE-02] bind what is missing as null, and lists as JSON', () => {
    const { values } = bindStatement(
      'SELECT {user.zip}, {user.tags}, {rows.0.id}, {user.constructor}',
      scope,
    );
    expect(values).toEqual([null, '["a","b"]', 7, null]);
  });

  it.each([
    ["SELECT '{name}'", 'stands in quotes'],
    ["SELECT * FROM t WHERE n LIKE '%{name}%'", 'stands in quotes'],
    ['SELECT "{name}"', 'stands in quotes'],
    ['SELECT `{name}`', 'stands in quotes'],
    ['SELECT 1 -- {name}', 'stands in quotes or in a comment'],
    ['SELECT 1 /* {name} */', 'stands in quotes or in a comment'],
    ['SELECT $tag$ {name} $tag$', 'stands in quotes'],
    ["SELECT 'it''s {name}'", 'stands in quotes'],
    ["SELECT 'never closed {name}", 'stands in quotes'],
    ['SELECT {name|money}', 'a query takes the value itself'],
    ['SELECT {p1:String}', 'a brace that is no placeholder'],
    ['SELECT { name }', 'a brace that is no placeholder'],
    ['SELECT {}', 'a brace that is no placeholder'],
    ['SELECT {name', 'a brace that is no placeholder'],
    ['SELECT {a.b}}', 'a brace that is no placeholder'],
  ])('[SKE-02] refuse a template that would paste: %s', (template, why) => {
    expect(() => bindStatement(template, scope)).toThrow(
      expect.objectContaining({ code: 'expression_invalid', message: expect.stringContaining(why) }),
    );
  });

  it('[SKE-02] keep braces that are meant', () => {
    const template = `SELECT '{"a":{"b":1}}', {{x}}, {{{name}}}, 'it''s' || {name}`;
    expect(bindStatement(template, scope)).toEqual({
      segments: [`SELECT '{"a":{"b":1}}', {x}, {`, `}, 'it''s' || `, ''],
      values: ['Ana', 'Ana'],
    });
  });

  it('[SKE-02] never let a value into their text, whatever it is', () => {
    const template = 'SELECT * FROM t WHERE a = {a} AND b = {b.c}';
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'; DROP TABLE t; --", '{b.c}', '{{', '}}', '$1', '?', '\u0000', '$$', "\\'", '/*'),
    );
    fc.assert(
      fc.property(hostile, hostile, (a, c) => {
        expect(bindStatement(template, { a, b: { c } })).toEqual({
          segments: ['SELECT * FROM t WHERE a = ', ' AND b = ', ''],
          values: [a, c],
        });
      }),
    );
  });
});

describe('[SKE-02] texts', () => {
  it('[SKE-02] are filled, and what is missing reads as nothing', () => {
    expect(fillText('Dear {name}, {nothing}{user.zip}{active}: {user.tags}.', scope)).toBe(
      'Dear Ana, true: ["a","b"].',
    );
  });

  it('[SKE-02] leave JSON alone, and take {{name}} literally', () => {
    expect(fillText('{"a": {"b": {"c": 1}}} {} { name } {{name}} {{{name}}}', scope)).toBe(
      '{"a": {"b": {"c": 1}}} {} { name } {name} {Ana}',
    );
  });

  it('[SKE-02] write money and times in the language of the reader', () => {
    const time = new TimeFormat('America/Sao_Paulo');
    const template =
      '{paid_cents|money} {exact_cents|money} {at|date} {at|datetime} {nothing|money}{name|money}';
    expect(fillText(template, scope, { language: 'en', time, currency: 'BRL' })).toBe(
      'R$ 45.90 R$ 45.90 26 November Thursday 26 November at 20:00 Ana',
    );
    expect(
      fillText('{paid_cents|money}, {at|date}', scope, { language: 'pt-BR', time, currency: 'BRL' }),
    ).toBe('R$ 45,90, 26 de novembro');
    expect(fillText('{empty|money}{name|date}', { empty: '', name: 'soon' }, { time })).toBe('soon');
  });

  it('[SKE-02] write a day as that day, and a time without a zone as UTC, wherever it is read', () => {
    const time = new TimeFormat('America/Sao_Paulo');
    const scope = { day: '2026-02-20', at: '2026-02-20 02:30:00' };
    expect(fillText('{day|date}', scope, { time })).toBe('20 February');
    expect(fillText('{day|datetime}', scope, { time })).toBe('20 February');
    expect(fillText('{at|date}', scope, { time })).toBe('19 February');
    expect(fillText('{at|datetime}', scope, { time })).toBe(
      fillText('{at|datetime}', { at: '2026-02-20T02:30:00.000Z' }, { time }),
    );
  });

  it('[SKE-02] are filled once: a value that looks like a placeholder stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(fillText('<{a}>', { a: `{b}${value}`, b: 'secret' })).toBe(`<{b}${value}>`);
      }),
    );
  });
});

describe('[SKE-02] values', () => {
  it('[SKE-02] keep their type where a text is one placeholder', () => {
    expect(
      fillValue(
        {
          id: '{user.id}',
          all: '{user}',
          cents: '{paid_cents}',
          text: '{paid_cents} c',
          gone: '{zip}',
          n: 3,
        },
        scope,
      ),
    ).toEqual({ id: 'u-1', all: scope.user, cents: 4590, text: '4590 c', gone: null, n: 3 });
    expect(fillValue(['{rows.0}', ['{active}'], '{{name}}'], scope)).toEqual([{ id: 7 }, [true], '{name}']);
  });

  it('[SKE-02] give a moment as ISO text', () => {
    expect(fillValue('{now}', { now: new Date(0) })).toBe('1970-01-01T00:00:00.000Z');
  });

  it('[SKE-02] reach own fields only', () => {
    expect(fillValue('{user.constructor}', scope)).toBeNull();
    expect(fillText('[{__proto__}{user.__proto__}{toString}]', scope)).toBe('[]');
  });

  it('[SKE-02] name what they refer to, each once', () => {
    expect(placeholderNames({ a: ['{x.y} {z|money}', { b: '{x.y}' }], c: 5, d: null, e: '{{no}}' })).toEqual([
      'x.y',
      'z',
    ]);
  });
});

describe('[SKE-02] paths', () => {
  it('[SKE-02] take each value as one segment, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        // Dots alone, also between slashes and with spaces around them, are refused: see below.
        fc.pre(id.trim() !== '' && !id.split(/[/\\]/).some((part) => /^\s*\.{1,2}\s*$/.test(part)));
        const url = new URL(fillPath('/orders/{id}/lines', { id }), 'https://example.test');
        const [, orders, segment = '', lines, ...rest] = url.pathname.split('/');
        expect([orders, decodeURIComponent(segment), lines, rest, url.search, url.hash]).toEqual([
          'orders',
          id,
          'lines',
          [],
          '',
          '',
        ]);
      }),
    );
  });

  it.each([
    ['/orders/{id}', { id: '..' }],
    ['/orders/{id}', { id: '.' }],
    ['/orders/{a}{b}/x', { a: '.', b: '.' }],
    ['/orders/%2e{a}/x', { a: '.' }],
    ['/orders/../{id}', { id: 'x' }],
  ])('[SKE-02] refuse a value that leads elsewhere: %s', (template, values) => {
    expect(() => fillPath(template, values)).toThrow(
      expect.objectContaining({ code: 'input_invalid', message: expect.stringContaining('leads out') }),
    );
  });

  it('[SKE-02] take dots in a query', () => {
    expect(fillPath('/search?q={q}', { q: '../x&y=1' })).toBe('/search?q=..%2Fx%26y%3D1');
  });

  it.each([{}, { id: '' }, { id: ' ' }, { id: null }])(
    '[SKE-02] refuse a value that is missing: %j',
    (values) => {
      expect(() => fillPath('/orders/{id}', values)).toThrow(
        expect.objectContaining({ code: 'input_invalid', fields: expect.objectContaining({ field: 'id' }) }),
      );
    },
  );

  it('[SKE-02] refuse half a character', () => {
    expect(() => fillPath('/orders/{id}', { id: '\ud800' })).toThrow(/broken characters/);
  });

  it.each([
    ['{n|hours}', 361.19, '15 days', '15 dias'],
    ['{n|hours}', 20.5, '20 hours', '20 horas'],
    ['{n|hours}', 1, '1 hour', '1 hora'],
    ['{n|hours}', 0.75, '45 minutes', '45 minutos'],
    ['{n|days}', '8.3', '8 days', '8 dias'],
    ['{n|days}', 0.5, '12 hours', '12 horas'],
    ['{n|days}', 'soon', 'soon', 'soon'],
  ])('[SKD-90] says a length of time as people do: %s of %s', (template, n, en, pt) => {
    expect(fillText(template, { n }, { language: 'en' })).toBe(en);
    expect(fillText(template, { n }, { language: 'pt-BR' })).toBe(pt);
  });
});
