import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadCompany } from '../../../src/company/company.js';
import { createDialogue } from '../../../src/dialogue/index.js';
import { createActModel, createNlu } from '../../../src/nlu/index.js';

/** What is said to one question in one language. */
interface Said {
  readonly question: string;
  /** Titles of what else the customer has. */
  readonly others?: readonly string[];
  /** True where nothing is lost by a yes yet. */
  readonly isLight?: boolean;
  readonly yes: readonly string[];
  readonly not_yes: readonly string[];
  readonly yes_and: readonly (readonly [said: string, more: string])[];
}

const model = await createActModel();
/** The engine of the company that speaks the language. */
async function dialogueOf(name: string) {
  const { nlu, profile } = loadCompany(new URL(`../../../companies/${name}`, import.meta.url).pathname);
  const { entities } = nlu;
  const { languages, name: companyName } = profile;
  return createDialogue(await createNlu(nlu), model, { entities, companyName, languages });
}
const cultpass = await dialogueOf('cultpass');
const engines = { en: cultpass, 'pt-BR': cultpass, es: await dialogueOf('shop') } as const;

const files = [
  ...['said-to-a-question', 'said-by-others', 'asked-beside-a-yes'],
  ...['yes-to-what-can-wait', 'yes-to-a-pause', 'yes-to-a-resumption'],
];
const said = files.flatMap((name) => {
  const text = readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8');
  return Object.entries(parse(text) as Record<keyof typeof engines, Said>).map(([language, lines]) => ({
    name,
    language: language as keyof typeof engines,
    ...lines,
  }));
});

describe.each(said)('$name, $language', ({ language, ...said }) => {
  const read = (text: string) =>
    engines[language].readAnswer(text, language, said.question, {
      others: said.others ?? [],
      isLight: said.isLight ?? false,
    });

  it.each(said.yes)('[DLG-08] "%s" is a yes, with its reason', (text) => {
    expect(read(text)).toEqual({ kind: 'yes', rest: '', more: null });
  });
  it.each(said.not_yes)('[DLG-08] "%s" is no yes', (text) => {
    const { kind, rest } = read(text);
    // What a yes names is held against the record before anything is done.
    if (kind === 'yes') expect(rest).not.toBe('');
  });
  it.each(said.yes_and)('[DLG-08] "%s" is a yes, and a matter of its own', (text, more) => {
    expect(read(text)).toMatchObject({ kind: 'yes', rest: '', more: expect.stringContaining(more) });
  });
});

describe('a no that says what is wanted instead', () => {
  it.each([
    [
      'pt-BR',
      'Posso cancelar seu pedido de Desk lamp black? Responda sim ou não.',
      'não pera, não é cancelar, é mudar o endereço de entrega',
      'mudar o endereço',
    ],
    [
      'pt-BR',
      'Posso cancelar seu pedido de Desk lamp black? Responda sim ou não.',
      'não é pra cancelar, é só pra trocar o endereço',
      'trocar o endereço',
    ],
    [
      'es',
      '¿Cancelo tu pedido de Desk lamp black? Responde sí o no.',
      'no, no es cancelar, es cambiar la dirección',
      'cambiar la dirección',
    ],
    [
      'en',
      'Shall I cancel your order of Desk lamp black? Please answer yes or no.',
      "no, it's not to cancel, it's to change the address",
      'change the address',
    ],
  ] as const)('[BYO-126] %s: "%s" is answered by "%s"', (language, question, text, more) => {
    const read = engines[language === 'es' ? 'es' : 'en'].readAnswer(text, language, question);
    expect(read).toMatchObject({ kind: 'no', more: expect.stringContaining(more) });
  });
});
