import {
  type Clause,
  has,
  isAt,
  LEDGER,
  type RecordLexicon,
  type RecordSentence,
  unique,
  type Value,
} from './record-parts.js';
import type { RecordRow } from './record-rows.js';

/** An hour this near to a day is of that day. */
const BESIDE = 24;
/** Which fields say what of a record, by the words that stand in their names. */
const FIELDS: Readonly<Record<string, RegExp>> = {
  begin: /start|creat|since|begin|open/,
  end: /end|until|expire|resume|clos/,
  renew: /reset|renew|next/,
};

/** True where each day, hour, amount and place of a sentence is of the record that it stands with. */
export function isPlaced(said: RecordSentence, lexicon: RecordLexicon): boolean {
  return new Placement(said, lexicon).holds();
}

class Placement {
  constructor(
    private readonly said: RecordSentence,
    private readonly lexicon: RecordLexicon,
  ) {}

  holds(): boolean {
    const {
      values,
      mentions,
      clauses,
      titles,
      sentence: { text, from: start },
    } = this.said;
    const known = values.filter(
      (value) => value.kind !== 'money' || this.lexicon.rows.some((row) => has(row, value)),
    );
    if (titles.length < 2) return this.#isOfOne(known);
    const colon = text.indexOf(':');
    const head = colon === -1 ? -1 : start + colon;
    const isShared = (value: Value): boolean => {
      if (value.kind === 'money') return false;
      const [first] = mentions;
      if (head > value.from && first && first.from > head) return true;
      // "In February you went to A and B": nothing else says when.
      const isAlone = known.every((one) => one === value || one.kind !== value.kind);
      if (first && value.from < first.from && value.kind === 'month' && isAlone) return true;
      const clause = clauses.find(({ from, to }) => value.from >= from && value.from < to);
      return (
        clause?.tokens.some(
          ({ text: word, from }) => from < value.from && this.lexicon.sense.isEvery(word),
        ) === true
      );
    };
    const shared = known.filter(isShared);
    if (!shared.every((value) => titles.every((title) => this.#titleHas(title, value)))) return false;
    const single = known.filter((value) => !shared.includes(value));
    return [1, -1].some((side) =>
      single.every((value) => {
        const near =
          side === 1
            ? mentions.findLast(({ from }) => from < value.from)
            : mentions.find(({ from }) => from > value.from);
        const edge = side === 1 ? mentions[0] : mentions.at(-1);
        const { title } = near ?? edge ?? { title: '' };
        return this.#titleHas(title, value) && this.#isPaired(value, single, title);
      }),
    );
  }

  #titleHas(title: string, value: Value): boolean {
    return this.lexicon.rows.some((row) => row.title === title && this.#isOf(row, value) && has(row, value));
  }

  /** A day is that of the thing itself, where nothing is said of what was paid for it. */
  #isOf({ kind }: RecordRow, value: Value): boolean {
    return value.kind === 'money' || !LEDGER.has(kind) || this.said.about.some((one) => LEDGER.has(one));
  }

  /** An hour is of the day beside it. */
  #isPaired(value: Value, values: readonly Value[], title: string | null, rows = this.lexicon.rows): boolean {
    if (value.kind !== 'time') return true;
    const days = values.filter(
      ({ kind, from }) => (kind === 'date' || kind === 'day') && Math.abs(from - value.from) <= BESIDE,
    );
    return (
      days.length === 0 ||
      rows.some(
        (row) =>
          (title === null || row.title === title) &&
          row.moments.some((moment) => isAt(moment, value) && days.some((day) => isAt(moment, day))),
      )
    );
  }

  /** Values of a sentence that names one record or none. */
  #isOfOne(values: readonly Value[]): boolean {
    const { titles, clauses, spoken } = this.said;
    const own = titles.length > 0 ? titles : spoken.titles;
    return clauses.every((clause) => {
      const inside = values.filter(({ from }) => from >= clause.from && from < clause.to);
      if (inside.length === 0) return true;
      const kinds = unique(clause.tokens.flatMap(({ text }) => this.lexicon.kindsOf(text)));
      const isNamed = clause.tokens.some(({ text }) => this.lexicon.titleOf(text) !== undefined);
      const wanted = kinds.length > 0 ? kinds : isNamed ? [] : spoken.kinds;
      const ofKind = (row: RecordRow) =>
        wanted.length === 0 || wanted.includes(row.kind) || (isNamed && !LEDGER.has(row.kind));
      const pool = this.lexicon.rows.filter(ofKind);
      const ofTitle = own.length > 0 ? pool.filter(({ title }) => title !== null && own.includes(title)) : [];
      const fits = (rows: readonly RecordRow[]) =>
        inside.every(
          (value) =>
            rows.some((row) => this.#says(row, value, clause)) && this.#isPaired(value, inside, null, rows),
        ) && this.#isOneRow(inside, rows);
      if (ofTitle.length > 0 && fits(ofTitle)) return true;
      if (isNamed) return false;
      if (wanted.length > 0)
        return fits(titles.length > 0 ? pool.filter(({ title }) => title === null) : pool);
      // Nothing says what it is about: then two things have to tell one record.
      return inside.length > 1 && this.lexicon.rows.some((row) => fits([row]));
    });
  }

  /** One day and one amount are of one row, or of one title. */
  #isOneRow(values: readonly Value[], rows: readonly RecordRow[]): boolean {
    const places = values.filter(({ kind }) => kind === 'place');
    const told = values.filter(({ kind }) => kind === 'place' || kind === 'date');
    const isOne = told.filter(({ kind }) => kind === 'date').length < 2;
    const together = isOne ? told : places;
    if (places.length > 0 && !rows.some((row) => together.every((one) => has(row, one)))) return false;
    const [days, amounts] = [
      values.filter(({ kind }) => kind === 'date'),
      values.filter(({ kind }) => kind === 'money'),
    ];
    const [day, amount] = [days[0], amounts[0]];
    if (days.length !== 1 || amounts.length !== 1 || !day || !amount) return true;
    return rows.some(
      (row) =>
        has(row, day) &&
        rows.some(
          (other) =>
            (other === row || (row.title !== null && other.title === row.title)) && has(other, amount),
        ),
    );
  }

  /** A day is of the field that is named before it. */
  #says(row: RecordRow, value: Value, { tokens }: Clause): boolean {
    if (!has(row, value) || !this.#isOf(row, value)) return false;
    if (value.kind !== 'date' || LEDGER.has(row.kind)) return true;
    const field = tokens.findLast(
      ({ text, from }) => from < value.from && this.lexicon.sense.momentOf(text) !== null,
    );
    const named = field ? FIELDS[this.lexicon.sense.momentOf(field.text) ?? ''] : undefined;
    if (named === undefined || row.title !== null) return true;
    return row.moments.some((moment) => isAt(moment, value) && named.test(moment.field));
  }
}
