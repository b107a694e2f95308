/** By language. */
export type Translated = Readonly<Record<string, string>>;

/** What the server says of the company in the head of each page. */
interface CompanyFacts {
  /** As customers know it. */
  readonly name: string;
  /** In its order of preference. */
  readonly languages: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
  /** IANA. */
  readonly time_zone: string;
  /** False where the hub looks at no customer's account, so that nobody needs to sign in. */
  readonly accounts: boolean;
  /** How people call its time zone. */
  readonly time_zone_name: Translated;
  /** What customers read in an empty conversation, and what they may ask with one press. */
  readonly welcome: {
    readonly text: Translated;
    readonly starters: Readonly<Record<string, readonly string[]>>;
  } | null;
  /** Its colour as `#rrggbb`, and the address of its picture; null where they are the pages' own. */
  readonly brand: { readonly color: string | null; readonly logo: string | null };
  /** How questions end for those who have no buttons: "Please answer yes or no." */
  readonly answer_in_words: readonly string[];
  readonly issue_types: Readonly<Record<string, Translated>>;
  /** The teams of the desk; none where everybody does everything. */
  readonly teams: Readonly<Record<string, Translated>>;
  /** Of tools: `label` is what it is called, `activity` what the hub is doing while it runs. */
  readonly tools: Readonly<Record<string, { readonly label: Translated; readonly activity: Translated }>>;
  /** What the arguments of tools are called. */
  readonly arguments: Readonly<Record<string, Translated>>;
  /** What the records of each entity are called. */
  readonly entities: Readonly<Record<string, Translated>>;
  /** Titles of skills, by id. */
  readonly skills: Readonly<
    Record<string, { readonly title: string; readonly titles: Readonly<Record<string, string>> }>
  >;
}

const NO_COMPANY: CompanyFacts = {
  name: '',
  languages: [],
  currency: 'USD',
  time_zone: 'UTC',
  accounts: true,
  time_zone_name: {},
  welcome: null,
  brand: { color: null, logo: null },
  answer_in_words: [],
  issue_types: {},
  teams: {},
  tools: {},
  arguments: {},
  entities: {},
  skills: {},
};

function written(): CompanyFacts {
  const content = document.querySelector<HTMLMetaElement>('meta[name="hub-company"]')?.content ?? '';
  // A page that Vite serves itself has nobody's facts in its head.
  return content.startsWith('{') ? { ...NO_COMPANY, ...(JSON.parse(content) as CompanyFacts) } : NO_COMPANY;
}

/** The company whose hub this is. */
export const COMPANY = written();
