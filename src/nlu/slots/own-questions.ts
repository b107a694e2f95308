import { z } from 'zod';
import type { EntityWords } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import { remembered } from '../remembered.js';
import { readFillers, readWords } from '../words.js';
import { foldText, tokenize } from './text.js';

/** What is asked, and of which time: classes of words that every language has. */
const KINDS = [
  'when',
  'how_much',
  'why',
  'whether',
  'which',
  'next',
  'last',
  'nth_day',
  'daytime',
  'them',
  'how',
  'recent',
  'all',
  'general',
  'todo',
  'tell',
  'before',
  'again',
  'future',
  'past',
  'month',
  'since',
  'end',
  'while',
  'after',
  'if',
  'act',
] as const;
const schema = z.strictObject(
  Object.fromEntries(KINDS.map((kind) => [kind, z.array(z.string()).min(1)])) as Record<
    (typeof KINDS)[number],
    z.ZodArray<z.ZodString>
  >,
);

/** A question about the customer's own records, as an entity declares it. */
export interface OwnQuestion {
  readonly entity: string;
  readonly name: string;
  /** True where the customer has at most one such record, so that a title means another. */
  readonly single: boolean;
  /** True where only a person answers it. */
  readonly person: boolean;
  /** True where the help centre answers it, whatever else the message says. */
  readonly article?: boolean;
  /** True where it may name another record than the one that the customer has of these. */
  readonly names?: boolean;
  /** True where no rule holds for it: the company's sentences have taught it. */
  readonly taught?: boolean;
  /** True where there is no rule that could read it. */
  readonly ruleless?: boolean;
  /** What rules read in its place. */
  readonly ruled?: readonly OwnQuestion[];
}

/** What a part of a message asks of the customer's own records. */
export interface OwnAsked {
  /** Each about something else; empty where nothing is asked that they answer. */
  readonly questions: readonly OwnQuestion[];
  /** What it speaks of; a part that only asks on ("and when?") speaks of what was asked before it. */
  readonly topics: readonly string[];
  /** True where it begins as a question: no order then, with or without its mark. */
  readonly opens: boolean;
  /** True where it is marked as a question, or a word of it asks: "... and they still charge me why". */
  readonly asks: boolean;
}

/**
 * Reads which declared questions a part of a message asks: by what it speaks of (the topics of the entities), what it wants to
 * know of that and of which time. The rule that holds with the most words counts, and beside it one about something else.
 * @param known `before`: topics of what was asked before; a part that says nothing but what it wants to know goes on about those
 */
export type ReadOwnAsked = (text: string, known?: OwnContext) => OwnAsked;

/** What is known when a part is read. */
interface OwnContext {
  readonly before?: readonly string[];
  /** True where the part names a record of theirs: what they have one of at most is not asked about. */
  readonly isNamed?: boolean;
  /** True where another sentence of the message is marked as a question: what only tells something asks nothing then. */
  readonly isBeside?: boolean;
  /** True where records were shown last. */
  readonly isShown?: boolean;
}

/** What rules call a record that is named or was shown, without a word for it. */
const SPOKEN = 'spoken';
/** And one that the part names itself. */
const NAMED = 'named';

/** What questions begin with. */
const OPENING: ReadonlySet<string> = new Set([
  'when',
  'how_much',
  'why',
  'whether',
  'which',
  'how',
  'todo',
  'recent',
  'before',
]);

/** What points at what was asked before: "any of them", "meanwhile". */
const POINTING: ReadonlySet<string> = new Set(['them', 'while']);

/** So many words of a part that goes on may be no word of a question. */
const OTHER_WORDS = 1;

interface Rule extends OwnQuestion {
  readonly needs: readonly string[];
  readonly without: readonly string[];
}

type Classes = readonly (readonly [name: string, pattern: RegExp])[];

/**
 * Makes the reader for a company's entities.
 * @throws HubError `config_invalid` where a rule names a class that there is not
 */
export function createOwnQuestions(
  entities: readonly EntityWords[],
  languages: readonly Language[],
): ReadOwnAsked {
  const files = languages.map((language) => readWords(language, 'questions', schema));
  const kinds: Classes = KINDS.map((kind) => [kind, anyOf(files.flatMap((words) => words[kind]))]);
  const everywhere = kinds.map(([, pattern]) => new RegExp(pattern, 'g'));
  const topics: Classes = entities.flatMap((entity) =>
    Object.entries(entity.topics ?? {}).map(
      ([name, words]) => [name, anyOf(languages.flatMap((language) => words[language] ?? []))] as const,
    ),
  );
  const known = new Set([...[...kinds, ...topics].map(([name]) => name), SPOKEN, NAMED]);
  const isTopic = new Set(topics.map(([name]) => name));
  const rules = entities.flatMap((entity) => rulesOf(entity, known));
  const fillers = new Set(languages.flatMap((language) => readFillers(language)));
  // "How do I undo this?" is asked of what was spoken of: no rule is about that alone.
  const isDependent = (name: string): boolean => {
    const holding = rules.filter(({ needs }) => needs.includes(name));
    return holding.every(({ needs }) => needs.some((other) => other !== name && isTopic.has(other)));
  };
  const dependent = new Set([...isTopic].filter(isDependent));
  /** True where it begins as a question, or says that something is to be told. */
  const opensAsking = (said: string): boolean => {
    const words = tokenize(said).map(({ word }) => word);
    const openings = [words.filter((word, at) => at > 2 || !fillers.has(word)), words].map((some) =>
      some.slice(0, 2).join(' '),
    );
    return kinds.some(([name, pattern]) => {
      if (name === 'tell') return pattern.test(said);
      if (!OPENING.has(name)) return false;
      // "Are you" asks, "vou" may only tell; a word that may stand in any sentence may belong to the opening: "is my".
      return openings.some((opening, at) => {
        const [match = ''] = pattern.exec(opening) ?? [];
        return (
          match !== '' && (at > 0 || name === 'whether' ? name === 'whether' && match.includes(' ') : true)
        );
      });
    });
  };
  const isAsking = (said: string): boolean => said.includes('?') || opensAsking(said);
  /** True where a text says little but what it wants to know: "and when?", "the one before that?". */
  const asksOn = (said: string): boolean => {
    if (!isAsking(said)) return false;
    const asking = everywhere.flatMap((pattern) => [...said.matchAll(pattern)]);
    const others = tokenize(said).filter(({ word, start, end }) => {
      const isOf = asking.some(({ index, 0: words }) => index <= start && end <= index + words.length);
      return !isOf && !fillers.has(word);
    });
    return others.length <= OTHER_WORDS;
  };
  const heard = remembered((text) => {
    const said = foldText(text);
    const [asked, own] = [found(kinds, said), found(topics, said)];
    const isShort = own.length === 0 && asked.some((kind) => kind !== 'nth_day') && asksOn(said);
    return { said, asked, own, isShort, opens: opensAsking(said) };
  });
  return (text, { before = [], isNamed = false, isShown = false, isBeside = false } = {}) => {
    if (rules.length === 0)
      return { questions: [], topics: [], opens: false, asks: foldText(text).includes('?') };
    const { said, asked, own, isShort, opens } = heard(text);
    const asks = said.includes('?') || asked.some((kind) => kind !== 'whether' && OPENING.has(kind));
    const leans = own.length > 0 && own.every((name) => dependent.has(name));
    const points = leans || asked.some((kind) => POINTING.has(kind));
    const of = isShort ? before : points ? [...own, ...before] : own;
    const told = [...(isNamed || isShown ? [SPOKEN] : []), ...(isNamed ? [NAMED] : [])];
    const classes = new Set([...asked, ...of, ...told]);
    const holding = rules
      .filter(({ single, names }) => !(single && isNamed) || names === true)
      .filter(
        ({ needs, without }) =>
          needs.every((name) => classes.has(name)) && !without.some((name) => classes.has(name)),
      )
      .sort((a, b) => b.needs.length - a.needs.length);
    if (isBeside && !(said.includes('?') || opens)) return { questions: [], topics: of, opens: false, asks };
    const picked: Rule[] = [];
    const covered = new Set<string>();
    for (const rule of holding) {
      const about = rule.needs.filter((name) => isTopic.has(name));
      // Who only asks on asks one thing.
      if (
        about.length === 0 ||
        picked.some(({ name }) => name === rule.name) ||
        about.some((name) => covered.has(name)) ||
        (isShort && covered.size > 0)
      )
        continue;
      for (const name of about) covered.add(name);
      picked.push(rule);
    }
    return {
      questions: picked.map(({ needs: _needs, without: _without, ...question }) => question),
      topics: of,
      opens,
      asks,
    };
  };
}

function found(classes: Classes, text: string): readonly string[] {
  return classes.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

/** A class with `-` before it must not be there; one with `?` after it may be, though none of the entity's questions usually has it. */
function rulesOf(
  {
    id,
    single,
    asks = {},
    asks_not: not = [],
    asks_person: by = [],
    asks_named: may = [],
    asks_article: told = [],
  }: EntityWords,
  known: ReadonlySet<string>,
) {
  return Object.entries(asks).flatMap(([name, rules]) =>
    rules.map((rule): Rule => {
      const words = rule.split(' ');
      const unknown = words.find((word) => !known.has(word.replace(/[-?]/, '')));
      if (unknown !== undefined)
        throw new HubError(
          'config_invalid',
          `The entity ${id} asks ${name} by ${unknown}, which is no class`,
          {
            entity: id,
          },
        );
      const needs = words.filter((word) => /^[a-z_]+$/.test(word));
      const beside = words.filter((word) => word.endsWith('?')).map((word) => word.slice(0, -1));
      const without = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
      const article = told.includes(name);
      const usual = (article ? [] : not).filter((word) => !needs.includes(word) && !beside.includes(word));
      const question = {
        entity: id,
        name,
        single,
        person: by.includes(name),
        names: may.includes(name),
        article,
      };
      return { ...question, needs, without: [...without, ...usual] };
    }),
  );
}

function anyOf(sources: readonly string[]): RegExp {
  return sources.length === 0 ? /(?!)/ : new RegExp(`(?<!\\w)(?:${sources.join('|')})(?!\\w)`);
}
