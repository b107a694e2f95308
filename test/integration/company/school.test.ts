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
    [EVA, 'qué toca lupe', /^«Lupe»: canto\.$/],
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

  it('[BYO-75] moves what is spoken of to a day on which there is another', async () => {
    const { pending } = await talk(ANA, "when is Otto's lesson?", 'can you move it to friday?');
    expect(pending?.args).toEqual({ lesson_id: 'les_103', hour_id: 'hrs_03' });
  });
});
