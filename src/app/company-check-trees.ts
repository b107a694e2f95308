import { join } from 'node:path';
import type { TrialDatabase } from '../company/declared/check-statements.js';
import { type Finding, faultIn, lineAt, warningIn } from '../company/yaml-file.js';
import { onlyIn } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { didYouMean, nearestName } from '../core/nearest.js';
import { compileCondition } from '../skills/expressions/expression.js';
import { placeholderNames } from '../skills/expressions/placeholders.js';
import type { Pack } from '../skills/pack/index.js';

/** What the trees of a company's packs are held against. */
export interface TreeSurroundings {
  /** What the company speaks. */
  readonly languages: readonly Language[];
  /** Inputs of the company's actions, by their names. */
  readonly actions: ReadonlyMap<string, readonly string[]>;
  /** The company's own database, by its name; null where it is made by code, of which nothing is known here. */
  readonly own: { readonly name: string; readonly trial: Pick<TrialDatabase, 'tried'> } | null;
}

type Steps = NonNullable<Pack['tree']>['steps'];

/** What a result holds beside the columns that were asked for. */
const OF_RESULT = ['count', 'rows', 'truncated', 'choice'];

/**
 * What the tree of a pack names that there is not: columns that no statement answers, actions of nobody, and inputs that an action
 * does not take; and a language of the company in which it cannot say what it finds. An action that is recommended without arguments, or at a company with code, may be work for an operator.
 */
export function checkTree(pack: Pack, { actions, own, languages }: TreeSurroundings): readonly Finding[] {
  const path = pack.descriptor.decision_tree?.path ?? 'decision_tree.yaml';
  const file = join(pack.folder, path);
  const steps = pack.tree?.steps ?? {};
  const at = (...keys: string[]): number => lineAt(file, ['steps', ...keys]);
  const columns = new Map(Object.keys(steps).map((id) => [id, columnsOf(pack, steps, id, own)]));
  const unknown = (name: string, step: string, line: () => number): readonly Finding[] => {
    const [root, first = '', second = ''] = name.split('.');
    const [of, column] = root === 'result' ? [step, first] : root === 'steps' ? [first, second] : ['', ''];
    const known = columns.get(of);
    if (!known || column === '' || known.includes(column)) return [];
    const problem = `{${name}}: the step ${of} finds no ${column}.`;
    return [faultIn(file, line(), problem, `Correct the name.${didYouMean(column, known)}`)];
  };
  const unsaid = unsaidIn(file, steps, languages);
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
          ? adviceFindings(file, advice, { actions, own }, (...keys) =>
              at(id, ...where, 'conclusion', 'recommended_action', ...keys),
            )
          : []),
      ];
    }),
  );
  return [...unsaid, ...named];
}

/** One line for each language in which findings that a customer is told in another one are not written. */
function unsaidIn(file: string, steps: Steps, languages: readonly Language[]): readonly Finding[] {
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
  { actions, own }: Pick<TreeSurroundings, 'actions' | 'own'>,
  at: (...keys: string[]) => number,
): readonly Finding[] {
  const { action, arguments: given = {} } = advice;
  const inputs = actions.get(action);
  if (!inputs) {
    const isPlain = Object.keys(given).length === 0 || own === null;
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

/** What a step's result holds; null where only a run can tell. */
function columnsOf(
  { mappings, descriptor }: Pack,
  steps: Steps,
  id: string,
  own: TreeSurroundings['own'],
): readonly string[] | null {
  const action = steps[id]?.action;
  if (action?.type !== 'query' || own === null) return null;
  const mapping = mappings.get(action.mapping ?? '');
  const source = descriptor.data_sources[action.source ?? mapping?.source ?? ''];
  const statement = action.query_template ?? mapping?.query;
  const isPlain = mapping?.response_parser === undefined && mapping?.query_builder === undefined;
  if (!isPlain || typeof statement !== 'string') return null;
  if (source?.kind !== 'sqlite' || source.database !== own.name) return null;
  const { columns } = own.trial.tried(statement);
  return columns && [...OF_RESULT, ...columns];
}
