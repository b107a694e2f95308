import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** Root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const FOLDERS = ['src', 'agents', 'tools', 'companies', 'data', 'scripts', 'bench', 'test'];

/** An import that a rule forbids, with the advice of the rule. */
export interface Violation {
  readonly rule: string;
  readonly text: string;
}

/** Every import of a tree, and those that the rules of this project forbid. */
export interface Cruise {
  readonly files: readonly string[];
  /** `from -> to`. */
  readonly edges: ReadonlySet<string>;
  readonly violations: readonly Violation[];
}

/** Reads the imports of a tree that is laid out like this project. @param root default: this project */
export async function readImports(root = ROOT, folders: readonly string[] = FOLDERS): Promise<Cruise> {
  const options = await extractOptions(`${ROOT}/.dependency-cruiser.cjs`);
  const { output } = await cruise([...folders], { ...options, baseDir: root }, undefined, {
    tsConfig: extractTsConfig(`${ROOT}/tsconfig.json`),
  });
  if (typeof output === 'string') throw new Error(`dependency-cruiser gave a text: ${output}`);
  const ours = output.modules.filter(({ source }) => !source.includes('node_modules'));
  return {
    files: ours.map(({ source }) => source),
    edges: new Set(
      ours.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => `${source} -> ${resolved}`),
      ),
    ),
    violations: output.summary.violations.map((violation) => ({
      rule: violation.rule.name,
      text: describeViolation(violation),
    })),
  };
}

function describeViolation({
  rule,
  from,
  to,
  cycle,
}: ICruiseResult['summary']['violations'][number]): string {
  const path = cycle === undefined ? to : cycle.map(({ name }) => name).join(' -> ');
  return `${from} -> ${path}\n    ${rule.name}: ${adviceOf(rule.name)}`;
}

const require = createRequire(import.meta.url);

/** What a rule tells the person who broke it. */
function adviceOf(name: string): string {
  return rules().find((rule) => rule.name === name)?.comment ?? '';
}

/** The rules of `.dependency-cruiser.cjs`. */
export function rules(): readonly { readonly name: string; readonly comment?: string }[] {
  return require('../../.dependency-cruiser.cjs').forbidden;
}
