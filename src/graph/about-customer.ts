import { languageName } from '../core/domain/language.js';
import type { DialogueTurn } from './dialogue-types.js';

/** What the customer asked for before, one line each. */
export function historyText({ deps, session, texts }: DialogueTurn): string {
  const lines = (session.memory?.resolutions ?? []).map((one) => {
    const date = deps.tools.time.date(one.createdAt, session.language);
    return texts.say('past_request', { summary: one.summary, date });
  });
  return texts.say('past_requests', {
    list: lines.length === 0 ? null : lines.map((line) => `- ${line}`).join('\n'),
    signed_in: session.identity.kind === 'customer',
  });
}

/** What is known of the customer. */
export function aboutMe({ session, texts }: DialogueTurn): string {
  const { identity, memory } = session;
  const word = (value: string) => texts.sayOf('preference', value) || value.replaceAll('_', ' ');
  const preferences = (memory?.preferences ?? []).map(({ key, value }) =>
    key === 'language'
      ? `${word(key)}: ${languageName(value, texts.language)}`
      : `${word(key)}: ${word(value)}`,
  );
  return texts.say('about_you', {
    name: session.customerName,
    email: identity.kind === 'customer' ? identity.email : null,
    preferences: preferences.length === 0 ? null : texts.list(preferences),
    requests: memory?.resolutions.length ?? 0,
  });
}
