import { describe, expect, it } from 'vitest';
import { createSessions, type SessionsDeps } from '../../src/adapters/tokens/sessions.js';
import type { Mail } from '../../src/core/ports/index.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { createRecordingLog } from '../support/recording-log.js';

const MIA = { customerId: 'c_1', name: 'Mia', email: 'mia@example.com', isBlocked: false, createdAt: '' };

describe('one-time codes', () => {
  it('[ATK-26] are sent to who gives an address, and not to who gives a name that is a customer’s', async () => {
    const sent: Mail[] = [];
    const sessions = createSessions({
      ...{ demo: false, clock: createFixedClock(), log: createRecordingLog(), locale: 'en' },
      // Knows customers by name and postal code too, in any spelling.
      customers: { findByEmail: async () => MIA },
      codes: {
        create: async () => ({ code: '123456', challenge: 'c' }),
        use: async () => ({ kind: 'right' }),
      },
      mailer: { send: async (mail: Mail) => void sent.push(mail) },
      texts: { languages: ['en'], for: () => ({ say: (key: string) => key }) },
      tokens: { issue: async () => ({ token: 't', expiresAt: '' }) },
      isErased: async () => false,
    } as unknown as SessionsDeps);
    for (const spelled of ['Mia, 97201', 'Mia ,  97201']) {
      expect(await sessions.requestCode({ email: spelled, network: 'n' })).toEqual({ challenge: 'c' });
      await expect(sessions.useCode({ email: spelled, code: '123456', network: 'n' })).rejects.toMatchObject({
        code: 'code_invalid',
      });
    }
    expect(sent).toEqual([]);
    await sessions.requestCode({ email: MIA.email, network: 'n' });
    expect(sent.map(({ to }) => to)).toEqual([MIA.email]);
    expect(await sessions.useCode({ email: MIA.email, code: '123456', network: 'n' })).toMatchObject({
      role: 'customer',
    });
  });
});
