import { type Conversation, form, openOnline, PROMPT } from '../test/integration/online/support.js';
import { type RecordedRequest, type Reply, startOpenAiServer } from '../test/support/openai-server.js';
import { cacheableShare } from '../test/support/openai-wire.js';
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
  /** Prompt tokens of the first message, at most. */
  readonly maxTokens: number;
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
    maxTokens: 1000,
  },
  {
    kind: 'account',
    texts: ['How many visits do I have left?'],
    agent: 'account',
    calls: [{ name: 'get_customer_context', args: {} }],
    answer: 'You have 2 visits left this month.',
    maxCalls: 2,
    maxTokens: 1300,
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
    maxCalls: 3,
    maxTokens: 1300,
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
    const { kind, maxCalls, maxTokens } = question;
    measures.push(
      barred(
        `${kind} turn: model calls`,
        hub.calls,
        '',
        { atMost: maxCalls },
        `README pattern: ${readme.calls}`,
      ),
      barred(`${kind} question: prompt tokens of the first message`, hub.asked, '', { atMost: maxTokens }),
      plain(
        `${kind} question: share of the prompt that was read before`,
        100 * hub.cacheable,
        '%',
        'asked twice',
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

interface HubCost extends Cost {
  /** Tokens of the first message alone. */
  readonly asked: number;
  /** Of the second time that it is asked, by the same customer in a conversation of its own: 0 to 1. */
  readonly cacheable: number;
}

async function askHub(question: Question): Promise<HubCost> {
  const server = await startOpenAiServer();
  const online = await openOnline(server);
  const [text = '', ...later] = question.texts;
  const ask = async (): Promise<{
    readonly talk: Conversation;
    readonly cost: readonly RecordedRequest[];
  }> => {
    const before = server.requests.length;
    // What is certain to be needed is fetched by the hub itself; the model makes the last call only where it acts.
    const acts = question.agent === 'action' ? question.calls.slice(-1) : [];
    server.reply(form([[text, question.agent]]), PROMPT.triage);
    for (const call of acts) server.reply({ toolCalls: [call] }, PROMPT[question.agent]);
    if (later.length === 0) server.reply({ text: question.answer }, PROMPT[question.agent]);
    const talk = await online.talk(ANA);
    await talk.say(text);
    return { talk, cost: server.requests.slice(before) };
  };
  const first = await ask();
  const again = await ask();
  const answered = server.requests.length;
  for (const reply of later) {
    server.reply({ text: question.answer }, PROMPT[question.agent]);
    await first.talk.say(reply);
  }
  const all = [...first.cost, ...server.requests.slice(answered)];
  await online.close();
  await server.close();
  const read = again.cost.reduce(
    (sum, { body, tokens }, index) => sum + tokens * cacheableShare(first.cost[index]?.body ?? body, body),
    0,
  );
  return { ...costOf(all), asked: costOf(first.cost).tokens, cacheable: read / costOf(again.cost).tokens };
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
