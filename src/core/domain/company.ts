import type { EntityWords } from './entity.js';
import type { IssueType, Language, Translated } from './taxonomy.js';

/** One of the things that tickets of a company are about. */
export interface IssueTypeProfile {
  /** As stored, in the API and in reports. */
  readonly id: IssueType;
  readonly label: Translated;
  /** What belongs to it, in a few words, for the model that triages; null where the id says it. */
  readonly about: string | null;
  /** What an operator asks the customer first. */
  readonly ask: Translated;
  /** What an operator may do about it beside what every ticket allows; null where there is nothing. */
  readonly option: Translated | null;
  /** True where the help centre explains what to do, so that no record is looked up for a symptom of it. */
  readonly explained: boolean;
  /** True where questions about it are answered by looking up what is on offer, not by articles alone. */
  readonly offered: boolean;
  /** Why every ticket about it goes to an operator; null where it need not. */
  readonly escalates: 'legal' | 'requires_human' | null;
  /** True of the one that is meant where no other fits. */
  readonly otherwise: boolean;
}

/** Who the hub answers for: what every surface, prompt and card says of the company. */
export interface CompanyProfile {
  /** As customers know it. */
  readonly name: string;
  /** What it is, after its name and a comma: "a Brazilian subscription for museums". */
  readonly about: Translated;
  /** In the order of preference. */
  readonly languages: readonly Language[];
  /** IANA name; what "today" and "Thursday" mean. */
  readonly timeZone: string;
  /** How people call that zone: "Brasília time". */
  readonly timeZoneName: Translated;
  /** ISO 4217. */
  readonly currency: string;
  /** What customers read in an empty conversation, and what they may ask with one press; null where it is the pages'. */
  readonly welcome: {
    readonly text: Translated;
    readonly starters: Readonly<Record<Language, readonly string[]>>;
  } | null;
  /** How its pages look. */
  readonly brand: CompanyBrand;
  /** How customers speak of its records. */
  readonly records: readonly EntityWords[];
  /** In the order in which reports list them. */
  readonly issueTypes: readonly IssueTypeProfile[];
  /** The teams of its desk; none where everybody does everything. */
  readonly teams: readonly TeamProfile[];
  /** What its agents do, by their names, in English; the engine says it of those that are absent. */
  readonly agents: Readonly<Record<string, AgentWords>>;
  /** Its own words for prompts of the engine, by their names; the engine's where absent. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** What of the engine and of its own it does not use, by name. */
  readonly off: SwitchedOff;
}

/** Agents and tools that a company has not on: nothing leads to them, and nobody is told of them. */
export interface SwitchedOff {
  readonly agents: readonly string[];
  readonly tools: readonly string[];
}

/** How the pages of a company look; what it has not said is the pages' own. */
interface CompanyBrand {
  /** As in CSS, `#rrggbb`. */
  readonly color: string | null;
  /** Absolute path of an SVG or PNG. */
  readonly logo: string | null;
}

/** Operators who take the tickets of some issue types. */
export interface TeamProfile {
  readonly id: string;
  readonly label: Translated;
  /** A ticket about one of these is the team's, unless it was given to another. */
  readonly issueTypes: readonly IssueType[];
}

/** What one agent does. */
interface AgentWords {
  /** For the supervisor and for other programs, in a sentence. */
  readonly description: string;
  /** Which requests it takes, in a few words, for triage. */
  readonly takes?: string | undefined;
}

/** The issue type of an id; the one for everything else where the company has none of that id. */
export function issueTypeOf(
  { issueTypes }: Pick<CompanyProfile, 'issueTypes'>,
  id: string,
): IssueTypeProfile {
  const found = issueTypes.find((type) => type.id === id) ?? issueTypes.find((type) => type.otherwise);
  if (!found) throw new Error('The company has no issue type for what fits no other');
  return found;
}

/** The team that takes a ticket by the company's rules; null where no team does. */
export function teamFor(
  { teams }: Pick<CompanyProfile, 'teams'>,
  issueType: IssueType | undefined,
): TeamProfile | null {
  return teams.find(({ issueTypes }) => issueType !== undefined && issueTypes.includes(issueType)) ?? null;
}

/** The ids of a company's issue types, in its order. */
export function issueTypeIds({ issueTypes }: Pick<CompanyProfile, 'issueTypes'>): readonly IssueType[] {
  return issueTypes.map(({ id }) => id);
}
