import { form, openOnline, PROMPT } from '../test/integration/online/support.js';
import { type RecordedRequest, type Reply, startOpenAiServer } from '../test/support/openai-server.js';
import { askReadmePattern, readmeScript } from './readme-pattern.js';
import { recordedResults } from './recorded-results.js';
import { barred, type Measure, plain } from './report.js';

interface Question {
  readonly kind: string;
  readonly texts: readonly string[];
  readonly agent: 'knowledge' | 'account' | 'action';
  readonly calls: NonNullable<Reply['toolCalls']>;
  readonly answer: string;
  readonly maxCalls: number;
}

const ANA = 'ana.souza@example.com';

const QUESTIONS: readonly Question[] = [
  {
    kind: 'knowledge',
    texts: ['How do I pause my plan?'],
    agent: 'knowledge',
    calls: [{ name: 'search_knowledge', args: { query: 'How do I pause my plan?' } }],
    answer: 'Go to Profile > Plan > Pause and choose 1 to 90 days [kb-pause-subscription-en].',
    maxCalls: 2,
  },
  {
    kind: 'account',
    texts: ['How many visits do I have left?'],
    agent: 'account',
    calls: [{ name: 'get_customer_context', args: {} }],
    answer: 'You have 2 visits left this month.',
    maxCalls: 3,
  },
  {
    kind: 'action',
    texts: ['Please cancel my booking for the samba night', 'yes'],
    agent: 'action',
    calls: [
      { name: 'get_reservations', args: {} },
      { name: 'cancel_reservation', args: { reservation_id: 'res_002' } },
    ],
    answer: 'Your booking is cancelled and R$ 60.00 is on its way back.',
    maxCalls: 4,
  },
];

/** Model calls and prompt tokens a turn, of the hub and of the README's pattern, on the same questions. */
export async function callsAndTokens(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  const results = await recordedResults(ANA);
  for (const question of QUESTIONS) {
    const hub = await askHub(question);
    const readme = await askReadme(question, results);
    const share = (100 * hub.tokens) / readme.tokens;
    const { kind, maxCalls } = question;
    measures.push(
      barred(
        `${kind} turn: model calls`,
        hub.calls,
        '',
        { atMost: maxCalls },
        `README pattern: ${readme.calls}`,
      ),
      plain(`${kind} turn: prompt tokens`, hub.tokens, '', `README pattern: ${readme.tokens}`),
      barred(`${kind} turn: prompt tokens of README pattern's`, share, '%', { atMost: 50 }),
    );
  }
  return measures;
}

interface Cost {
  readonly calls: number;
  readonly tokens: number;
}

async function askHub(question: Question): Promise<Cost> {
  const server = await startOpenAiServer();
  const online = await openOnline(server);
  // What is certain to be needed is fetched by the hub itself; the model makes the last call only where it acts.
  const acts = question.agent === 'action' ? question.calls.slice(-1) : [];
  server.reply(form([[question.texts[0] ?? '', question.agent]]), PROMPT.triage);
  for (const call of acts) server.reply({ toolCalls: [call] }, PROMPT[question.agent]);
  server.reply({ text: question.answer }, PROMPT[question.agent]);
  const talk = await online.talk(ANA);
  for (const text of question.texts) await talk.say(text);
  const cost = costOf(server.requests);
  await online.close();
  await server.close();
  return cost;
}

async function askReadme(question: Question, results: Readonly<Record<string, unknown>>): Promise<Cost> {
  const server = await startOpenAiServer();
  const script = readmeScript(question.agent, question.calls, question.answer);
  await askReadmePattern(server, results, question.texts[0] ?? '', script);
  const cost = costOf(server.requests);
  await server.close();
  return cost;
}

function costOf(requests: readonly RecordedRequest[]): Cost {
  return { calls: requests.length, tokens: requests.reduce((sum, request) => sum + request.tokens, 0) };
}
