import { z } from 'zod';
import type { AskedInput, EntityRecord } from '../core/domain/entity.js';
import type { MeantQuestion } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import { choiceNamed, type Slots } from '../nlu/slots/index.js';
import { type Folded, fold, foldText, type Token, tokenize } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';
import type { ActReader } from './acts.js';
import { isOrder, isTitled } from './references.js';
import { placeOf, type Stretch, stretchOf } from './stretches.js';
import { createTurning, type Leaning } from './turned-round.js';

/**
 * Reads what a few words ask: the question asked last, with something else in the place of a part of it ("and the second one?",
 * "e se fosse 60?", "what about next month?"), or with the case that they say it is ("paid by pix").
 */
export interface FollowUps {
  /** What they mean; null where they ask something of their own, or name nothing that has a place in the question. */
  askAgain(text: string, leaning: Leaning): MeantQuestion | null;
  /** What it says was asked before: "I asked how long I can pause"; null where it says no such thing. */
  askedBefore(text: string): string | null;
  /** What it says is meant, set against what is not: "no, I mean the visits, not the payments"; null where nothing is. */
  setAgainst(text: string, spoken: string): string | null;
  /** True where it says what was meant by the message before: "no, I mean the monthly fee", "my bookings, I mean". */
  saysWhatWasMeant(text: string): boolean;
  /**
   * The question that the next few words may ask again: the last sentence of a message that asks something, or the one before where
   * the message only goes on from it.
   */
  questionAfter(text: string, before: string | null): string | null;
  /** True where it says that the time of something is over, or that it has not come: "it has been three weeks and nothing came". */
  saysOverdue(text: string): boolean;
  /** True where it only asks to be shown what was offered: "yes, show me the earlier one". */
  asksToSee(text: string): boolean;
}

const phrases = z.array(z.string());
const schema = z.object({
  again: phrases,
  cases: phrases,
  adjuncts: phrases,
  pointing: phrases,
  correcting: phrases,
  correcting_after: phrases,
  against_before: phrases,
  against_after: phrases,
  overdue: phrases,
  showing: phrases,
});

/** Of more words a message says by itself what it asks. */
const MOST_WORDS = 9;
/** A correction says by itself what it asks from so many words on, and is one up to so many. */
const [WHOLE_CORRECTION, MOST_CORRECTION] = [5, 24];
/** Characters that are looked at: a longer message tells a story; and by so many letters forms of a word are known for the same. */
const [LONGEST, STEM] = [240, 4];
/** Shorter words of a case say little of it. */
const SHORTEST = 3;
const isOne = ({ word }: Token): boolean => /^ones?$/.test(word);
const isPlace = ({ word }: Token): boolean => isOrder(word) && !/\d/.test(word);
/** What a figure may count. */
const UNIT = /^(?:days?|weeks?|months?|dias?|semanas?|mes(?:es)?)$/;
const NUMBER = /\b\d{1,4}\b/g;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createFollowUps(
  slots: Slots,
  acts: Pick<ActReader, 'read'>,
  languages: readonly Language[],
): FollowUps {
  const files = languages.map((language) => readWords(language, 'dialogue', schema));
  const either = (key: keyof z.infer<typeof schema>) =>
    files.flatMap((words) => words[key]).join('|') || '(?!)';
  const [again, cases, adjunct, correcting] = (['again', 'cases', 'adjuncts', 'correcting'] as const).map(
    (key) => new RegExp(`^\\W*(?:${either(key)})(?![a-z0-9'])\\W*`),
  ) as [RegExp, RegExp, RegExp, RegExp];
  const against = new RegExp(`^\\W*(?:${either('against_before')})`);
  const againstAfter = new RegExp(`(?:${either('against_after')})$`);
  const behind = new RegExp(`(?:${either('correcting_after')})\\W*$`);
  const pointing = new RegExp(`^(?:${either('pointing')})$`);
  const turned = createTurning(slots, acts, languages);
  const overdue = new RegExp(`(?<![a-z0-9])(?:${either('overdue')})(?![a-z0-9])`);
  const showing = new RegExp(`^(?:${either('showing')})$`);

  const put = (question: string, value: string, stretch: Stretch | null): MeantQuestion | null => {
    const text = stretch && `${question.slice(0, stretch.start)}${value}${question.slice(stretch.end)}`;
    return text === null ? null : { text, question: text };
  };
  // What stands beside it is not asked again with the next.
  const beside = (question: string, value: string): MeantQuestion => ({
    text: `${question.replace(/[\s?!.]+$/u, '')} ${value}?`,
    question,
  });

  /** The change that a question orders, of what is named in its place: "cancel Monday's lesson", "and the other one?". */
  const inOrder = (question: string, value: string): MeantQuestion | null => {
    const order = slots.answers.changes.firstIn(question);
    const text = `${order} ${value}`;
    return order === null ? null : { text, question: text };
  };

  /** The stretch of the question that speaks of a record: its place in a list, its name, or "it". */
  const recordIn = (source: Folded, records: readonly EntityRecord[]): Stretch | null => {
    const tokens = tokenize(source.folded);
    const isTitle = ({ word }: Token) =>
      !isOrder(word) && records.some((one) => isTitled(slots, one, [word]));
    return (
      stretchOf(source, tokens, isPlace, isOne) ??
      stretchOf(source, tokens, (token) => slots.isName(token.word) && isTitle(token), isTitle) ??
      stretchOf(source, tokens, ({ word }) => pointing.test(word)) ??
      // "The jazz" names one by its kind.
      stretchOf(source, tokens, isTitle, isTitle)
    );
  };

  /** The question about another of what a look-up may be asked for: "and at the market?". */
  const otherChoice = (value: string, question: string, inputs: readonly AskedInput[]) => {
    const [own, asked] = [foldText(value), fold(question)];
    for (const { reading } of inputs) {
      if (reading.kind !== 'choice') continue;
      const [to, from] = [choiceNamed(own, reading), choiceNamed(asked.folded, reading)];
      if (!to || !from || to.value === from.value) continue;
      const meant = put(question, to.said, placeOf(asked, from.said));
      return meant && { meant, isWhole: (acts.read(own.replace(to.said, ' '))?.rest ?? []).length === 0 };
    }
    return null;
  };

  /** The same change with the one other figure that is named beside no more than a yes: "make it 60. Then yes". */
  const otherFigure = (text: string, question: string, language: Language): MeantQuestion | null => {
    const value = slots.readCorrection(text)?.after ?? text;
    const [figure, ...figures] = foldText(value).match(NUMBER) ?? [];
    const [former, ...formers] = foldText(question).match(NUMBER) ?? [];
    if (!figure || !former || figures.length + formers.length > 0 || figure === former) return null;
    const rest = acts.read(value)?.rest ?? [value];
    const isTerm = rest.every(
      (word) => word === figure || UNIT.test(word) || slots.readYesNo(word, language).kind === 'yes',
    );
    return isTerm ? ordered(put(question, figure, placeOf(fold(question), former)), true) : null;
  };

  const askAgain: FollowUps['askAgain'] = (
    text,
    { question, reply, records, named, inputs, isOpen, now, language },
  ) => {
    const sentences = slots.sentencesOf(text);
    const written = (sentences.at(-1) ?? '').trim().replace(/[\s?!.]+$/u, '');
    if (isOpen) {
      const terms = otherFigure(text, question, language);
      if (terms !== null) return terms;
    }
    // "Great. And the second one?"
    const isPlain = sentences
      .slice(0, -1)
      .every((one) => acts.read(one)?.rest.length === 0 && !one.includes('?'));
    const said = fold(written);
    const [after = ''] = behind.exec(said.folded) ?? [];
    const [before = after] = correcting.exec(said.folded) ?? [];
    const means = after === '' ? before : after;
    if (!isPlain || written.split(/\s+/).length > (means === '' ? MOST_WORDS : MOST_CORRECTION)) return null;
    const [lead = means] = means === '' ? (again.exec(said.folded) ?? []) : [];
    const value =
      after === ''
        ? written.slice(said.at[lead.length] ?? 0)
        : written.slice(0, said.at[said.folded.length - after.length]);
    const read = acts.read(value);
    // "The other one" begins as a question does, and is none.
    const isBegun = slots.readOwnAsked(value).opens && !tokenize(foldText(value)).slice(0, 2).some(isPlace);
    if (means !== '' && !isOpen && value !== '') {
      const isWhole = isBegun || value.split(/\s+/).length >= WHOLE_CORRECTION;
      const list = slots.readList(value, { now, language });
      if (isWhole || (list?.isWhole && list.of !== null)) return { text: `${value}?`, question: `${value}?` };
    }
    if (value === '' || isBegun) return null;
    const asked = fold(question);
    const choice = isOpen || read?.acts.length !== 0 ? null : otherChoice(value, question, inputs);
    if (choice && (lead !== '' || choice.isWhole)) return choice.meant;
    if (lead !== '' && read && read.acts.length === 0 && read.asked.length === 0) {
      const own = fold(value);
      const tokens = tokenize(own.folded);
      const [numbers, others] = [own.folded.match(NUMBER) ?? [], asked.folded.match(NUMBER) ?? []];
      if (numbers.length === 1 && others.length === 1 && tokens.length <= 3)
        return ordered(put(question, numbers[0], placeOf(asked, others[0])), isOpen);
      if (isOpen) return null;
      const part = (from: (token: Token) => boolean): string => {
        const at = stretchOf(own, tokens, from, isOne);
        return at ? value.slice(at.start, at.end) : value;
      };
      const naming = tokens.filter(
        (token) => (read.rest.includes(token.word) || isPlace(token)) && !isOne(token),
      );
      if (naming.length > 0 && naming.every(isPlace))
        return put(question, part(isPlace), recordIn(asked, records)) ?? inOrder(question, value);
      const [record, ...more] = named;
      const isNamed = (token: Token): boolean =>
        record !== undefined && isTitled(slots, record, [token.word]);
      if (record && more.length === 0) {
        // "And cancel the samba" names it in an order of its own.
        if (!naming.every((token) => isNamed(token) || isPlace(token) || slots.isThing(token.word)))
          return null;
        const names = naming.filter((token) => !isPlace(token) && isNamed(token));
        const [first, last] = [names[0], names.at(-1)];
        // "Auto da Compadecida" is one name, with the small words in it.
        const name = first && last ? value.slice(own.at[first.start] ?? 0, own.at[last.end]) : value;
        return put(question, name, recordIn(asked, records)) ?? beside(question, name);
      }
      const [date, ...later] = slots.findDates(value, { now, language });
      if (date && later.length === 0) {
        const [before, ...others] = slots.findDates(question, { now, language });
        const rest = acts.read(value.replace(date.text, ' '))?.rest ?? [date.text];
        if (rest.length > 0) return null;
        if (before && others.length === 0)
          return put(question, date.text, placeOf(asked, foldText(before.text)));
        return beside(question, value);
      }
      const [place, ...places] = slots.filters.read(question, { now, language }).filters.places;
      // "And Campinas?" asks the same of another place, whether the company is there or not.
      const isPlaceName = /^\p{Lu}[\p{L}' -]+$/u.test(value) && read.rest.length > 0;
      const stretch = place !== undefined && places.length === 0 ? placeOf(asked, foldText(place)) : null;
      if (isPlaceName && stretch && means === '') return put(question, value, stretch);
      // "I said Salvador, not Recife" asks the same of the one.
      const [other, ...several] = slots.filters.read(value, { now, language }).filters.places;
      if (stretch && means !== '' && other && several.length === 0) return put(question, other, stretch);
      if (means !== '' || adjunct.test(own.folded)) return beside(question, value);
    }
    const [begins = ''] = cases.exec(said.folded) ?? [];
    if (begins === '' || isOpen) return null;
    const answered = tokenize(foldText(reply)).map(({ word }) => word);
    const known = new Set(tokenize(asked.folded).map(({ word }) => word));
    const rest = said.folded.slice(begins.length).trim();
    const isKnown = tokenize(rest).some(
      ({ word }) =>
        word.length >= SHORTEST && !known.has(word) && answered.some((one) => one.startsWith(word)),
    );
    const isCase = isKnown || (lead !== '' && adjunct.test(rest));
    return isCase ? beside(question, value) : null;
  };
  return {
    saysOverdue: (text) => text.length <= LONGEST && overdue.test(foldText(text)),
    asksToSee: (text) =>
      showing.test(
        tokenize(foldText(text))
          .map(({ word }) => word)
          .join(' '),
      ),
    askAgain: (text, leaning) => turned(text, leaning) ?? askAgain(text, leaning),
    askedBefore(text) {
      const source = fold(text.trim());
      const [lead = ''] = text.length > LONGEST ? [] : (correcting.exec(source.folded) ?? []);
      const asked = lead === '' ? '' : text.trim().slice(source.at[lead.length] ?? 0);
      return asked.split(/\s+/).length < SHORTEST ? null : asked;
    },
    setAgainst(text, spoken) {
      const written = text.trim().replace(/[\s?!.]+$/u, '');
      const { folded, at } = fold(written);
      if (text.length > LONGEST) return null;
      const [head = ''] = against.exec(folded) ?? [];
      const [lead = ''] = correcting.exec(folded.slice(head.length)) ?? [];
      const [tail = ''] =
        lead === '' ? [] : (againstAfter.exec(folded.slice(head.length + lead.length)) ?? []);
      // What is turned down was spoken of: "not that one, the other" picks.
      const known = foldText(spoken);
      const isKnown = (head.match(/[a-z]{4,}/g) ?? []).some((word) => known.includes(word.slice(0, STEM)));
      if ((head === '' || !isKnown) && tail === '') return null;
      const [from, to] = [head.length + lead.length, folded.length - tail.length];
      const meant = written.slice(at[from] ?? written.length, at[to] ?? written.length).trim();
      return meant === '' || (acts.read(meant)?.acts.length ?? 0) > 0 ? null : meant;
    },
    saysWhatWasMeant: (text) => correcting.test(foldText(text)) || behind.test(foldText(text.trim())),
    questionAfter(text, before) {
      const goesOn = text.split(/\s+/).length <= MOST_WORDS && again.test(foldText(text));
      const asks = (part: string): boolean => part.includes('?') || slots.readOwnAsked(part).opens;
      return goesOn ? before : (slots.sentencesOf(text).findLast(asks) ?? null);
    },
  };
}

/** Of what waits for a yes another number is ordered, and not asked about. */
function ordered(meant: MeantQuestion | null, isOpen: boolean): MeantQuestion | null {
  return meant && isOpen ? { ...meant, text: meant.text.replace(/[\s?]+$/u, '') } : meant;
}
