import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadCompany } from '../../../src/company/company.js';
import { checkTexts, loadTexts } from '../../../src/company/texts.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { ERROR_CODES } from '../../../src/core/errors.js';
import { ENGINE_TEXTS, formatMoney } from '../../../src/core/i18n/index.js';
import { sentencesOf } from '../../../src/runtime/roster.js';
import { ROSTER } from '../../support/roster.js';
import { TEXTS } from '../../support/texts.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CULTPASS = join(ROOT, 'companies/cultpass');
const ENGINE = join(ROOT, 'src/company/texts');
const { profile } = loadCompany(CULTPASS);
/** What the tools say by themselves. */
const BROUGHT = sentencesOf(ROSTER.all.values());
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A company that says only what is written here. */
function company(files: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hub-texts-'));
  folders.push(folder);
  for (const [language, texts] of Object.entries(files)) {
    mkdirSync(join(folder, 'texts', language), { recursive: true });
    writeFileSync(join(folder, 'texts', language, 'own.yaml'), stringify(texts));
  }
  return folder;
}

function readTexts(folder: string): Record<string, unknown> {
  const files = readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')));
  return Object.assign({}, ...files) as Record<string, unknown>;
}

describe('the texts of a company', () => {
  it('[CMP-01] are whole, and filled with what is known, in every language of the company that ships', () => {
    expect(checkTexts({ folder: CULTPASS, languages: profile.languages })).toEqual([]);
  });

  it('[CMP-01] hold every sentence of a company that the code says', () => {
    const keys = ['src', 'agents', 'tools', 'companies'].flatMap((room) => keysIn(join(ROOT, room)));
    expect(keys.length).toBeGreaterThan(30);
    for (const language of profile.languages) {
      const texts = TEXTS.with(BROUGHT).for(language);
      for (const key of keys)
        expect(() => texts.sayOwn(key, ANYTHING), `${key} in ${language}`).not.toThrow();
    }
  });

  it('[HOU-03] are said of tools that bring their own, and name the one that lacks a language or is no message', () => {
    const folder = company({ en: { 'own.told': '{n} points' }, es: { 'own.told': '{n} puntos' } });
    const languages = ['en', 'es'];
    const loaded = loadTexts(folder, { ...profile, languages });
    const told = { en: '{n, plural, one {# point} other {# points}}' };
    const spanish = { ...told, es: '{n} punto(s)' };
    const texts = loaded.with(
      new Map([
        ['points.told', spanish],
        ['own.told', spanish],
      ]),
    );
    expect(texts.for('en').sayOwn('points.told', { n: 1 })).toBe('1 point');
    expect(texts.for('es').sayOwn('points.told', { n: 2 })).toBe('2 punto(s)');
    expect(texts.for('es').sayOwn('own.told', { n: 2 })).toBe('2 puntos');
    expect(() => loaded.with(new Map([['points.spent', told]]))).toThrow(/points\.spent is missing/);
    const broken = new Map([['points.spent', { en: '{n', es: '{n}' }]]);
    expect(
      checkTexts({ folder, languages }, broken).filter(({ key }) => key === 'points.spent'),
    ).toMatchObject([{ language: 'en', problem: expect.stringMatching(/^is no ICU message/) }]);
  });

  it('[CMP-02] name file, key and fault of what is missing, broken, or filled with what it is not given', () => {
    const folder = company({
      en: { thanks: 'Thanks, {who}!', goodbye: 'Bye {', own: '{a} and {b}' },
      'pt-BR': { own: '{a}', more: 'mais' },
    });
    const file = (language: string) => join(folder, 'texts', language, 'own.yaml');
    expect(checkTexts({ folder, languages: ['en', 'pt-BR'] })).toEqual([
      { file: join(folder, 'texts/en'), key: 'more', language: 'en', problem: 'is missing' },
      {
        file: file('en'),
        key: 'thanks',
        language: 'en',
        problem: 'is filled with {who}, which it is not given',
      },
      {
        file: file('en'),
        key: 'goodbye',
        language: 'en',
        problem: expect.stringContaining('is no ICU message'),
      },
      {
        file: file('pt-BR'),
        key: 'own',
        language: 'pt-BR',
        problem: 'is filled with {a}, and in another language with {a}, {b}',
      },
    ]);
    expect(() => loadTexts(folder, profile)).toThrow(/texts\/en: more is missing/);
  });

  it('[CMP-02] refuse a file that is no YAML, no section of texts, or says a key twice', () => {
    const folder = company({ en: { thanks: 'Thanks.' } });
    const write = (name: string, text: string) => writeFileSync(join(folder, 'texts/en', name), text);
    const load = () => loadTexts(folder, profile);
    write('more.yaml', 'thanks: Again.');
    expect(load).toThrow(
      /more\.yaml: thanks stands in .*own\.yaml too|own\.yaml: thanks stands in .*more\.yaml too/,
    );
    write('more.yaml', 'list: [a]');
    expect(load).toThrow(/more\.yaml: list must be a text/);
    write('more.yaml', '{');
    expect(load).toThrow(/more\.yaml cannot be read/);
  });

  it('[CMP-03] speak a further language by files alone', () => {
    const language = 'es' as Language;
    const own = company({
      es: { ...readTexts(join(ENGINE, 'en')), thanks: '¡Con gusto! {company}, {languages}' },
    });
    cpSync(join(ENGINE, 'en'), join(own, 'texts', 'en'), { recursive: true });
    const speaker = {
      name: 'Ferretería',
      currency: 'EUR',
      languages: [language, 'en'] as const,
      timeZoneName: { es: 'hora de Madrid', en: 'Madrid time', 'pt-BR': '' },
    };
    expect(checkTexts({ folder: own, languages: speaker.languages })).toEqual([]);
    const texts = loadTexts(own, speaker).for(language);
    expect(texts.say('thanks')).toBe('¡Con gusto! Ferretería, español e inglés');
    expect(texts.say('next_step', { by: 'lunes', out_of_hours: false })).toContain('hora de Madrid');
    expect(texts.money(123_456)).toBe('1234,56 €');
  });

  it('[CMP-04] say a sentence of the engine in words of the company', () => {
    const folder = company({ en: { thanks: 'Cheers from {company}!' }, 'pt-BR': {} });
    const texts = loadTexts(folder, profile);
    expect(texts.for('en').say('thanks')).toBe('Cheers from CultPass!');
    expect(texts.for('pt-BR').say('thanks')).toBe('De nada! Posso ajudar em mais alguma coisa?');
    expect(() => texts.for('en').sayOwn('unheard_of')).toThrow(/no text unheard_of in en/);
  });

  it('choose nothing by what a customer has written', () => {
    const texts = TEXTS.for('en');
    for (const name of ['none', 'other', 'constructor', '{x}', 'yes'])
      expect(texts.say('greeting', { name, returning: false })).toContain(`Hello, ${name}!`);
    expect(texts.say('greeting', { name: null, returning: false })).toMatch(/^Hello! How/);
  });

  it('give every refusal a sentence that is whole', () => {
    for (const language of profile.languages)
      for (const code of ERROR_CODES) expect(TEXTS.for(language).sayOf('refusal', code)).toMatch(/\.$/);
  });

  it('name no company and no place in the words of the engine', () => {
    const all = profile.languages
      .map((language) => JSON.stringify(readTexts(join(ENGINE, language))))
      .join('\n');
    expect(all).not.toMatch(/cultpass|bras[ií]lia|reserv|assinatura|subscription|booking|R\$|Pix\b/i);
    expect(Object.keys(ENGINE_TEXTS).length).toBeGreaterThan(40);
  });
});

describe('amounts', () => {
  it.each([
    [6_000, 'en', 'BRL', 'R$ 60.00'],
    [6_000, 'pt-BR', 'BRL', 'R$ 60,00'],
    [123_456, 'pt-BR', 'BRL', 'R$ 1.234,56'],
    [-4_590, 'en', 'BRL', '-R$ 45.90'],
    [6_000, 'en', 'EUR', '€60.00'],
    [6_000, 'de', 'EUR', '60,00 €'],
    [6_000, 'en', 'JPY', '¥6,000'],
    [6_000, 'en', 'CHF', 'CHF 60.00'],
  ])('%i in %s and %s is written %s', (amount, language, currency, text) => {
    expect(formatMoney(amount, language, currency)).toBe(text);
  });
});

/** A value for whatever a sentence of the company is filled with: two may be counted, and said. */
const SPOKEN = [
  ...profile.languages.map((language) => readTexts(join(CULTPASS, 'texts', language))),
  [...BROUGHT.values()],
];
const ANYTHING = Object.fromEntries(
  [...JSON.stringify(SPOKEN).matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => [name ?? '', 2]),
);

function keysIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/sayOwn\(\s*'([^']+)'/g)])
    .flatMap(([, key]) => key ?? []);
}

it('[SHF-140] every question that is answered with yes or no ends in the words that no card shows', () => {
  const folders = [ENGINE, ...['cultpass', 'shop'].map((name) => join(ROOT, 'companies', name))];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?:^|\/)(?:actions|texts|en|es|pt-BR)\/.*\.yaml$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8').replace(/\s+/g, ' ')),
  );
  const asked = files.flatMap((text) =>
    text.match(/(?:answer yes or no|Responda sim ou não|Responde sí o no).{0,20}/g),
  );
  expect(asked.length).toBeGreaterThan(20);
  for (const words of asked.filter((one) => one !== null)) expect(words).toMatch(/^[^,;.]*\.(?:$|[ '"])/);
});
