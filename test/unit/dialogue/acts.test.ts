import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDialogue } from '../../../src/dialogue/index.js';
import { createActModel, createNlu } from '../../../src/nlu/index.js';
import { CULTPASS, CULTPASS_NLU } from '../../support/company.js';

const model = await createActModel();
const nlu = await createNlu(CULTPASS_NLU);
const dialogue = createDialogue(nlu, model, {
  entities: CULTPASS_NLU.entities,
  companyName: CULTPASS.name,
  languages: CULTPASS.languages,
});

const ASKED = {
  en: 'Shall I cancel "Samba Night at Pedra do Sal" on Saturday 14 March at 20:00? You get R$ 60.00 back, and the visit returns to your plan. Please answer yes or no.',
  'pt-BR':
    'Posso cancelar "Samba Night at Pedra do Sal", sábado, 14 de março às 20:00? Você recebe R$ 60,00 de volta, e a visita volta para o seu plano. Responda sim ou não.',
} as const;
type Spoken = keyof typeof ASKED;

/** Of so many lines of a file the last was not taught to the model; see src/nlu/training/acts.ts. */
const FILES = { acts: 4, 'acts/answers': 3, 'acts/corrections': 3, 'acts/other-matters': 3 } as const;

function heldBack(language: Spoken) {
  return Object.entries(FILES).flatMap(([name, every]) => {
    const file = `../../../data/nlu/${name}.${language.slice(0, 2)}.tsv`;
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n');
    return lines.flatMap((line, at) => {
      const [context = '', act = '', text = ''] = line.split('\t');
      return at % every === every - 1 && text !== '' ? [{ context, act, text, language }] : [];
    });
  });
}

const rows = [...heldBack('en'), ...heldBack('pt-BR')];
const known = new Map<string, ReturnType<typeof dialogue.readAnswer>>();
/** What is read of a message counts in several tests, and takes milliseconds. */
function read(text: string, language: Spoken) {
  const key = `${language} ${text}`;
  const answer = known.get(key) ?? dialogue.readAnswer(text, language, ASKED[language]);
  known.set(key, answer);
  return answer;
}
const share = (part: readonly boolean[]) => part.filter(Boolean).length / part.length;

describe('what a short message does, in words that the model was not taught', () => {
  it('[DLG-07] is told by what was said before, and a sure guess is seldom wrong', () => {
    expect(rows.length).toBeGreaterThan(2_000);
    const guesses = rows.map(({ context, act, text, language }) => {
      const guess = model.read(text, context as Parameters<typeof model.read>[1], language);
      return { right: guess?.act === act, confidence: guess?.confidence ?? 0 };
    });
    expect(share(guesses.map(({ right }) => right))).toBeGreaterThan(0.8);
    const sure = guesses.filter(({ confidence }) => confidence >= 0.8);
    expect(sure.length).toBeGreaterThan(rows.length / 2);
    expect(share(sure.map(({ right }) => right))).toBeGreaterThan(0.9);
  });

  it('[DLG-07] takes nothing but a yes for a yes, and more of them than the phrases alone', () => {
    const asked = rows.filter(({ context }) => context === 'confirm');
    const isYes = (act: string) => act === 'affirm' || act === 'affirm_and_more';
    const wrongly = asked.filter(
      ({ act, text, language }) => !isYes(act) && read(text, language).kind === 'yes',
    );
    expect(wrongly).toEqual([]);
    const agreed = asked.filter(({ act }) => act === 'affirm');
    const byPhrases = agreed.map(({ text, language }) => nlu.slots.readYesNo(text, language).kind === 'yes');
    const byBoth = agreed.map(({ text, language }) => read(text, language).kind === 'yes');
    expect(share(byBoth)).toBeGreaterThan(0.5);
    expect(share(byBoth)).toBeGreaterThan(share(byPhrases) + 0.15);
  });

  it('[DLG-07] hears a no, a withdrawal and a delay, where asking again is cheap', () => {
    const kinds = (act: string) =>
      rows
        .filter((row) => row.context === 'confirm' && row.act === act)
        .map(({ text, language }) => read(text, language).kind);
    expect(share(kinds('deny').map((kind) => kind === 'no'))).toBeGreaterThan(0.85);
    expect(share(kinds('withdraw').map((kind) => kind === 'no'))).toBeGreaterThan(0.85);
    expect(kinds('postpone').filter((kind) => kind === 'yes')).toEqual([]);
  });

  it.each([
    ['yup, go ahead and bin that one', 'en'],
    ['vai fundo, pode mandar bala', 'pt-BR'],
  ] as const)('[DLG-07] "%s" is a yes', (text, language) => {
    expect(read(text, language).kind).toBe('yes');
  });

  it.each([
    ['go ahead and bin it if it costs nothing', 'en'],
    ['go ahead and bin the other one', 'en'],
    ['go ahead, 90 days', 'en'],
    ['vai fundo se for de graça', 'pt-BR'],
    ['pode mandar bala na outra', 'pt-BR'],
  ] as const)(
    '[DLG-07] "%s" is no yes: it has a condition, another one, another number',
    (text, language) => {
      expect(read(text, language).kind).not.toBe('yes');
    },
  );

  it('[DLG-70] hears no answer in a question, a report, another wish or a correction', () => {
    const none = new Set(['ask_terms', 'new_matter', 'correct', 'why', 'repeat']);
    const kinds = rows
      .filter(({ context, act }) => context === 'confirm' && none.has(act))
      .map(({ text, language }) => read(text, language).kind);
    expect(kinds.length).toBeGreaterThan(500);
    expect(share(kinds.map((kind) => kind !== 'no'))).toBeGreaterThan(0.93);
  });

  it.each([
    ['wait, my sister says her ticket never arrived by mail', 'en'],
    ['hang on a moment, is my seat still on the aisle?', 'en'],
    ['no refund has ever reached me. what is the date of the next bill', 'en'],
    ['ok but what about the parcel from last week???', 'en'],
    ['peraí, e o recibo da peça de terça, esse também nunca veio', 'pt-BR'],
    ['não veio boleto nenhum. em que dia é a próxima mensalidade', 'pt-BR'],
  ] as const)('[DLG-70] "%s" neither agrees nor refuses', (text, language) => {
    expect(read(text, language)).toMatchObject({ kind: 'other', more: null });
  });

  it.each([
    ['hold on a second', 'en', 'postpone'],
    ['wait, no, leave it', 'en', 'no'],
    ['wait, yes, do it', 'en', 'unclear'],
    ['calma aí, moça', 'pt-BR', 'postpone'],
    ['espera um pouco, não quero não', 'pt-BR', 'no'],
  ] as const)('[DLG-71] "%s" is what is said after the stop', (text, language, kind) => {
    expect(read(text, language).kind).toBe(kind);
  });

  it('[DLG-08] parts the answer from the next matter', () => {
    expect(read('ok then yes, cancel the samba', 'en')).not.toMatchObject({ more: 'cancel the samba' });
    expect(read('yes do it, and how do I reset my password?', 'en')).toMatchObject({
      kind: 'yes',
      more: 'how do I reset my password?',
    });
    expect(read('não, deixa como tá. quanto custa o premium?', 'pt-BR')).toMatchObject({
      kind: 'no',
      more: 'quanto custa o premium?',
    });
    expect(read('yes, and how much do I get back?', 'en').kind).not.toBe('yes');
  });
});
