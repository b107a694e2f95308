import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { type Finding, faultIn, warningIn } from '../company/yaml-file.js';
import { didYouMean } from '../core/nearest.js';
import { loadSkillFolders, type Pack } from '../skills/pack/index.js';
import { checkTree, type TreeSurroundings } from './company-check-trees.js';

/**
 * What is wrong with the packs in a company's own folder, as `skill validate` says it, and which of its actions, inputs, columns and
 * databases they misspell.
 * @param folders all folders of packs, for those that the company's own refer to
 * @param around what their trees are held against
 * @param databases names that `data_sources` may give
 * @param symptoms names of the company's intents of the group `symptom`
 */
export function checkOwnSkills(
  folder: string,
  folders: readonly string[],
  around: TreeSurroundings,
  databases: readonly string[],
  symptoms: readonly string[],
): readonly Finding[] {
  const own = join(folder, 'skills');
  if (!existsSync(own)) return [];
  const { catalog, faults } = loadSkillFolders(folders);
  const wrong = faults.flatMap(({ file, line, message, severity }): readonly Finding[] => {
    if (!file.startsWith(own)) return [];
    const [problem = message, ...rest] = message.split(/(?<=\.) /);
    return [{ severity: severity ?? 'fault', file, line, problem, remedy: rest.join(' ') || 'Correct it.' }];
  });
  return [
    ...wrong,
    ...catalog.all().flatMap((pack) => unreachable(pack, own, symptoms)),
    ...catalog
      .all()
      .filter((pack) => pack.folder.startsWith(own))
      .flatMap((pack) => checkTree(pack, around)),
    ...namedIn(own, 'data_sources', 'database').flatMap(({ name, file, line }) =>
      databases.includes(name)
        ? []
        : [
            faultIn(
              file,
              line,
              `There is no database "${name}".`,
              `Correct the name.${didYouMean(name, databases)}`,
            ),
          ],
    ),
  ];
}

/** A procedure of the company's that no message of a customer can begin. */
function unreachable(pack: Pack, own: string, symptoms: readonly string[]): readonly Finding[] {
  const { id, descriptor, folder, files } = pack;
  const { keywords, intents } = descriptor.triggers;
  const isTaught = [id, ...intents].some((name) => symptoms.includes(name));
  if (!folder.startsWith(own) || descriptor.type !== 'decision_tree' || keywords.length > 0 || isTaught)
    return [];
  const lines = (files['skill.yaml'] ?? '').split('\n');
  const at = lines.findIndex((line) => line.startsWith('triggers:'));
  return [
    warningIn(
      join(folder, 'skill.yaml'),
      Math.max(at, 0) + 1,
      `No message of a customer can reach the skill ${id}.`,
      'Give it `triggers.keywords` in each language, or declare an intent of the group `symptom` of that name.',
    ),
  ];
}

/** What files of packs give for a key anywhere under another one. */
function namedIn(own: string, above: string, key: string) {
  const found: { readonly name: string; readonly file: string; readonly line: number }[] = [];
  for (const name of readdirSync(own, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.yaml')) {
      const file = join(own, name);
      const lines = new LineCounter();
      visit(parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines }), {
        Pair(_at, pair, path) {
          if (!isScalar(pair.key) || pair.key.value !== key || !isScalar(pair.value)) return;
          const isUnder = path.some(
            (one) =>
              'key' in one && isScalar(one.key) && (one.key as Scalar).value === above && isMap(one.value),
          );
          const { value, range } = pair.value;
          if (isUnder && typeof value === 'string')
            found.push({ name: value, file, line: lines.linePos(range?.[0] ?? 0).line });
        },
      });
    }
  return found;
}
