import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';

const SCHOOL = new URL('../../companies/school', import.meta.url).pathname;
const ANA = 'ana@example.com';
const EVA = 'eva@example.com';
const room = makeTempDir();
const folder = join(room, 'school');
let hub: Hub;
beforeAll(async () => {
  cpSync(SCHOOL, folder, { recursive: true });
  hub = await openHub({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder } });
});
afterAll(async () => {
  await hub.close();
  rmSync(room, { recursive: true, force: true });
});

/** Says one after the other in a conversation of its own. */
async function talk(who: string | null, ...said: readonly string[]) {
  let last: Awaited<ReturnType<Hub['say']>> | undefined;
  for (const text of said) last = await hub.say(who, text, last?.threadId);
  if (!last) throw new Error('Nothing was said');
  return last;
}

describe('a company in YAML that speaks English and Spanish', () => {
  it('[BYO-72] has no fault', async () => {
    expect(await checkCompany(parseConfig({ HUB_COMPANY: folder }))).toEqual([]);
  });

  it.each([
    [ANA, "when is Otto's lesson?", /^"Otto – violin" is on Tuesday 17 March at 18:00\.$/],
    [ANA, "when is Mara's lesson?", /^Which one do you mean\?\n1\. Mara – piano.*\n2\. Mara – theory/],
    [ANA, "when does Otto's membership renew?", /Tuesday 9 June/],
    [ANA, 'how many lessons does Otto have left?', /^"Otto": 5\.$/],
    [ANA, 'how many lessons do I have left?', /1\. Mara,.*\n2\. Otto,/],
    [EVA, '¿cuándo es la clase de Tilo?', /^«Tilo – guitarra» es el miércoles, 18 de marzo, 17:00\.$/],
    [EVA, 'qué toca lupe', /^Lupe toca canto\.$/],
    [EVA, 'qué nivel tiene tilo', /^«Tilo»: nivel 5\.$/],
  ])(
    '[BYO-72] asks a record of the kind that is named, beside what is asked: %s %s',
    async (who, text, said) => {
      expect((await talk(who, text)).reply).toMatch(said);
    },
  );

  it.each([
    [['¿cuándo es la clase de Tilo?', '¿cuánto cuesta?'], /^«Tilo – guitarra» cuesta 40,00/],
    [['qué clases tengo'], /Lupe – canto.*\n.*Tilo – guitarra.*\n.*Lupe – tango/],
  ])('[BYO-73] takes no word of the language for a misspelt name: %j', async (texts, said) => {
    expect((await talk(EVA, ...texts)).reply).toMatch(said);
  });

  it.each([
    [['¿cuándo es la clase de Tilo?', 'muévela a otro día', 'la primera'], 'les_202', 'hrs_01'],
    [['¿cuándo es la clase de Tilo?', 'puedes moverla al viernes?'], 'les_202', 'hrs_03'],
  ])('[BYO-74] reads a verb with its pronoun: %j', async (texts, lesson, hour) => {
    const { pending } = await talk(EVA, ...texts);
    expect(pending?.args).toEqual({ lesson_id: lesson, hour_id: hour });
  });

  it('[BYO-82] says in a refusal what would have come of the change', async () => {
    const { reply, pending } = await talk(ANA, 'cancel les_109');
    expect(pending).toBeNull();
    expect(reply).toBe('"Otto – violin" has been held, so the €40.00 stay with us.');
  });

  it('[BYO-81] says what an attribute is in the words that the entity declares for it', async () => {
    expect((await talk(ANA, 'what does otto play?')).reply).toBe('Otto plays violin.');
  });

  it.each([
    [ANA, ["when is Otto's lesson?", 'when did I take it'], /^"Otto – violin" is on Tuesday 17 March/],
    [
      ANA,
      ['which of my lessons were in the past?'],
      /^This is what I find[^-]*- Otto – violin, Monday 2 March[^-]*$/,
    ],
    [ANA, ["is Otto's lesson booked?"], /^"Otto – violin" is booked\.$/],
    [EVA, ['¿mi clase de tango está reservada?'], /^«Lupe – tango».*reservada/],
    [ANA, ['how many lessons are left on the membership of otto?'], /^"Otto": 5\.$/],
  ])('[DLG-360] asks the record what has become of it: %s %j', async (who, texts, said) => {
    expect((await talk(who, ...texts)).reply).toMatch(said);
  });

  it('[BYO-75] moves what is spoken of to a day on which there is another', async () => {
    const { pending } = await talk(ANA, "when is Otto's lesson?", 'can you move it to friday?');
    expect(pending?.args).toEqual({ lesson_id: 'les_103', hour_id: 'hrs_03' });
  });

  it.each([
    [['move the piano to monday', 'no, the morning one'], 'hrs_04'],
    [['move the piano to monday', 'the first one', 'no, the afternoon one'], 'hrs_05'],
    [['move the piano to monday', 'the first one', 'no, the other one'], 'hrs_05'],
    [['move the piano to thursday', 'the first one', 'the other teacher please'], 'hrs_02'],
  ])(
    '[BYO-76] takes another of what may be chosen by its part of the day, or as the other one: %j',
    async (texts, hour) => {
      const { pending, threadId } = await talk(ANA, ...texts);
      expect(pending?.args).toEqual({ lesson_id: 'les_101', hour_id: hour });
      await hub.say(ANA, 'no', threadId);
    },
  );

  it('[BYO-77] says of another day that is named at a confirmation that nothing is there, in Spanish too', async () => {
    const { reply } = await talk(EVA, 'cancela la clase del lunes', 'no, la del sábado');
    expect(reply).toMatch(/No he encontrado nada tuyo el 14 de marzo.*\n1\. Lupe – canto/);
  });

  it('[DLG-310] tells after a change what comes back, when, and what the record says', async () => {
    const done = await talk(EVA, 'cancela la guitarra', 'sí');
    const amount = await hub.say(EVA, 'gracias, y cuánto me devuelven?', done.threadId);
    expect(amount.reply).toMatch(/35,00.€ va de vuelta/);
    const when = await hub.say(EVA, 'cuándo me devuelven el dinero?', done.threadId);
    expect(when.reply).toMatch(/en cuatro días hábiles/);
    expect((await talk(EVA, 'cancela la clase del lunes', 'sí', 'y la otra?')).pending?.args).toEqual({
      lesson_id: 'les_203',
    });
    const moved = await talk(ANA, 'move the theory to friday', 'yes');
    expect((await hub.say(ANA, 'how much is that?', moved.threadId)).reply).toBe(
      '"Mara – theory" costs €25.00.',
    );
  });

  it('[DLG-311] says that a change is made already where the same is wanted for another record', async () => {
    const done = await talk(ANA, 'put otto on light', 'yes');
    expect((await hub.say(ANA, 'and mara too', done.threadId)).reply).toMatch(/already been done/);
  });
});
