import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { type Finding, faultIn, lineAt, warningIn } from '../company/yaml-file.js';
import { onlyIn } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { didYouMean, nearestName } from '../core/spelling.js';
import { compileCondition } from '../skills/expressions/expression.js';
import { placeholderNames } from '../skills/expressions/placeholders.js';
import { loadSkillFolders } from '../skills/pack/load-folders.js';
import type { Pack } from '../skills/pack/pack.js';
import { columnsOf, type SkillDatabases, statementFindings } from './company-check-skill-statements.js';

/** What the trees of a company's packs are checked against. */
export interface TreeSurroundings {
  /** The company's languages. */
  readonly languages: readonly Language[];
  /** Inputs of the company's actions, by their names. */
  readonly actions: ReadonlyMap<string, readonly string[]>;
  /** Databases whose tables are known; null where the company's own is made by code, of which nothing is known here. */
  readonly databases: SkillDatabases | null;
}

type Steps = NonNullable<Pack['tree']>['steps'];

/** What a result holds beside the columns that were asked for. */
const OF_RESULT = ['count', 'rows', 'truncated', 'choice'];

/**
 * Names in the tree of a pack that do not exist: columns that no statement returns, unknown actions, and inputs that an action
 * does not take; and a language of the company in which it cannot say what it finds. An action that is recommended without arguments, or at a company with code, may be work for an operator.
 */
function checkTree(pack: Pack, { actions, databases, languages }: TreeSurroundings): readonly Finding[] {
  const path = pack.descriptor.decision_tree?.path ?? 'decision_tree.yaml';
  const file = join(pack.folder, path);
  const steps = pack.tree?.steps ?? {};
  const at = (...keys: string[]): number => lineAt(file, ['steps', ...keys]);
  const columns = new Map(
    Object.keys(steps).map((id) => {
      const found = databases && columnsOf(pack, id, databases);
      return [id, found && [...OF_RESULT, ...found]];
    }),
  );
  const unknown = (name: string, step: string, line: () => number): readonly Finding[] => {
    const [root, first = '', second = ''] = name.split('.');
    const [of, column] = root === 'result' ? [step, first] : root === 'steps' ? [first, second] : ['', ''];
    const known = columns.get(of);
    if (!known || column === '' || known.includes(column)) return [];
    const problem = `{${name}}: the step ${of} finds no ${column}.`;
    return [faultIn(file, line(), problem, `Correct the name.${didYouMean(column, known)}`)];
  };
  const unsaid = missingLanguages(file, steps, languages);
  const named = Object.entries(steps).flatMap(([id, { decisions }]) =>
    Object.entries(decisions).flatMap(([name, { condition, conclusion }]) => {
      const where = ['decisions', name] as const;
      const advice = conclusion?.recommended_action;
      return [
        ...compileCondition(condition).names.flatMap((one) =>
          unknown(one, id, () => at(id, ...where, 'condition')),
        ),
        ...Object.entries(conclusion ?? {}).flatMap(([key, value]) =>
          placeholderNames(value ?? undefined).flatMap((one) =>
            unknown(one, id, () => at(id, ...where, 'conclusion', key)),
          ),
        ),
        ...(advice && typeof advice === 'object'
          ? adviceFindings(file, advice, { actions, databases }, (...keys) =>
              at(id, ...where, 'conclusion', 'recommended_action', ...keys),
            )
          : []),
      ];
    }),
  );
  return [...unsaid, ...named, ...(databases ? statementFindings(pack, databases) : [])];
}

/** One finding for each language in which a pack's texts for the customer are missing. */
function missingLanguages(file: string, steps: Steps, languages: readonly Language[]): readonly Finding[] {
  const messages = Object.values(steps)
    .flatMap(({ decisions }) => Object.values(decisions))
    .flatMap(({ conclusion }) => (conclusion?.customer_message ? [conclusion.customer_message] : []));
  return languages.flatMap((language) => {
    const lacking = messages.filter((message) => onlyIn(message, language) === undefined).length;
    const problem = `${lacking} of its ${messages.length} messages are not there in ${language}.`;
    const remedy = `Add ${language} to each customer_message; until then it is said in English.`;
    return lacking === 0 ? [] : [warningIn(file, null, problem, remedy)];
  });
}

function adviceFindings(
  file: string,
  advice: { readonly action: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined },
  { actions, databases }: Pick<TreeSurroundings, 'actions' | 'databases'>,
  at: (...keys: string[]) => number,
): readonly Finding[] {
  const { action, arguments: given = {} } = advice;
  const inputs = actions.get(action);
  if (!inputs) {
    const isPlain = Object.keys(given).length === 0 || databases === null;
    const isWork = isPlain && nearestName(action, actions.keys()) === undefined;
    const problem = `The company has no action "${action}", so that it is left to an operator.`;
    return isWork ? [] : [warningIn(file, at('action'), problem, didYouMean(action, actions.keys()).trim())];
  }
  return Object.keys(given).flatMap((name) =>
    inputs.includes(name)
      ? []
      : [
          faultIn(
            file,
            at('arguments', name),
            `The action ${action} takes no ${name}.`,
            `Correct the name.${didYouMean(name, inputs)}`,
          ),
        ],
  );
}

/**
 * What is wrong with the packs in a company's own folder, as `skill validate` says it, and which of its actions, inputs, columns and
 * databases they misspell.
 * @param folders all folders of packs, for those that the company's own refer to
 * @param around what their trees are checked against
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
            around.databases?.has(name)
              ? faultIn(
                  file,
                  line,
                  `Nothing says which rows of ${name} are a customer's.`,
                  'Say it of each table under `tables` of that source, in sources.yaml.',
                )
              : faultIn(
                  file,
                  line,
                  `There is no database "${name}".`,
                  `Correct the name.${didYouMean(name, databases)}`,
                ),
          ],
    ),
  ];
}

/** A pack of the company's that no customer's message can start. */
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
