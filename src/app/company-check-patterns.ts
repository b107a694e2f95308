import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadCompany } from '../company/company.js';
import { entitySchema } from '../company/entities.js';
import { type Finding, readChecked } from '../company/yaml-file.js';
import { primaryOf } from '../core/domain/language.js';
import { fold } from '../core/text.js';
import { readUtterances } from '../nlu/utterances.js';

/** Shorter ones are words of any language. */
const SHORTEST = 4;
/** Where so many words end in these vowels, one that does is whole: "cobra" beside "cobraram". */
const WHOLE: Readonly<Record<string, RegExp>> = { pt: /[aeo]$/, es: /[aeo]$/ };

/**
 * Patterns of entities that end inside a word: they stand between word boundaries, so that `arriv` finds neither "arrives" nor
 * "arrived". Known words are those of the sentences and articles that the hub is given.
 */
export function patternFindings(folder: string): readonly Finding[] {
  const { profile, nlu } = loadCompany(folder);
  const known = new Map(
    profile.languages.map((language) => {
      const sentences = readUtterances(primaryOf(language), nlu).map(({ text }) => text);
      return [language, wordsIn([...sentences, ...articlesIn(folder, language)].join('\n'))] as const;
    }),
  );
  return nlu.entities.flatMap(({ id }) => {
    const { value, fault } = readChecked(join(folder, 'entities', `${id}.yaml`), entitySchema);
    if (!value) return [];
    const all = value.attributes.flatMap(({ asked }, at) =>
      Object.entries(asked).flatMap(([language, patterns]) =>
        patterns.map((pattern, place) => ({
          language,
          pattern,
          path: ['attributes', at, 'asked', language, place],
        })),
      ),
    );
    return all.flatMap(({ language, pattern, path }) => {
      const words = known.get(language);
      const cut = endsOf(pattern).find(
        (end) =>
          words &&
          !words.has(end) &&
          !WHOLE[primaryOf(language)]?.test(end) &&
          longerThan(end, words) !== undefined,
      );
      if (words === undefined || cut === undefined) return [];
      const problem = `ends inside a word: "${cut}" finds only that word, and not "${longerThan(cut, words)}"`;
      const remedy = `Write the whole word, each form of it, or ${cut}\\w{0,6}.`;
      return [{ ...fault(path, problem, remedy), severity: 'warning' as const }];
    });
  });
}

/** The words that a pattern ends with: of each branch of a choice. */
function endsOf(pattern: string): readonly string[] {
  const [, choice] = /\((?:\?:)?([^()]+)\)$/.exec(pattern) ?? [];
  return (choice ?? pattern)
    .split('|')
    .flatMap((branch) => /(?:^|[^a-z\\])([a-z]+)$/.exec(branch)?.[1] ?? [])
    .filter((word) => word.length >= SHORTEST);
}

const longerThan = (start: string, words: ReadonlySet<string>): string | undefined =>
  [...words].find((word) => word.length > start.length + 1 && word.startsWith(start));

const wordsIn = (text: string): ReadonlySet<string> => new Set(fold(text).match(/[a-z]+/g));

function articlesIn(folder: string, language: string): readonly string[] {
  const room = join(folder, 'articles');
  if (!existsSync(room)) return [];
  const names = readdirSync(room).filter((name) => basename(name).endsWith(`.${language}.md`));
  return names.map((name) => readFileSync(join(room, name), 'utf8'));
}
