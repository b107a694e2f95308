import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestNumber } from '../../../src/core/domain/ticket.js';
import { type Hub, openHub } from '../../support/hub.js';
import { OLGA } from '../people/support.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const PERSON = 'I want to talk to a person about my invoice';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** What is answered, as the first message of a conversation of its own. */
const asked = async (who: string | null, text: string) => (await hub.say(who, text)).reply;

/** The number of a new request of Ana's that is of the form wanted. */
async function numberThat(fits: (number: string) => boolean): Promise<string> {
  for (;;) {
    const number = requestNumber((await hub.say(ANA, PERSON)).ticketId);
    if (fits(number)) return number;
  }
}

describe('the number that a customer was told of a request', () => {
  it('[SHF-154] leads to it from any conversation of theirs, however it is written, and says who has it until when', async () => {
    const { ticketId, threadId } = await hub.say(ANA, PERSON);
    const number = requestNumber(ticketId);
    const loose = number.toLowerCase().replace('-', ' ');
    for (const text of [number, `what about #${loose}?`, `Hi, my request number is ${number}, any news?`]) {
      const answer = await hub.say(ANA, text);
      expect(answer.reply, text).toMatch(`Your request ${number} of`);
      expect(answer.reply).toContain('in the conversation in which you asked');
      expect(answer.escalated, text).toBe(false);
    }
    expect(await asked(ANA, `oi, e o meu atendimento ${number}?`)).toMatch(
      new RegExp(`O seu atendimento ${number} de .* está com uma pessoa da nossa equipe`),
    );
    expect((await hub.say(ANA, `${number}?`, threadId)).reply).toMatch(/at the latest, here\./);
    await hub.app.desk.claim(ticketId, OLGA);
    await hub.app.desk.resolve(ticketId, OLGA, {});
    expect(await asked(ANA, number)).toMatch(`Your request ${number} of`);
    expect(await asked(ANA, number)).toContain('was closed on');
  });

  it('[SHF-161] says what came of it, where the team has decided or it was done at once', async () => {
    const { ticketId, threadId } = await hub.say(ANA, 'I would like to cancel Elis: The Musical');
    const { pending } = await hub.say(ANA, 'yes', threadId);
    expect(pending?.kind).toBe('approval');
    const number = requestNumber(ticketId);
    expect(await asked(ANA, `What about my request ${number}?`)).toContain(
      'waits for a decision of our team',
    );
    await hub.app.desk.approve(pending?.id ?? '', OLGA);
    const done = await asked(ANA, `What about my request ${number}?`);
    expect(done).toContain('R$ 380.00 is on its way back');
    expect(done).not.toMatch(/still missing| · /);
    const joao = 'joao.cardoso@example.com';
    const late = await hub.say(joao, 'cancel my reservation res_042');
    const open = (await hub.say(joao, 'yes', late.threadId)).pending;
    await hub.app.desk.reject(open?.id ?? '', OLGA, 'the tour is today');
    expect(await asked(joao, requestNumber(late.ticketId))).toContain(
      'could not agree to it: the tour is today',
    );
  });

  it("[SHF-154] is nobody else's: it is as one that there is not, and a word of six letters is none", async () => {
    // Three letters and three digits might be the id of a booking.
    const number = await numberThat((one) => !/^[A-Z]{3}-\d{3}$/.test(one));
    const none = 'ZZ9-ZZ8';
    for (const who of [BRUNO, null]) {
      const said = await asked(who, number);
      expect(said.replaceAll(number, none)).toBe(await asked(who, none));
      expect(said).toContain(number);
      for (const one of ['XQV-WZK', '4EE-123', 'KWZ-1B2']) expect(await asked(who, one)).toContain(one);
    }
    expect(await asked(BRUNO, 'refund')).not.toContain('number');
    expect(await asked(BRUNO, 'RES-001')).not.toContain('no request');
  });
});
