import type { SkillSummary, SkillType } from '../../core/domain/skill.js';
import type { Descriptor } from './descriptor-schema.js';
import type { DecisionTree, Mapping, Prompt, Rubric } from './file-schemas.js';

/** The prompts that a pack may bring (`prompts/NAME.txt`, `NAME.small.txt`), by its type; nothing reads any other. */
export const OWN_PROMPTS = {
  decision_tree: ['classify', 'analyze_results', 'generate_hypothesis'],
  composite: ['route', 'decompose', 'resolve', 'synthesize'],
  atomic: [],
} as const satisfies Record<SkillType, readonly string[]>;

/** The files of a pack as text, by path relative to its folder (`skill.yaml`, `sub_skills/tone/skill.yaml`). */
export type PackFiles = Readonly<Record<string, string>>;

/** A fault in a pack, for the one who writes it. */
export interface PackFault {
  /** Relative to the skills folder or absolute; what an editor opens. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Snake_case, e.g. `unknown_step`. */
  readonly code: string;
  /** What is wrong, and what to do, in one or two sentences. */
  readonly message: string;
  /** A pack works in spite of a warning; absent is a fault, which keeps it from being loaded. */
  readonly severity?: 'warning';
}

/** Whether a pack cannot be used because of it. */
export function isFault({ severity }: Pick<PackFault, 'severity'>): boolean {
  return severity !== 'warning';
}

/** What a pack says of itself; how far it reaches depends on its parts and on the sources there are. */
export type PackSummary = Omit<SkillSummary, 'reach'>;

/** A pack that was loaded and found whole. Frozen; a running skill holds on to the one it began with. */
export interface Pack {
  readonly id: string;
  readonly version: string;
  readonly summary: PackSummary;
  readonly descriptor: Descriptor;
  /** The folder it came from, for messages. */
  readonly folder: string;
  /** Its own files and those of its nested skills, and the prompts and rubrics it refers to in the registries. */
  readonly files: PackFiles;
  /** SHA-256 over `files`. */
  readonly hash: string;
  readonly tree: DecisionTree | null;
  readonly mappings: ReadonlyMap<string, Mapping>;
  /** The knowledge_base.md, null where there is none. */
  readonly knowledge: string | null;
  /** The pack's own prompt files by name without extension: `decompose`, `decompose.small`. */
  readonly prompts: ReadonlyMap<string, string>;
  /** Resolved from the registry: the one `template_config` names. */
  readonly prompt: (Prompt & { readonly version: string }) | null;
  readonly rubric: Rubric | null;
  /** Nested packs by the name the composite gives them. Those named by `skill:` are looked up in the catalog. */
  readonly parts: ReadonlyMap<string, Pack>;
}

/** All packs that were found whole. */
export interface Catalog {
  /** The newest version of each id that is not deprecated, then the deprecated ones. */
  list(): readonly Pack[];
  /**
   * @param range a version or semver range; the newest active one (else poc, else deprecated) where absent
   * @throws HubError `skill_unknown`, with the ids or versions there are
   */
  get(id: string, range?: string): Pack;
  /** Every version of every id. */
  all(): readonly Pack[];
}
