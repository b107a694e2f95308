import type { Stores } from '../../data/index.js';
import type { CompanyBackend } from '../../src/company/company-code.js';
import { wrapEffects } from './effects.js';
import { openHub } from './hub.js';
import { killMoments } from './kill-moments.js';

/**
 * A hub in a process of its own that says `words` on a conversation, each with the client id `<name>-<number>`, and is
 * killed as if the power had gone at `moment` of the last of them (several: see kill-moments.ts). Where the moment is
 * `none` all are sent at once, and what came of each is printed as JSON. `button:yes` and `button:no` press the button of
 * the open question.
 *
 *     turn-process.ts DATA_DIR THREAD NAME MOMENT EMAIL WORDS...
 */
const [dataDir = '', threadId = '', name = '', moment = '', email = '', ...words] = process.argv.slice(2);

const moments = killMoments(dataDir, moment);
const { around, at } = moments;

function wrapStores(stores: Stores): Stores {
  const { pending, audit, tickets, inbox } = stores;
  const said = around('the hub has spoken', tickets.addMessage, (_ticket, role) => role === 'hub');
  return {
    ...stores,
    inbox: {
      ...inbox,
      accept: around('accept', inbox.accept),
      take: around('take', inbox.take),
      answer: around('answer', inbox.answer),
    },
    pending: {
      ...pending,
      open: around('question', pending.open),
      decide: around('decision', pending.decide),
      withdraw: around('withdrawal', pending.withdraw),
      release: around('release', pending.release),
    },
    audit: { ...audit, append: around('audit', audit.append) },
    tickets: {
      ...tickets,
      addMessage: around('words', said, (_ticket, role) => role === 'customer'),
      escalate: around('escalation', tickets.escalate),
      saveTurn: around('checkpoint', tickets.saveTurn),
    },
  };
}

const wrapCompany = (backend: CompanyBackend): CompanyBackend =>
  wrapEffects(backend, (perform) => around('effect', perform));

const hub = await openHub({ dataDir, checkpointer: 'sqlite', overrides: { wrapStores, wrapCompany } });
const identity = await hub.app.signIn(email);
const { conversations } = hub.app;

async function say(text: string, clientMessageId: string) {
  const base = { identity, threadId, clientMessageId, channel: 'http' } as const;
  const onEvent = ({ body }: { readonly body: { readonly type: string } }): void => {
    if (body.type === 'token') at('in the stream');
  };
  if (!text.startsWith('button:')) return conversations.send({ ...base, text, onEvent });
  const { pending } = await conversations.show(identity, threadId);
  const answer = text === 'button:yes' ? 'yes' : 'no';
  return conversations.answer({ ...base, pendingId: pending?.id ?? '', answer, onEvent });
}

const told = (work: Promise<{ readonly reply: string }>) =>
  work.then(
    ({ reply }) => ({ reply }),
    (error: Error) => ({ error: error.message }),
  );

process.stdout.write('ready\n');
if (moment === 'none') {
  const all = await Promise.all(words.map((text, index) => told(say(text, `${name}-${index + 1}`))));
  process.stdout.write(`${JSON.stringify(all)}\n`);
} else {
  for (const [index, text] of words.entries()) {
    if (index === words.length - 1) moments.arm();
    await say(text, `${name}-${index + 1}`);
  }
}
await hub.close();
