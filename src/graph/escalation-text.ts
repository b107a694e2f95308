import type { EscalationReason } from '../core/domain/taxonomy.js';
import { type NextStep, type Sentences, withNextStep } from '../core/i18n/index.js';
import type { Danger } from '../core/ports/language-layer.js';
import { excerptOf } from '../core/text.js';
import { dashed } from '../runtime/offline-step.js';
import type { EscalationNotice } from './state.js';

/** So much of what is passed on is read to the customer. */
const WORDS_CHARS = 160;

/**
 * What the customer is told about the escalation.
 * @param lastReply what the hub said before
 */
export function escalationText(
  reason: EscalationReason | undefined,
  notice: EscalationNotice,
  texts: Sentences,
  lastReply: string | null = null,
): string {
  switch (notice.kind) {
    case 'settled':
      return texts.say('returned');
    case 'aside':
      return notice.text;
    case 'joined': {
      if (notice.passed !== undefined) return passedText('joined', notice, texts);
      const first = texts.sayOf('joined', notice.details ? 'details' : (reason ?? 'requires_human'));
      if (notice.details) return `${safety(notice, texts)}${first}`;
      // Where the hub has just said so, it says the rest of it another way.
      if (lastReply?.includes(first)) return `${safety(notice, texts)}${texts.sayOf('joined', 'again')}`;
      const joined = `${safety(notice, texts)}${first}`;
      // When a person answers was said with the first; only a promise that was missed is spoken of again.
      return notice.by === null ? withNextStep(texts, joined, notice) : joined;
    }
    default:
      if (notice.passed !== undefined) return passedText('escalated', notice, texts);
      return [
        withNextStep(
          texts,
          `${safety(notice, texts)}${texts.sayOf('escalated', reason ?? 'requires_human')}`,
          notice,
        ),
        ...canDo(texts, notice.can),
      ].join('\n\n');
  }
}

/** What the hub changes itself; nothing where there is nothing. */
export function canDo(texts: Sentences, changes: readonly string[] = []): readonly string[] {
  return changes.length === 0 ? [] : [texts.say('can_do', { list: dashed(changes) })];
}

/** That it is passed on, in what words, and by when the answer comes. */
function passedText(
  family: 'escalated' | 'joined',
  { passed = '', by, outOfHours }: NextStep & { readonly passed?: string },
  texts: Sentences,
): string {
  const words = texts.say('in_your_words', { words: excerptOf(passed, WORDS_CHARS) });
  return withNextStep(texts, `${texts.sayOf(family, 'asked')} ${words}`, { by, outOfHours });
}

const DANGER_TEXTS = { harm: 'safety', self_harm: 'self_harm', discrimination: 'treated_badly' } as const;

/** Whom to call first where somebody is in danger, and a human word to who was treated badly. */
function safety({ danger }: { readonly danger?: Danger }, texts: Sentences): string {
  return danger === undefined ? '' : `${texts.say(DANGER_TEXTS[danger])} `;
}
