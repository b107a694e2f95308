import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryArticleIndex } from '../src/adapters/retrieval/memory-article-index.js';
import { type App, createApp } from '../src/app/app.js';
import { createCompany, trainCompany } from '../src/app/company.js';
import { parseConfig } from '../src/config/config.js';
import { form, openOnline, PROMPT } from '../test/integration/online/support.js';
import { startOpenAiServer } from '../test/support/openai-server.js';
import { runCommand } from './child.js';
import { barred, type Measure, plain, spread } from './report.js';

const ANA = 'ana@example.com';
const QUESTIONS = [
  'show me my orders',
  'cancel the blue backpack',
  'no',
  'How long does delivery take?',
] as const;
const ASKED = 'Please cancel the blue backpack';
const FEW = 13;
const WARM_UP = 40;
const ASPECTS = 'price colour weight size stock origin warranty delivery discount rating'.split(' ');
const THINGS =
  'helmet glove saddle pedal chain brake wheel tyre tube pump lamp bell lock bag basket jersey shorts shoe sock cap jacket bottle cage computer mirror fender rack stand trailer seat stem handlebar grip cassette crank derailleur spoke hub rim fork frame headset bearing cable lever shifter axle valve patch'.split(
    ' ',
  );

/** A company of so many tools: what `company -- new` writes, and look-ups that its agents share. */
interface Sized {
  readonly tools: number;
  readonly env: Readonly<Record<string, string>>;
}

/** What hundreds of tools cost beside a dozen: a start, a turn without a model, and the prompt of a change. */
export async function manyTools(quick: boolean): Promise<readonly Measure[]> {
  const room = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const few = await companyOf(room, FEW);
  const many = await companyOf(room, quick ? 100 : 500);
  const starts = [await coldStart(few, quick), await coldStart(many, quick)] as const;
  const turns = await turnTimes(few, many, quick ? 40 : 120);
  const tokens = [await promptTokens(few), await promptTokens(many)] as const;
  rmSync(room, { recursive: true, force: true });
  const name = `${many.tools} tools beside ${FEW}`;
  return [
    barred(
      `${name}: cold start`,
      starts[1] / starts[0],
      'times',
      { atMost: 1.5 },
      `${Math.round(starts[1])} ms`,
    ),
    barred(
      `${name}: offline turn, processor time`,
      turns[1] / turns[0],
      'times',
      { atMost: 1.1 },
      `${turns[1].toFixed(1)} ms`,
    ),
    barred(
      `${name}: prompt tokens of a change`,
      tokens[1] / tokens[0],
      'times',
      { atMost: 1.3 },
      `${tokens[1]} tokens`,
    ),
    plain(`${FEW} tools: prompt tokens of a change`, tokens[0], ''),
  ];
}

async function companyOf(room: string, tools: number): Promise<Sized> {
  const folder = join(room, `tools_${tools}`);
  const env = {
    HUB_COMPANY: folder,
    HUB_DATA_DIR: join(room, `data_${tools}`),
    HUB_MODEL_PROVIDER: 'offline',
  };
  createCompany(parseConfig(env), {
    ...{ name: 'Velo', about: 'a shop for cyclists', languages: ['en'] },
    ...{ currency: 'EUR', time_zone: 'Europe/Lisbon' },
  });
  const names = ASPECTS.flatMap((aspect) => THINGS.map((thing) => [aspect, thing] as const));
  // Three come with it: its orders, its look-up and its change.
  for (const [aspect, thing] of names.slice(0, tools - 3))
    writeFileSync(
      join(folder, 'reads', `${aspect}_of_${thing}.yaml`),
      `name: ${aspect}_of_${thing}
label: { en: The ${aspect} of a ${thing} }
description: Looks up the ${aspect} of a ${thing} that the shop sells.
access: anyone
agents: [account, action]
read: { found: { query: 'SELECT 1 AS value', one: true, public: true } }
says: { answer: { en: That is it. } }
`,
    );
  await trainCompany(parseConfig(env), () => {});
  return { tools, env };
}

/** The quickest of some: a busy machine only adds. */
async function coldStart({ env }: Sized, quick: boolean): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= (quick ? 1 : 3); run += 1) {
    const { code, firstLineMs, stderr } = await runCommand('chat', [], env, 'How long does delivery take?\n');
    if (code !== 0) throw new Error(`npm run chat ended with ${code}:\n${stderr.slice(-2_000)}`);
    if (run > 0) times.push(firstLineMs);
  }
  return Math.min(...times);
}

/** Medians of both, turn by turn after one another. */
async function turnTimes(few: Sized, many: Sized, turns: number): Promise<readonly [number, number]> {
  const open = ({ env }: Sized) =>
    createApp(parseConfig({ ...env, HUB_CHECKPOINTER: 'memory' }), { index: new MemoryArticleIndex() });
  const apps = [await open(few), await open(many)] as const;
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < WARM_UP + turns; turn += 1)
    for (const at of [0, 1] as const) {
      const took = await timed(apps[at], turn);
      if (turn >= WARM_UP) times[at].push(took);
    }
  for (const app of apps) await app.close();
  return [spread(times[0]).median, spread(times[1]).median];
}

async function timed(app: App, turn: number): Promise<number> {
  const identity = await app.signIn(ANA);
  const text = QUESTIONS[turn % QUESTIONS.length] ?? QUESTIONS[0];
  const before = process.cpuUsage();
  await app.handle({
    identity,
    text,
    channel: 'chat',
    threadId: `thr_${Math.floor(turn / QUESTIONS.length)}`,
  });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Tokens of all prompts up to the question that a change asks. */
async function promptTokens({ env }: Sized): Promise<number> {
  const server = await startOpenAiServer();
  const { HUB_MODEL_PROVIDER: _offline, HUB_DATA_DIR: _own, ...company } = env;
  const online = await openOnline(server, company);
  server.reply(form([[ASKED, 'action']], { issue_type: 'order' }), PROMPT.triage);
  server.reply({ toolCalls: [{ name: 'list_order', args: {} }] }, PROMPT.action);
  server.reply({ toolCalls: [{ name: 'cancel_order', args: { order_id: 'ord_001' } }] }, PROMPT.action);
  const talk = await online.talk(ANA);
  const { pending } = await talk.say(ASKED);
  if (pending?.tool !== 'cancel_order') throw new Error('nothing was asked about the cancellation');
  const tokens = server.requests.reduce((sum, request) => sum + request.tokens, 0);
  await online.close();
  await server.close();
  return tokens;
}
