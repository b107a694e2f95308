import type { IssueType, Priority, Route } from './taxonomy.js';

/** Families of intents. */
export const INTENT_GROUPS = [
  'smalltalk',
  'knowledge',
  'account',
  'action',
  'symptom',
  'people',
  'out_of_scope',
] as const;
type IntentGroup = (typeof INTENT_GROUPS)[number];

/** What the hub knows about an intent before it has looked at anything else. */
export interface IntentInfo {
  readonly name: string;
  readonly group: IntentGroup;
  /** Issue type where the text itself says nothing more exact. */
  readonly issueType: IssueType;
  readonly route: Route;
  /** True where answering needs a verified customer. */
  readonly needsSignIn: boolean;
  /** The tool that does it or answers it; null where there is none. */
  readonly tool: string | null;
  /** What the tool is called with whatever the message says. */
  readonly args: Readonly<Record<string, string | number | boolean>>;
  /** Inputs of the tool that the message may give, and what is read from it: a number of days, the later day of the start. */
  readonly slots: Readonly<Record<string, 'days' | 'start'>>;
  /**
   * The intent that is meant where a record of another entity is named, or, where no tool does what is asked for, whose change
   * is offered in its place; null where there is none.
   */
  readonly instead: string | null;
  /** What of the company's it is about; null where it is about none. */
  readonly entity: string | null;
  /** Regular expressions over text without accents and case that ask for it by themselves, unless the model is sure of another. */
  readonly asked: readonly string[];
  /** True where no sentences teach it, and what it asks for is read by rule: what should hold from now on. */
  readonly byRule?: boolean;
  /** Intents that a clause beside it is mostly taken for, being part of it. */
  readonly covers: readonly string[];
  /** True where no tool does it, so that the help centre says how the customer does it. */
  readonly selfService: boolean;
  /** How soon somebody must act, where the group does not say it. */
  readonly priority: Priority | null;
  /** True where it is urgent in haste, or where it is about today. */
  readonly pressing: boolean;
  /** When it is raised to high because it is about today. */
  readonly today: 'always' | 'problem' | 'never';
}

/** The intents that a hub tells apart: the engine's own and the company's. */
export interface IntentTable {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** @throws Error where there is none of that name */
  of(name: string): IntentInfo;
}

/** Makes the table of intents. */
export function createIntentTable(intents: readonly IntentInfo[]): IntentTable {
  const byName = new Map(intents.map((intent) => [intent.name, intent]));
  return {
    names: [...byName.keys()],
    has: (name) => byName.has(name),
    of(name) {
      const found = byName.get(name);
      if (!found) throw new Error(`There is no intent "${name}"`);
      return found;
    },
  };
}
