import type { Deed } from '../../core/domain/guardrail.js';
import type { TimeFormat } from '../../core/i18n/index.js';
import type { StatementReader } from '../../core/ports/language-layer.js';
import { figuresIn } from './figures.js';
import { momentOf, type RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import { fold, tokensOf } from './tokens.js';

/** A row whose title is that of the record it belongs to, once that is known. */
type LinkedRow = RecordRow & { title: string | null };
type Row = Readonly<Record<string, unknown>>;

/** One thing of the customer's that an answer may speak of, with what has happened to it. */
export interface KnownRecord {
  /** Null where it is one of a kind, like the account. */
  readonly title: string | null;
  /** Folded words by which it is named, that name no other one. */
  readonly names: Set<string>;
  /** What its record says was done with it. */
  readonly deeds: Set<Deed>;
  /** What is under way with it. */
  readonly pending: Set<Deed>;
  /** Amounts (cents) and days (MM-DD) that belong to it. */
  readonly money: Set<number>;
  readonly days: Set<string>;
  /** Single words that its fields hold. */
  readonly values: Set<string>;
  /** Every word of its fields. */
  readonly words: Set<string>;
  /** Whether it is still to come; null where its record does not say. */
  readonly upcoming: boolean | null;
  /** Minutes of the day. */
  readonly times: Set<number>;
  /** True where a tool has done it in this turn. */
  readonly done: boolean;
}

interface Draft extends KnownRecord {
  /** Words of the place where it is. */
  readonly places: ReadonlySet<string>;
  upcoming: boolean | null;
  readonly ids: Set<string>;
}

/** What the fields of a row are written to. */
type Filled = Pick<
  KnownRecord,
  'title' | 'deeds' | 'pending' | 'money' | 'days' | 'times' | 'values' | 'words'
> & { upcoming: boolean | null };

/** A status may say two things: what is refunded is cancelled too. */
const ALSO = 0.25;
/** Of a name, as against a status or a time. */
const PLACE = /^\p{Lu}\p{L}/u;

/** Words that begin with a capital, and the small words between them. */
const TITLE =
  /(?!R\$)\p{Lu}[\p{L}'’-]*(?:[\s:-]+(?:(?:of|the|at|and|by|de|da|do|das|dos|e|na|no)\s)*(?!R\$)\p{Lu}[\p{L}'’-]*)*/gu;

/** The customer's records as this turn's tools have shown or changed them. */
export class RecordBook {
  readonly #drafts: Draft[] = [];
  readonly #loose: { readonly row: Row; readonly ids: ReadonlySet<string>; readonly list: string }[] = [];
  /** Each row that a tool has read, by itself. */
  readonly rows: LinkedRow[] = [];
  /** True where a tool says of something of which a customer has one that there is none: no subscription. */
  lacks = false;
  /** What a tool has done in this turn, by record. */
  readonly done = new Set<Deed>();
  #asked: readonly Draft[] = [];
  #titles: ReadonlySet<string> | null = null;

  /** Every word of every title. */
  get #titleWords(): ReadonlySet<string> {
    this.#titles ??= new Set(
      this.#drafts.flatMap(({ title }) => (title === null ? [] : [...wordsOf(title)])),
    );
    return this.#titles;
  }

  constructor(
    private readonly time: Pick<TimeFormat, 'local'>,
    private readonly statements: StatementReader,
    private readonly words: RecordWords,
    private readonly currency: string,
  ) {}

  get all(): readonly KnownRecord[] {
    return this.#drafts;
  }

  /** The records that the customer's own words name. */
  get asked(): readonly KnownRecord[] {
    return this.#asked;
  }

  /** Adds a tool's output. @param deeds what the tool has done, where it did something */
  add(result: unknown, deeds: readonly Deed[]): void {
    for (const deed of deeds) this.done.add(deed);
    this.#walk(result, 'result', deeds);
  }

  /** Links what belongs together. @param asked the customer's own words */
  finish(asked: string): this {
    for (const row of this.rows) row.title ??= this.#titleFor(row);
    for (const { row, ids, list } of this.#loose) {
      const owner = this.#drafts.find((draft) => [...ids].some((id) => draft.ids.has(id)));
      if (owner) this.#fill(owner, row, list);
    }
    const uses = new Map<string, Set<string>>();
    for (const { names, title } of this.#drafts) {
      for (const name of names) uses.set(name, (uses.get(name) ?? new Set()).add(title ?? ''));
    }
    for (const { names } of this.#drafts)
      for (const name of names) if ((uses.get(name)?.size ?? 0) > 1) names.delete(name);
    this.#asked = this.#namedIn(wordsOf(asked));
    return this;
  }

  /** Of the one record that a row belongs to by its ids. */
  #titleFor({ ids }: RecordRow): string | null {
    const owners = this.#drafts.filter(
      (draft) => draft.title !== null && ids.some((id) => draft.ids.has(id)),
    );
    return owners.length === 1 ? (owners[0]?.title ?? null) : null;
  }

  /** A text with each title of a record taken for one and the same name, and those titles in their order. */
  masked(text: string): { readonly text: string; readonly titles: readonly string[] } {
    const known = this.#titleWords;
    const titles: string[] = [];
    if (known.size === 0) return { text, titles };
    const masked = text.replace(TITLE, (run) => {
      // "Your Samba Night": a sentence begins with a capital too.
      const first = /^\p{L}+\s/u.exec(run)?.[0] ?? '';
      const lead = first !== '' && !known.has(fold(first.trim())) ? first : '';
      const title = run.slice(lead.length);
      if (!this.#namedIn(wordsOf(title)).some((one) => one.title !== null)) return run;
      titles.push(title);
      return `${lead}<x>`;
    });
    return { text: masked, titles };
  }

  /** The records that these words name. */
  named(words: ReadonlySet<string>): readonly KnownRecord[] {
    return this.#namedIn(words);
  }

  #namedIn(words: ReadonlySet<string>): readonly Draft[] {
    const named = this.#drafts.filter(({ names }) => [...names].some((name) => words.has(name)));
    if (named.length > 0) return named;
    // A city may be that of several; the one that is named most closely is meant.
    const count = ({ places }: Draft) => [...places].filter((name) => words.has(name)).length;
    const most = Math.max(...this.#drafts.map(count));
    return most > 0 ? this.#drafts.filter((draft) => count(draft) === most) : [];
  }

  #walk(value: unknown, key: string, deeds: readonly Deed[]): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#walk(item, key, deeds);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const row = value as Row;
    const title = this.words.titleIn(row);
    const kind = this.words.wordsOf(key);
    const ids = new Set(
      Object.entries(row).flatMap(([name, id]) => (/_id$/.test(name) && typeof id === 'string' ? [id] : [])),
    );
    if (deeds.length === 0) this.#addRow(row, key, title);
    const same =
      deeds.length === 0 &&
      this.#drafts.find((draft) => draft.title !== null && draft.title === title && !draft.done);
    if (same) {
      for (const id of ids) same.ids.add(id);
      this.#fill(same, row, key);
    } else if (title !== null || kind.length > 0 || deeds.length > 0 || ('status' in row && ids.size === 0)) {
      const draft: Draft = {
        title,
        names: title === null ? new Set(kind) : this.words.distinctive(title),
        places: title === null ? new Set() : this.#placesIn(row, title),
        words: new Set(),
        ids,
        deeds: new Set(deeds),
        pending: new Set(),
        values: new Set(),
        money: new Set(),
        days: new Set(),
        times: new Set(),
        upcoming: null,
        done: deeds.length > 0,
      };
      this.#drafts.push(draft);
      this.#fill(draft, row, key);
    } else if (ids.size > 0) this.#loose.push({ row, ids, list: key });
    for (const [name, inner] of Object.entries(row)) {
      if (inner === null && title === null && this.words.wordsOf(name).length > 0) this.lacks = true;
      if (typeof inner === 'object' && !(name === 'refund' && title !== null)) this.#walk(inner, name, []);
    }
  }

  /** Keeps a row with what it says itself: a refund within it is another one. */
  #addRow(row: Row, list: string, title: string | null): void {
    const { refund, ...own } = row;
    if (typeof refund === 'object' && refund !== null) this.#addRow(refund as Row, 'refund', title);
    const says = { deeds: new Set<Deed>(), pending: new Set<Deed>(), money: new Set<number>() };
    const [days, times, values, words] = [
      new Set<string>(),
      new Set<number>(),
      new Set<string>(),
      new Set<string>(),
    ];
    this.#fill({ title, ...says, days, times, values, words, upcoming: null }, own, list);
    const fields = Object.entries(own);
    const moments = fields.flatMap(
      ([field, value]) => momentOf(field, value, (at) => this.time.local(at)) ?? [],
    );
    const ids = fields.flatMap(([name, id]) => (/_id$/.test(name) && typeof id === 'string' ? [id] : []));
    const counts = new Map(
      fields.flatMap(([name, count]): [string, number][] =>
        typeof count === 'number' && !name.endsWith('_cents') ? [[name, count]] : [],
      ),
    );
    const flags = new Map(
      fields.filter((field): field is [string, boolean] => typeof field[1] === 'boolean'),
    );
    const told = fields.flatMap(([, text]) =>
      typeof text === 'string' && text !== title && /\d/.test(text) && !/^\S+$/.test(text)
        ? figuresIn(text, this.currency)
        : [],
    );
    this.rows.push({
      kind: this.words.nameOf(list),
      title,
      moments,
      words,
      ids,
      counts,
      flags,
      told,
      ...says,
    });
  }

  /** What else is said of a record by name: where it is, whatever its tool calls that. */
  #placesIn(row: Row, title: string): ReadonlySet<string> {
    const texts = Object.entries(row).flatMap(([key, text]) =>
      typeof text === 'string' && text !== title && !/_id$|^id$/.test(key) && PLACE.test(text) ? [text] : [],
    );
    return this.words.distinctive(texts.join(' '));
  }

  /** "Order: cancelled" is read like a sentence. */
  #state({ deeds, pending }: Pick<Draft, 'deeds' | 'pending'>, list: string, status: string): void {
    const kind = list.replace(/s$/, '');
    const { acts, deeds: of } = this.statements.read(
      `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: ${status}`,
    );
    const known = likeliest(acts) === 'pending' ? pending : deeds;
    for (const [deed, share] of Object.entries(of)) if (share > ALSO) known.add(deed as Deed);
  }

  /** What the fields of a row say of the record. */
  #fill(draft: Filled, row: Row, list: string): void {
    const { deeds, money, days, times } = draft;
    if (/^refunds?$/.test(list) && !('status' in row)) deeds.add('refund');
    if (list === 'upcoming') deeds.add('book');
    if (typeof row.upcoming === 'boolean') draft.upcoming = row.upcoming;
    for (const [name, value] of Object.entries(row)) {
      if (name === 'status' && typeof value === 'string') {
        this.#state(draft, list, value);
      }
      if (typeof value === 'string' && PLACE.test(value))
        for (const word of wordsOf(value)) draft.words.add(word);
      if (typeof value === 'string' && /^\p{L}+$/u.test(value)) draft.values.add(fold(value));
      if (name === 'is_blocked' && value === true) deeds.add('block');
      if (name === 'refunded_cents' && typeof value === 'number') deeds.add('refund');
      if (typeof value === 'number' && name.endsWith('_cents')) money.add(value);
      if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)) {
        const { day, minute } =
          value.length === 10 ? { day: value, minute: null } : this.time.local(new Date(value));
        days.add(day.slice(5));
        if (minute !== null) times.add(minute);
      }
      if (name === 'refund' && typeof value === 'object' && value !== null)
        this.#fill(draft, value as Row, 'refund');
    }
  }
}

/** The likeliest of several chances. */
function likeliest<Name extends string>(chances: Readonly<Record<Name, number>>): Name | undefined {
  return (Object.keys(chances) as Name[]).toSorted((one, other) => chances[other] - chances[one])[0];
}

function wordsOf(text: string): Set<string> {
  return new Set(tokensOf(text).map((token) => token.text));
}
