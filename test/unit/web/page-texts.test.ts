import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { fill, ofCompany, speakOf } from '../../../src/surfaces/web/shared/message.js';

const WEB = fileURLToPath(new URL('../../../src/surfaces/web/', import.meta.url));
const PAGES = ['shared', 'chat', 'desk', 'embed'] as const;

/** The messages of a file by their keys; lists count by their places. */
function messagesIn(page: string, file: string): ReadonlyMap<string, string> {
  const flat = (value: unknown, key: string): readonly (readonly [string, string])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => flat(inner, key === '' ? name : `${key}.${name}`))
      : [[key, String(value)]];
  return new Map(flat(JSON.parse(readFileSync(`${WEB}${page}/texts/${file}`, 'utf8')), ''));
}

/** What a message is filled with, that of its branches too. */
function filledWith(message: string, locale: string): readonly string[] {
  type Part = { readonly type: number; readonly value?: unknown; readonly options?: object };
  const names = (parts: readonly Part[]): readonly string[] =>
    parts.flatMap(({ type, value, options = {} }) => [
      ...(type === 0 || type === 7 ? [] : [String(value)]),
      ...Object.values(options).flatMap((option: { readonly value: readonly Part[] }) => names(option.value)),
    ]);
  const ast = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true }).getAst();
  return [...new Set(names(ast))].sort();
}

describe('the text files of the pages', () => {
  it.each(PAGES)('[PAGE-04] of %s say the same things in every language, filled with the same', (page) => {
    const files = readdirSync(`${WEB}${page}/texts`);
    expect(files).toEqual(expect.arrayContaining(['en.json', 'pt-BR.json']));
    const english = messagesIn(page, 'en.json');
    for (const file of files) {
      const messages = messagesIn(page, file);
      expect([...messages.keys()], file).toEqual([...english.keys()]);
      for (const [key, message] of messages) {
        expect(message.trim(), `${file} ${key}`).not.toBe('');
        const wanted = filledWith(english.get(key) ?? '', 'en');
        expect(filledWith(message, file.replace('.json', '')), `${file} ${key}`).toEqual(wanted);
      }
    }
  });

  it('[PAGE-04] are there in the same languages for every page', () => {
    const languages = PAGES.map((page) => readdirSync(`${WEB}${page}/texts`).join(' '));
    expect(new Set(languages).size).toBe(1);
  });
});

describe('a message', () => {
  it('[PAGE-04] is filled as its language counts, and with the company by itself', () => {
    speakOf({ locale: 'pt-BR', company: 'Acme' });
    const message = '{count, plural, one {# caractere} other {# caracteres}} para {company}';
    expect(fill(message, { count: 1 })).toBe('1 caractere para Acme');
    expect(fill(message, { count: 2000 })).toBe('2.000 caracteres para Acme');
    speakOf({ locale: 'en' });
    expect(fill('{count, plural, other {#}}', { count: 2000 })).toBe('2,000');
  });

  it('[PAGE-04] takes what a person wrote as it is', () => {
    expect(fill('From {name}', { name: "{company} <b>'x'</b>" })).toBe("From {company} <b>'x'</b>");
  });

  it('[PAGE-04] names the company wherever a text does, and leaves what the build has parsed to be filled', () => {
    const parsed = [{ type: 1, value: 'name' }];
    const texts = { title: 'Ask {company}', empty: ['None at {company}', 'Write'], parsed };
    expect(ofCompany(texts, 'Acme')).toEqual({
      title: 'Ask Acme',
      empty: ['None at Acme', 'Write'],
      parsed,
    });
  });
});
