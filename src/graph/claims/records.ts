import type { Deed } from '../../core/domain/deed.js';
import type { TimeFormat } from '../../core/i18n/index.js';
import { deedOf } from './lexicon.js';
import { fold, tokensOf } from './tokens.js';

type Row = Readonly<Record<string, unknown>>;

/** One thing of the customer's that an answer may speak of, with what has happened to it. */
export interface KnownRecord {
  /** Folded words by which it is named, that name no other one. */
  readonly names: Set<string>;
  /** What its record says was done with it. */
  readonly deeds: Set<Deed>;
  /** Amounts (cents) and days (MM-DD) that belong to it. */
  readonly money: Set<number>;
  readonly days: Set<string>;
  /** Minutes of the day. */
  readonly times: Set<number>;
  /** True where a tool has done it in this turn. */
  readonly done: boolean;
}

interface Draft extends KnownRecord {
  readonly title: string | null;
  readonly ids: Set<string>;
}

const TITLE_KEYS = ['title', 'experience', 'name', 'for'] as const;
/** Records that have no title are called by these. */
const KINDS: Readonly<Record<string, string>> = {
  subscription: 'subscription plan membership assinatura plano mensalidade',
  user: 'account profile conta perfil cadastro',
  customer: 'account profile conta perfil cadastro',
};
/** Words that name no single record. */
const COMMON = new Set(
  'the and for with night evening music show concert festival tour guided visit session subscription noite com para uma dos das sao rio art dance film house teatro theatre theater one two'.split(
    ' ',
  ),
);

/** The customer's records as this turn's tools have shown or changed them. */
export class RecordBook {
  readonly #drafts: Draft[] = [];
  readonly #loose: { readonly row: Row; readonly ids: ReadonlySet<string>; readonly list: string }[] = [];
  /** What a tool has done in this turn, by record. */
  readonly done = new Set<Deed>();
  #asked: readonly Draft[] = [];

  constructor(private readonly time: TimeFormat) {}

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
    this.#asked = this.#namedIn(new Set(tokensOf(asked).map(({ text }) => text)));
    return this;
  }

  /** The records that these words name. */
  named(words: ReadonlySet<string>): readonly KnownRecord[] {
    return this.#namedIn(words);
  }

  #namedIn(words: ReadonlySet<string>): readonly Draft[] {
    return this.#drafts.filter(({ names }) => [...names].some((name) => words.has(name)));
  }

  #walk(value: unknown, key: string, deeds: readonly Deed[]): void {
    if (Array.isArray(value)) {
      for (const item of value) this.#walk(item, key, deeds);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const row = value as Row;
    const title = TITLE_KEYS.map((name) => row[name]).find((name) => typeof name === 'string');
    const kind = KINDS[key];
    const ids = new Set(
      Object.entries(row).flatMap(([name, id]) => (/_id$/.test(name) && typeof id === 'string' ? [id] : [])),
    );
    const same =
      deeds.length === 0 &&
      this.#drafts.find((draft) => draft.title !== null && draft.title === title && !draft.done);
    if (same) {
      for (const id of ids) same.ids.add(id);
      this.#fill(same, row, key);
    } else if (typeof title === 'string' || kind !== undefined || deeds.length > 0) {
      const draft: Draft = {
        title: typeof title === 'string' ? title : null,
        names:
          typeof title === 'string'
            ? nameWords(title, row)
            : new Set(
                (kind ?? ('status' in row ? KINDS.subscription : '') ?? '')
                  .split(' ')
                  .filter((name) => name !== ''),
              ),
        ids,
        deeds: new Set(deeds),
        money: new Set(),
        days: new Set(),
        times: new Set(),
        done: deeds.length > 0,
      };
      this.#drafts.push(draft);
      this.#fill(draft, row, key);
    } else if (ids.size > 0) this.#loose.push({ row, ids, list: key });
    for (const [name, inner] of Object.entries(row)) {
      if (typeof inner === 'object' && !(name === 'refund' && typeof title === 'string'))
        this.#walk(inner, name, []);
    }
  }

  /** What the fields of a row say of the record. */
  #fill(draft: Draft, row: Row, list: string): void {
    const { deeds, money, days, times } = draft;
    const isRefund = /^refunds?$/.test(list);
    if (isRefund) deeds.add('refund');
    if (list === 'upcoming') deeds.add('book');
    for (const [name, value] of Object.entries(row)) {
      if (name === 'status' && typeof value === 'string') {
        const deed = deedOf(fold(value));
        if (deed !== null) deeds.add(deed);
      }
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

function nameWords(title: string, row: Row): Set<string> {
  const place = typeof row.location === 'string' ? row.location : '';
  const words = tokensOf(`${title} ${place}`).map(({ text }) => text);
  return new Set(words.filter((word) => word.length > 3 && !COMMON.has(word)));
}
