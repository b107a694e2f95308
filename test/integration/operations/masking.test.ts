import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/adapters/telemetry/pino-log.js';
import { openHub, seededDir } from '../../support/hub.js';
import { startOtlpReceiver } from '../../support/otlp-receiver.js';

const ANA = 'ana.souza@example.com';
/** What must be read nowhere but in the ticket. */
const PERSONAL = [
  'Ana Souza',
  'Zuleica Quintanilha',
  'ana.souza@example.com',
  'zuleica@other.org',
  '123.456.789-09',
  '12345678909',
  '4111 1111 1111 1111',
  '4111111111111111',
  '(21) 98765-4321',
  '+55 21 98765-4321',
];

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

describe('personal data', () => {
  it.each(['0', '1'])('[PRV-01] is in no log, metric or trace (contents in traces: %s)', async (content) => {
    const collector = await startOtlpReceiver();
    cleanUps.push(() => collector.close());
    const dataDir = await seededDir();
    cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const file = join(dataDir, 'hub.log');
    const log = createLog({ level: 'debug', file });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, HUB_TRACE_CONTENT: content };
    const hub = await openHub({ dataDir, env, overrides: { log, measure: true } });
    cleanUps.push(() => hub.close());
    // With contents in the trace a stranger's name is content; the customer's own is masked all the same.
    const personal = content === '1' ? PERSONAL.filter((text) => !text.startsWith('Zuleica')) : PERSONAL;
    const [name, stranger, ...numbers] = PERSONAL;
    const { threadId } = await hub.say(ANA, `I am ${name}, ${numbers.join(', ')}. What are my bookings?`);
    await hub.say(
      ANA,
      `My friend ${stranger} cannot book, and I was charged twice, call ${numbers[6]}`,
      threadId,
    );
    await hub.say(ANA, 'cancel my samba night booking', threadId);
    await hub.say(ANA, `yes, ${name}, ${numbers[4]}`, threadId);
    await hub.say(ANA, `I want to talk to a human being, my CPF is ${numbers[2]}`, threadId);
    const { text } = await hub.app.metrics.render();
    await hub.app.close();

    const places = { log: readFileSync(file, 'utf8'), metrics: text, traces: collector.raw.join('\n') };
    expect(places.log.split('\n').length).toBeGreaterThan(20);
    expect(places.traces).toContain('"turn"');
    for (const [place, held] of Object.entries(places)) {
      const looked = place === 'traces' ? personal : PERSONAL;
      for (const secret of looked) expect(held.includes(secret), `${secret} in the ${place}`).toBe(false);
    }
    // The ticket has what was said, for whoever answers it.
    const said = hub
      .query('udahub', 'SELECT content FROM ticket_messages')
      .map((row) => String(row.content))
      .join('\n');
    expect(said).toContain('Zuleica Quintanilha');
  });
});
