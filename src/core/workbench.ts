import type { JsonObject } from './domain/json.js';
import type { SkillRun, SkillSummary } from './domain/skill.js';
import type { RankedSkill, SkillRequest, SkillStats } from './ports/index.js';

/** A fault in a pack, for the one who writes it. */
export interface SkillFault {
  /** Relative to the skills folder or absolute; what an editor opens. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Snake_case, e.g. `unknown_step`. */
  readonly code: string;
  /** What is wrong, and what to do, in one or two sentences. */
  readonly message: string;
  /** The pack works in spite of a warning; absent is a fault, which keeps it from being loaded. */
  readonly severity?: 'warning';
}

/** How one test case of a pack came out. */
export interface SkillTestReport {
  readonly skillId: string;
  readonly version: string;
  readonly name: string;
  /** Relative to the pack's folder. */
  readonly file: string;
  readonly passed: boolean;
  /** What differed from what was expected, in words. */
  readonly differences: readonly string[];
  readonly run: SkillRun | null;
}

/** Where a request would go. */
export interface SkillRoute {
  readonly kind: 'run' | 'ask' | 'none';
  /** What decided: the triggers, the model, or the rule in place of a model that gave no answer. */
  readonly by: 'rule' | 'model' | 'fallback';
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** 1 to 10. */
  readonly complexity: number;
  readonly durationMs: number;
  /** What the triggers said, best first. */
  readonly ranked: readonly RankedSkill[];
  readonly skills?: readonly RankedSkill[];
  readonly mode?: 'parallel' | 'sequential';
  readonly question?: string;
  readonly options?: readonly { readonly id: string; readonly label: string }[];
}

/** What a skill is to reach, as its pack says; null where it does not. */
export interface SkillGoals {
  /** Milliseconds a run may take. */
  readonly targetMs: number | null;
  /** Milliseconds the same work takes people. */
  readonly baselineMs: number | null;
  /** 0 to 1. */
  readonly expectedAccuracy: number | null;
}

/** Figures of a skill over its runs, beside its goals. */
export interface SkillFigures extends SkillStats, SkillGoals {
  /** Milliseconds that a run saves against the baseline. */
  readonly savedMs: number | null;
  /** The goals that it misses. */
  readonly below: readonly ('time' | 'accuracy')[];
}

/** What `skill new` is asked for. */
export interface NewSkill {
  readonly id: string;
  readonly type: string;
  /** The skills folder; the first configured one where absent. */
  readonly dir?: string;
  /** A written procedure or resolved tickets, of which a draft of a decision tree is made. */
  readonly from?: { readonly kind: 'procedure' | 'tickets'; readonly text: string };
}

/** Whose skill is begun: what a company says of itself that its skill starts from. */
export interface SkillSubject {
  readonly languages: readonly string[];
  /** The customer's records that it looks at; null where a skill cannot ask what they are read from. */
  readonly records: {
    readonly entity: string;
    /** What one is called, and all of them, by language. */
    readonly noun: Readonly<Record<string, string>>;
    readonly label: Readonly<Record<string, string>>;
    /** The source, as skill.yaml names one. */
    readonly source: JsonObject;
    /** The statement that reads a customer's, and the columns of its rows; null where an expression makes the value. */
    readonly query: string;
    readonly key: string;
    readonly title: string | null;
    readonly status: string | null;
    /** What each status is called, by language. */
    readonly statuses: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** The change of one that may be recommended, with the input that takes it. */
    readonly change: { readonly action: string; readonly input: string } | null;
  } | null;
}

/** What `skill new` has written. */
interface NewSkillFiles {
  readonly files: readonly string[];
  /** Of a draft: who read the procedure or the tickets. */
  readonly draftedBy?: 'model' | 'rules';
  /** Of a draft by rules: why no model made it. */
  readonly reason?: string | null;
}

/** The tools of a pack's author. */
export interface SkillWorkbench {
  /** Every fault of a pack, of a folder of packs, or of all configured folders. */
  validate(path?: string): Promise<{ readonly packs: number; readonly faults: readonly SkillFault[] }>;
  /**
   * Runs the test cases of one skill, or of all, and stores their verdicts as the skills' accuracy.
   * @param options `online`: templates ask the configured model; they use their rules where absent
   * @throws HubError `skill_unknown`
   */
  test(skillId?: string, options?: { readonly online?: boolean }): Promise<readonly SkillTestReport[]>;
  /**
   * Rewrites the files of a pack, or of a folder of packs, in today's spelling; comments stay.
   * @returns the files that were written, by path
   * @throws HubError `input_invalid` where there is no pack
   */
  migrate(path: string): Promise<{ readonly files: readonly string[] }>;
  /** @throws HubError `input_invalid`, `already_done` (the folder exists) */
  create(skill: NewSkill): Promise<NewSkillFiles>;
  /** A tree or composite as Mermaid. @throws HubError `skill_unknown` */
  graph(skillId: string, version?: string): string;
  /** One run as Mermaid: its levels or steps, what they decided and took. @throws HubError `run_unknown`, `input_invalid` */
  graphRun(runId: string): Promise<string>;
  /** What experts wrote down about a skill's problem, as Markdown; null where nobody did. @throws HubError `skill_unknown` */
  knowledge(skillId: string, version?: string): string | null;
  route(request: SkillRequest): Promise<SkillRoute>;
  /** Of every skill and version that ever ran, also of those whose packs are gone. */
  stats(): Promise<readonly SkillFigures[]>;
  /** Runs that wait for a person, oldest first. */
  waiting(): Promise<readonly SkillRun[]>;
}

/** What takes the files of packs and nothing else: no database, no model. */
export interface SkillPacks extends Pick<SkillWorkbench, 'validate' | 'create' | 'graph' | 'migrate'> {
  /** The newest version of each skill that has no fault; deprecated ones come last. */
  list(): readonly SkillSummary[];
}
