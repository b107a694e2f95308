import type { CompanyProfile } from '../core/domain/company.js';
import type { TimeFormat } from '../core/i18n/index.js';
import type { AgentContext } from './agent-state.js';

const LANGUAGE_NAME = { en: 'English', 'pt-BR': 'Brazilian Portuguese' } as const;

/**
 * The static prompt first, so that providers can cache it, then what holds for this turn only.
 * @param message the customer's words, which the model reads anyway
 */
export function systemPrompt(
  staticPart: string,
  context: AgentContext,
  message: string,
  time: TimeFormat,
  company: CompanyProfile,
): string {
  const { session, classification, task, revision } = context;
  const { identity, memory } = session;
  const lines = [
    `Time: ${time.short(context.now)} (${company.timeZoneName.en}), ${context.now.slice(0, 16)}Z.`,
    identity.kind === 'customer'
      ? `Customer: ${[session.customerName, 'signed in'].filter(Boolean).join(', ')}.`
      : 'Customer: not signed in.',
    `Answer in ${LANGUAGE_NAME[session.language]}.`,
  ];
  if (session.unsupportedLanguage)
    lines.push('The customer wrote another language; say that you answer in English.');
  if (classification?.sentiment === 'frustrated')
    lines.push('The customer is frustrated: acknowledge it first, briefly.');
  for (const preference of memory?.preferences ?? [])
    lines.push(`Prefers ${preference.key}: ${preference.value}.`);
  if (session.agent !== undefined)
    lines.push(
      `You alone were addressed. Where you cannot do what is asked, say what you are for, and that the ${company.name} hub does the rest.`,
    );
  if (session.scopes !== undefined)
    lines.push(
      `The program that speaks for the customer has these rights only: ${session.scopes.join(', ') || 'none'}. What they do not cover is no fault: say that it cannot be done from there, and that the ${company.name} chat can.`,
    );
  const last = memory?.resolutions[0];
  if (last) lines.push(`Earlier ticket (${last.resolutionType}): ${last.summary}`);
  if (task.text !== message) lines.push(`Your part of the request: ${task.text}`);
  if (revision) lines.push(`Your first answer was not sent: ${revision} Write it again without that fault.`);
  return `${staticPart.trim()}\n\n## This turn\n${lines.join('\n')}`;
}
