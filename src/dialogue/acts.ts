import { z } from 'zod';
import type { EntityAttribute, EntityWords } from '../core/domain/entity.js';
import type { LifeEvent } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import { remembered } from '../nlu/remembered.js';
import { foldText, tokenize } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';
import { ACT_KINDS, type ActKind } from './act-kinds.js';
import { readLifeEvents } from './life-events.js';
import { askedWords, isDay, sentencesOf, whole, withoutAny } from './plain-words.js';

export type { ActKind } from './act-kinds.js';

/** An attribute of one of the company's entities. */
export interface AskedAttribute {
  readonly entity: string;
  readonly attribute: EntityAttribute;
}

/** A message as the acts that its sentences are. */
export interface ReadMessage {
  /** In the order written, each once. */
  readonly acts: readonly ActKind[];
  /** Things asked about a record; empty where none are. */
  readonly asked: readonly AskedAttribute[];
  /** True where a sentence points at what was spoken of ("it", "that one"), or names nothing else. */
  readonly points: boolean;
  /** Words that none of this explains, folded: of a title, a day, or of another matter. */
  readonly rest: readonly string[];
  /** The words, folded, without those that ask: what is named stands there. */
  readonly naming: string;
}

const phrases = z.array(z.string());
const schema = z.strictObject({
  fillers: phrases,
  acts: z.record(z.enum(ACT_KINDS), phrases),
  around: phrases,
  pointing: phrases,
  remaining: phrases,
  counting: phrases,
  handled: phrases,
  of_another: phrases,
  of_self: phrases,
  deeds: phrases,
  defining: phrases,
  known: phrases.default([]),
  complaining: phrases.default([]),
  grief: phrases,
  trouble: phrases,
  told_of_trouble: phrases,
  joy: phrases,
  supposing: phrases,
  asking: phrases,
  wanting: phrases,
  telling: phrases,
  arguing: phrases,
  clashing: phrases,
  minutes: z.string(),
  yes_no: z.looseObject({}),
  another: phrases,
  again: phrases,
  cases: phrases,
  adjuncts: phrases,
  matters: z.looseObject({}),
  comparing: phrases,
  losing: z.array(z.string()).optional(),
  insisting: phrases.default([]),
  turning_away: phrases.default([]),
  unwanted: phrases,
  persons: phrases,
  standing_for: phrases,
  correcting: phrases,
  correcting_after: phrases,
  granted: phrases,
  undoing: z.looseObject({}),
  neighbours: z.looseObject({}),
  asked_neighbours: z.looseObject({}),
  the_other: z.array(z.string()).default([]),
  switching: z.array(z.string()).default([]),
  against_before: phrases,
  against_after: phrases,
  overdue: phrases,
  showing: phrases,
});

/** Longer messages tell a story: their sentences are no moves in a conversation. */
const LONGEST = 240;

/** What is said of earlier requests, in words that may be a company's for its records. */
const OF_REQUESTS: ReadonlySet<ActKind> = new Set(['history', 'status', 'ticket_number']);
const ASIDES: ReadonlySet<ActKind> = new Set(['presence', 'how_are_you', 'praise']);

/** Reads what messages do. */
export interface ActReader {
  /** Null where the message is too long to be a move in a conversation. */
  read(text: string): ReadMessage | null;
  /** The same with what is asked of one record and of nothing else, and without words that only say on which day. */
  readFacets(text: string): ReadMessage | null;
  /** What the customer says of their life; null where nothing. */
  lifeEvent(text: string): LifeEvent | null;
  /** True where a text speaks of what belongs to another person: "her account". */
  ofAnother(text: string): boolean;
  /** True where a text speaks of who writes it: "my plan", "did I pay?". */
  ofSelf(text: string): boolean;
  /** True where it asks whether something can be done, not told: "can you send it to my other card?". */
  asksDeed(text: string): boolean;
  /** What stands before and after a supposition: "if I ..."; null where nothing is supposed. */
  supposing(text: string): { readonly before: string; readonly after: string } | null;
  /** True where a word of it asks or wants something, or says that something is not as it should be. */
  asksFor(text: string): boolean;
  /** True where it begins as what only tells something: "I have had a long day". */
  tells(text: string): boolean;
  /** True where it wants what was done to one thing for another too: "and the Clarice one too". */
  addsAnother(text: string): boolean;
  /** True where it asks what a thing is: "what is the Clara Light?". */
  asksWhatIs(text: string): boolean;
  /** True where it argues about how things are done, and wants that explained rather than anything looked into. */
  argues(text: string): boolean;
  /** What a message asks after saying that the last answer was none to it: "you only answered half. Resume it."; null where nothing. */
  afterComplaint(text: string): string | null;
  /** The message without what only asks whether anybody is there, or praises: "yes, is anyone even there??" is a yes. */
  withoutAsides(text: string): string;
}

/** Whose conversations they are. */
export interface ActReaderOptions {
  readonly entities: readonly EntityWords[];
  /** Name of the company, as customers write it. */
  readonly companyName: string;
  readonly languages: readonly Language[];
}

/**
 * Makes the reader for a company, in all its languages.
 * @throws HubError `config_invalid` where the engine has no words of a language
 */
export function createActReader({ entities, companyName, languages }: ActReaderOptions): ActReader {
  const files = languages.map((language) => readWords(language, 'dialogue', schema));
  const all = (key: 'fillers' | 'around' | 'pointing' | 'remaining') => files.flatMap((words) => words[key]);
  const [fillers, pointing] = [new Set(all('fillers')), new Set(all('pointing'))];
  const counts = entities.some((entity) => entity.ids && entity.attributes.some(({ as }) => as === 'left'));
  const around = new Set([...all('around'), ...(counts ? all('remaining') : [])]);
  const acts = ACT_KINDS.map(
    (kind) => [kind, whole(files.flatMap((words) => words.acts[kind] ?? []))] as const,
  );
  const [ofAnother, ofSelf, deeds] = (['of_another', 'of_self', 'deeds'] as const).map(
    (key) => new RegExp(`\\b(?:${files.flatMap((words) => words[key]).join('|')})`),
  ) as [RegExp, RegExp, RegExp];
  const any = (key: 'supposing' | 'wanting' | 'fillers' | 'telling' | 'arguing' | 'asking' | 'defining') =>
    files.flatMap((words) => words[key]).join('|');
  const supposing = new RegExp(`(?<!\\p{L})(?:${any('supposing') || '(?!)'})(?!\\p{L})`, 'iu');
  const wanting = new RegExp(`\\b(?:${any('wanting')})\\b`);
  const telling = new RegExp(`^\\W*(?:(?:${any('fillers')})\\W+)*(?:${any('telling')})(?![\\w'])`);
  const known = new RegExp(`\\b(?:${files.flatMap((words) => words.known).join('|') || '(?!)'})(?=$| )`, 'g');
  const defining = new RegExp(`^\\W*(?:${any('defining')})`);
  const explained = askedWords(
    files.flatMap(({ counting }) => counting),
    files.flatMap(({ handled }) => handled),
  );
  const another = whole(files.flatMap((words) => words.another));
  const arguing = new RegExp(`\\b(?:${any('arguing')})\\b`);
  const supposed = new RegExp(`[,.;?!\\n]|(?<!\\p{L})(?:${any('asking')})(?!\\p{L})`, 'iu');
  const attributes = entities.flatMap(({ id: entity, attributes: own }) =>
    own
      .filter(({ only }) => only === null)
      .map((attribute) => ({
        entity,
        attribute,
        cue: new RegExp(
          `\\b(?:${languages.flatMap((language) => attribute.asked[language] ?? []).join('|') || '(?!)'})\\b`,
        ),
        cues: languages.flatMap((language) =>
          (attribute.asked[language] ?? []).map((one) => new RegExp(`\\b(?:${one})\\b`, 'g')),
        ),
      })),
  );
  // "The concert" is what is spoken of; "a concert" and "concerts" are any, but "a ticket for Giselle" is for what is named.
  const several = entities.filter(({ single }) => !single);
  const things = several.flatMap(({ nouns, also, kinds }) =>
    [nouns, also, kinds].flatMap((words) => languages.flatMap((language) => words[language] ?? [])),
  );
  const either = things.join('|') || '(?!)';
  const thing = new RegExp(`(?<!\\b(?:a|an|any|um|uma|some|cada|each|every) )\\b(?:${either})\\b`, 'g');
  const forNamed = new RegExp(`\\b(?:${either})\\b(?= (?:for|to|d[eao]s?|pr[ao]|para|n[ao]) )`, 'g');
  const nouns = new Set(
    entities
      .flatMap((entity) => languages.flatMap((language) => entity.nouns[language] ?? []))
      .flatMap((noun) => [noun, `${noun}s`]),
  );
  const isTelling = (word: string) =>
    word !== '' && !fillers.has(word) && !around.has(word) && !pointing.has(word);
  const company = foldText(companyName).trim();
  const wordsOf = (sentence: string): readonly string[] =>
    tokenize(foldText(sentence).replaceAll(company, 'it')).map(({ word }) => word);
  const actOf = (sentence: string): ActKind | null => {
    const parts = sentence.split(',').filter((part) => wordsOf(part).some((word) => !fillers.has(word)));
    const acts = parts.length > 1 ? new Set(parts.map(actOf)) : new Set<ActKind | null>();
    const [first] = acts;
    return actOfWhole(sentence) ?? (acts.size === 1 ? (first ?? null) : null);
  };
  const actOfWhole = (sentence: string): ActKind | null => {
    const bare = wordsOf(sentence)
      .filter((word) => !fillers.has(word))
      .join(' ');
    // What the fillers hold may be part of a phrase too.
    const said = [...new Set([bare, wordsOf(sentence).join(' ')])];
    // "Pedido" is an order where the company sells, and what was asked of it before where it does not.
    const ofRequests = said.map((one) =>
      one.replace(/[a-z]+/g, (word) => (nouns.has(word) ? 'record' : word)),
    );
    return (
      acts.find(([kind, pattern]) =>
        (OF_REQUESTS.has(kind) ? ofRequests : said).some((one) => pattern.test(one)),
      )?.[0] ?? null
    );
  };
  const readWith = (text: string, withFacets: boolean): ReadMessage | null => {
    if (text.length > LONGEST) return null;
    const [found, asked, rest]: [ActKind[], AskedAttribute[], string[]] = [[], [], []];
    let [points, naming] = [false, ''];
    for (const sentence of sentencesOf(text)) {
      const act = actOf(sentence);
      if (act !== null) {
        if (!found.includes(act)) found.push(act);
        continue;
      }
      let left = wordsOf(sentence).join(' ').replace(known, ' ').trim();
      const matches = attributes.flatMap((one) => {
        const [words] = one.cue.exec(left) ?? [];
        return words === undefined || (one.attribute.facet && !withFacets) ? [] : [{ ...one, words }];
      });
      // "How long until it begins" asks for nothing that "how long" asks for.
      for (const one of matches) if (!matches.some((other) => isWithin(one, other))) asked.push(one);
      const longest = [...matches].sort((a, b) => b.words.length - a.words.length);
      if (withFacets)
        left = withoutAny(
          left,
          matches.flatMap(({ cues }) => cues),
        );
      else for (const { cue } of longest) left = left.replace(new RegExp(cue, 'g'), ' ');
      left = explained(left, asked);
      naming += ` ${left}`;
      const words = left.replace(thing, ' ').split(' ').filter(Boolean);
      const named = left.replace(forNamed, ' ').replace(thing, ' ').split(' ').filter(isTelling);
      points ||= (withFacets ? wordsOf(sentence) : words).some((word) => pointing.has(word));
      rest.push(...(named.length > 0 ? named : words.filter(isTelling)));
    }
    return { acts: found, asked, points: points || (!withFacets && rest.length === 0), rest, naming };
  };
  return {
    read: remembered((text) => readWith(text, false)),
    readFacets: remembered((text) => {
      const message = readWith(text, true);
      return message && { ...message, rest: message.rest.filter((word) => !isDay(word)) };
    }),
    lifeEvent: readLifeEvents(languages),
    ofAnother: (text) => ofAnother.test(foldText(text)),
    ofSelf: (text) => ofSelf.test(foldText(text)),
    asksDeed: (text) => deeds.test(foldText(text)),
    asksFor: (text) => text.includes('?') || wanting.test(foldText(text)),
    asksWhatIs: (text) => defining.test(foldText(text)),
    argues: (text) => text.length <= LONGEST && arguing.test(foldText(text)),
    addsAnother: (text) =>
      another.test(
        foldText(text)
          .replace(/[^a-z0-9]+/g, ' ')
          .trim(),
      ),
    tells: (text) => telling.test(foldText(text)),
    supposing(text) {
      const found = supposing.exec(text);
      if (!found) return null;
      const [after = ''] = text.slice(found.index + found[0].length).split(supposed);
      return { before: text.slice(0, found.index).trim(), after: after.trim() };
    },
    afterComplaint(text) {
      // "That is not what I asked, he is 17" says it up to the comma.
      const ends = text.length > LONGEST ? [] : [...text.matchAll(/[,.!?;\n]+\s*/gu)];
      const end = ends.find(({ index }) => actOf(text.slice(0, index)) === 'wrong_answer');
      const rest = end && text.slice(end.index + end[0].length).replace(/^\W+/u, '');
      return rest ? rest : null;
    },
    withoutAsides(text) {
      const parts = text.split(/(?<=[.!?,;])\s+/);
      const kept = parts.filter(
        (part) => !ASIDES.has(actOfWhole(part.replace(/[^\p{L}\p{N}' ]+/gu, ' ')) ?? 'why'),
      );
      return kept.length === 0 ? text : kept.join(' ').replace(/[,;]$/, '');
    },
  };
}

/** True where a longer match begins with these words, or a facet's holds those of what is no facet. */
function isWithin(one: Match, other: Match): boolean {
  const holds = other.attribute.facet && !one.attribute.facet && other.words.includes(one.words);
  return other.words !== one.words && (holds || other.words.startsWith(one.words));
}

type Match = AskedAttribute & { readonly words: string };
