import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { fold, foldText } from '../nlu/slots/text.js';
import { pattern, readWords } from '../nlu/words.js';

/** A change that a message orders in plain words. */
export interface PlainOrder {
  /** What it does: one of the changes that the language files name. */
  readonly kind: string;
  /** The stretch that orders it, as written, from its first word on. */
  readonly text: string;
  /** The same from its verb on, in one word where it takes more, without the reason for it: "resume please" of "then do end the pause please, as I ...". */
  readonly command: string;
  /** True where it names nothing, and only points at what is spoken of: "bin that one". */
  readonly points: boolean;
  /** True where it names nothing, and takes all of it: "cancel everything". */
  readonly all: boolean;
  /** The questions beside it, as written; empty where there are none. */
  readonly besides: string;
}

/** Reads what is ordered in the middle of a conversation, and what can be used no more. */
export interface PlainOrderReader {
  /** The one change that a message orders: "fine, then just cancel that one so I don't lose the money"; null where none, or several. */
  plainOrder(text: string): PlainOrder | null;
  /** True where a customer cannot go to what they have, and asks at most what can be done: "I can not go tonight. What can I do?". */
  cannotGo(text: string): boolean;
  /** A message, folded, without what tells of a change that was made, or is wanted of a request and of no record: "I cancelled in May". */
  withoutDone(text: string): string;
  /** What a message says that it only wants to know: "no, I don't want another. I only want to know when it ends"; null where it does not. */
  onlyAsked(text: string): string | null;
}

const patterns = z.array(pattern);
const schema = z.strictObject({
  lead: patterns,
  orders: z.record(z.string(), patterns),
  pointing: patterns,
  all: patterns,
  because: patterns,
  reasons: patterns,
  unless: patterns,
  unable: patterns,
  what_now: patterns,
  only_asks: patterns,
  done: patterns,
});

/** What stands in the words for what the company's records are called. */
const THINGS = 'THING';
/** Characters of a message that orders; a longer one tells a story. */
const LONGEST = 220;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createPlainOrders(
  slots: Pick<Slots, 'answers' | 'sentencesOf' | 'things'>,
  languages: readonly Language[],
): PlainOrderReader {
  const { changes } = slots.answers;
  const files = languages.map((language) => readWords(language, 'plain-orders', schema));
  const any = (sources: readonly string[]): string => sources.join('|') || '(?!)';
  const readers = files.map((file) => {
    const lead = `(?:(?:${any(file.lead)})(?![a-z0-9'])[\\s,.!]*)*`;
    return {
      orders: Object.entries(file.orders).map(
        ([kind, sources]) => [kind, new RegExp(`^\\W*${lead}(?<verb>${any(sources)})(?![a-z0-9'])`)] as const,
      ),
      points: new RegExp(
        `^(?:[\\s,]*(?:${any(file.pointing).replaceAll(THINGS, () => slots.things)})(?![a-z0-9']))*\\s*(?:$|[,.;!?]|(?:${any(file.because)})(?![a-z0-9']))`,
      ),
      all: new RegExp(`^[\\s,]*(?:${any(file.all)})(?![a-z0-9'])`),
      pointed: new RegExp(`(?<![a-z0-9'])(?:${any(file.all)})(?![a-z0-9'])`),
      unless: new RegExp(`(?<![a-z0-9'])(?:${any(file.unless)})(?![a-z0-9'])`),
      because: new RegExp(
        `(?:(?<![a-z0-9'])(?:${any(file.because)})|[,;.] *(?:${any(file.reasons)}))(?![a-z0-9']).*$`,
      ),
    };
  });
  const unable = new RegExp(`(?<![a-z0-9'])(?:${any(files.flatMap((file) => file.unable))})`);
  const whatNow = new RegExp(`^\\W*(?:${any(files.flatMap((file) => file.what_now))})\\W*$`);

  const onlyAsks = new RegExp(
    `(?<![a-z0-9'])(?:${any(files.flatMap((file) => file.only_asks))})(?![a-z0-9'])`,
  );

  const done = new RegExp(`(?<![a-z0-9'])(?:${any(files.flatMap((file) => file.done))})(?![a-z0-9'])`, 'g');

  /** What one stretch orders; a question only where it politely asks for it. */
  const orderIn = (stretch: string): Omit<PlainOrder, 'besides'> | null => {
    const folded = foldText(changes.inOneWord(stretch));
    for (const { orders, points, all, pointed, unless, because } of readers) {
      const found = orders.map(([kind, order]) => ({ kind, said: order.exec(folded) }));
      const [first] = found.filter(({ said }) => said !== null);
      if (!first?.said) continue;
      const after = folded.slice(first.said[0].length).replace(/\d+(?:[.,]\d+)*/g, ' ');
      if (unless.test(first.said[0]) || unless.test(after.replace(because, ' '))) return null;
      const verb = first.said[0].length - (first.said.groups?.verb ?? '').length;
      const [command = ''] = folded
        .slice(verb)
        .replace(because, ' ')
        .split(/[,;!?]|\.(?!\d)/);
      return {
        kind: first.kind,
        text: stretch.trim(),
        command: command.trim(),
        points: points.test(after),
        all: all.test(after) && points.test(after.replace(pointed, ' ')),
      };
    }
    return null;
  };

  return {
    plainOrder(text) {
      if (text.length > LONGEST) return null;
      const sentences = slots.sentencesOf(text);
      const found = sentences.flatMap((sentence) => {
        // "Bah, I want to drop something", "I won't be here, can you give me back the 110?".
        const stretches = sentence.split(/,\s+/);
        const at = stretches.findIndex((_, from) => orderIn(stretches.slice(from).join(', ')) !== null);
        const order = at < 0 ? null : orderIn(stretches.slice(at).join(', '));
        return order ? [{ order, sentence }] : [];
      });
      const [only, ...others] = found;
      if (!only || others.some(({ order }) => order.kind !== only.order.kind)) return null;
      if (others.length > 0) return null;
      const besides = sentences.filter((one) => one !== only.sentence && one.includes('?')).join(' ');
      return { ...only.order, besides };
    },
    withoutDone: (text) => foldText(text).replace(done, ' '),
    onlyAsked(text) {
      const said = slots.sentencesOf(text).find((one) => onlyAsks.test(foldText(one)));
      if (said === undefined) return null;
      const { folded, at } = fold(said);
      return said.slice(at[onlyAsks.exec(folded)?.index ?? 0] ?? 0).trim();
    },
    cannotGo(text) {
      if (text.length > LONGEST) return false;
      const sentences = slots.sentencesOf(text);
      const questions = sentences.filter((one) => one.includes('?'));
      const isAsked = questions.some((one) => !whatNow.test(foldText(one.split(/[.,!]\s+/).at(-1) ?? one)));
      return !isAsked && sentences.some((one) => unable.test(foldText(one)));
    },
  };
}
