import type { EntityWords } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import { remembered } from '../remembered.js';
import { anyOf, type Classes, classesIn, OPENING, readQuestionCues } from './question-cues.js';
import { foldText } from './text.js';

/*
 * Recognizes the questions about a customer's own records that the entities of a company declare. A rule of a question names classes
 * of words: the topics of the entity ("payment"), what is asked ("when", "how_much") and of which time ("next", "last"). A rule applies
 * where all its classes occur in the text and none of those that it excludes does.
 */

/** A question about the customer's own records, as an entity declares it. */
export interface OwnQuestion {
  readonly entity: string;
  readonly name: string;
  /** True where a customer has at most one record of the entity, so that a title refers to another entity. */
  readonly single: boolean;
  /** True where only an operator can answer it. */
  readonly person: boolean;
  /** True where an article answers it, whatever else the message says. */
  readonly article?: boolean;
  /** True where the text may name any record, also one of another entity. */
  readonly names?: boolean;
  /** True where the classifier recognized it and no rule did. */
  readonly taught?: boolean;
  /** True where the entity declares no rule for it, so that only the classifier can recognize it. */
  readonly ruleless?: boolean;
  /** The questions that rules recognize in the same text, where the classifier decided otherwise. */
  readonly ruled?: readonly OwnQuestion[];
}

/** The questions in a part of a message. */
export interface OwnAsked {
  /** The questions, each about another topic; empty where the customer's records answer none. */
  readonly questions: readonly OwnQuestion[];
  /** The topics of the part. A part without a topic of its own ("and when?") has those of the question before it. */
  readonly topics: readonly string[];
  /** True where it begins like a question, with or without a question mark, and so orders nothing. */
  readonly opens: boolean;
  /** True where it has a question mark or a question word anywhere: "... and they still charge me why". */
  readonly asks: boolean;
  /** True where it asks on about the topics before it in words for that: "used on what?". */
  readonly goesOn?: boolean;
}

/** Recognizes declared questions in a part of a message. Of several rules about a topic, the one with the most classes applies. */
export type ReadOwnAsked = (text: string, context?: OwnContext) => OwnAsked;

/** The context of a part of a message. */
interface OwnContext {
  /** Topics of the question before it, which a part without a topic continues. */
  readonly before?: readonly string[];
  /** True where the part names a record of the customer's, and so asks nothing about entities with a single record. */
  readonly isNamed?: boolean;
  /** True where another sentence of the message has a question mark: a part without one is a statement, then. */
  readonly isBeside?: boolean;
  /** True where records were shown last. */
  readonly isShown?: boolean;
}

/** Class of rules: a record is named in the text or was just shown. */
const SPOKEN = 'spoken';
/** Class of rules: a record is named in the text. */
const NAMED = 'named';

/** Classes that refer to what was asked before: "any of them", "meanwhile". */
const REFERRING: ReadonlySet<string> = new Set(['them', 'while']);

interface Rule extends OwnQuestion {
  readonly needs: readonly string[];
  readonly without: readonly string[];
}

/**
 * Creates the reader for the entities of a company.
 * @throws HubError `config_invalid` where a rule names an unknown class
 */
export function createOwnQuestions(
  entities: readonly EntityWords[],
  languages: readonly Language[],
): ReadOwnAsked {
  const cues = readQuestionCues(languages);
  const topics: Classes = entities.flatMap((entity) =>
    Object.entries(entity.topics ?? {}).map(
      ([name, words]) => [name, anyOf(languages.flatMap((language) => words[language] ?? []))] as const,
    ),
  );
  const known = new Set([...[...cues.kinds, ...topics].map(([name]) => name), SPOKEN, NAMED]);
  const isTopic = new Set(topics.map(([name]) => name));
  const rules = entities.flatMap((entity) => rulesOf(entity, known));
  // "How do I undo this?" depends on the topic before it: every rule with such a topic needs another topic too.
  const isDependent = (name: string): boolean =>
    rules
      .filter(({ needs }) => needs.includes(name))
      .every(({ needs }) => needs.some((other) => other !== name && isTopic.has(other)));
  const dependent = new Set([...isTopic].filter(isDependent));
  const refers = new Set(entities.flatMap((entity) => entity.asks_on ?? []));
  const wordsOf = remembered((text) => {
    const folded = foldText(text);
    const [kinds, own] = [classesIn(cues.kinds, folded), classesIn(topics, folded)];
    const opens = cues.opens(folded);
    const isContinuation =
      own.length === 0 && kinds.some((kind) => kind !== 'nth_day') && cues.onlyAsks(folded);
    // "I pay for the plan already, why do you charge more"
    const endsAsking = cues.asksWhy(folded.slice(folded.lastIndexOf(',') + 1));
    return { kinds, own, isContinuation, opens, endsAsking, isMarked: folded.includes('?') };
  });
  return (text, { before = [], isNamed = false, isShown = false, isBeside = false } = {}) => {
    if (rules.length === 0)
      return { questions: [], topics: [], opens: false, asks: foldText(text).includes('?') };
    const { kinds, own, isContinuation, opens, endsAsking, isMarked } = wordsOf(text);
    const asks = isMarked || kinds.some((kind) => kind !== 'whether' && OPENING.has(kind));
    const asksOn = own.some((name) => refers.has(name));
    const isDepending = own.length > 0 && own.every((name) => dependent.has(name));
    const isReferring = asksOn || isDepending || kinds.some((kind) => REFERRING.has(kind));
    const about = isContinuation ? before : isReferring ? [...own, ...before] : own;
    // What asks on about the answer before needs no mark: "2 of 2?? I have only been to one".
    if (isBeside && !asksOn && !(isMarked || opens || endsAsking))
      return { questions: [], topics: about, opens: false, asks };
    const references = [...(isNamed || isShown ? [SPOKEN] : []), ...(isNamed ? [NAMED] : [])];
    const applying = applyingRules(rules, new Set([...kinds, ...about, ...references]), isNamed);
    // A continuation asks one thing.
    const questions = onePerTopic(applying, isTopic).slice(0, isContinuation ? 1 : undefined);
    return { questions, topics: about, opens, asks, goesOn: asksOn };
  };
}

/** The rules that apply to a text with these classes, those with the most classes first. */
function applyingRules(
  rules: readonly Rule[],
  classes: ReadonlySet<string>,
  isNamed: boolean,
): readonly Rule[] {
  return rules
    .filter(({ single, names }) => !(single && isNamed) || names === true)
    .filter(({ needs, without }) => {
      return needs.every((name) => classes.has(name)) && !without.some((name) => classes.has(name));
    })
    .sort((a, b) => b.needs.length - a.needs.length);
}

/** The questions of the rules, at most one about each topic. */
function onePerTopic(rules: readonly Rule[], isTopic: ReadonlySet<string>): readonly OwnQuestion[] {
  const covered = new Set<string>();
  const picked = new Map<string, OwnQuestion>();
  for (const { needs, without: _without, ...question } of rules) {
    const topics = needs.filter((name) => isTopic.has(name));
    const isCovered = topics.length === 0 || topics.some((name) => covered.has(name));
    if (isCovered || picked.has(question.name)) continue;
    for (const name of topics) covered.add(name);
    picked.set(question.name, question);
  }
  return [...picked.values()];
}

/** The rules of an entity. A class with `-` before it must not occur; one with `?` after it may occur despite `asks_not`. */
function rulesOf(
  {
    id,
    single,
    asks = {},
    asks_not: excluded = [],
    asks_person: byOperator = [],
    asks_named: ofAnyRecord = [],
    asks_article: byArticle = [],
  }: EntityWords,
  known: ReadonlySet<string>,
) {
  return Object.entries(asks).flatMap(([name, rules]) =>
    rules.map((rule): Rule => {
      const classes = rule.split(' ');
      const unknown = classes.find((one) => !known.has(one.replace(/[-?]/, '')));
      if (unknown !== undefined)
        throw new HubError(
          'config_invalid',
          `The entity ${id} asks ${name} by ${unknown}, which is no class`,
          { entity: id },
        );
      const needs = classes.filter((one) => /^[a-z_]+$/.test(one));
      const allowed = classes.filter((one) => one.endsWith('?')).map((one) => one.slice(0, -1));
      const without = classes.filter((one) => one.startsWith('-')).map((one) => one.slice(1));
      const article = byArticle.includes(name);
      const usual = (article ? [] : excluded).filter((one) => !needs.includes(one) && !allowed.includes(one));
      return {
        entity: id,
        name,
        single,
        person: byOperator.includes(name),
        names: ofAnyRecord.includes(name),
        article,
        needs,
        without: [...without, ...usual],
      };
    }),
  );
}
