import type { Deed } from '../../core/domain/deed.js';
import { ADVERBS, BREAKS, ENGLISH_PAST, HEDGES, NO_PARTICIPLE, REL } from './grammar-words.js';
import { deedOf, IRREGULAR_PAST, NEGATIONS, REPORTING, SUBORDINATORS } from './lexicon.js';
import type { Token } from './tokens.js';

/** `done`: the hub did it. `happened`: it was done. `promise`: somebody will do it. */
export type SpeechAct = 'done' | 'happened' | 'promise';

const PORTUGUESE = new Set(
  'o os que para pra com seu sua da do na no um uma de e em voce se por aqui ja tudo'.split(' '),
);

/** What a sentence claims beyond what it describes. */
export interface Claim {
  readonly act: SpeechAct;
  /** Null where the verb is none of the known deeds. */
  readonly deed: Deed | null;
  /** The verb, folded. */
  readonly verb: string;
  /** `own`: of the customer's own matter, and past; `state`: a state or a habit, as rules describe them too. */
  readonly said: 'own' | 'state' | null;
}

/** The words of one sentence in their clauses, and the claims that were found in it. */
export class Clauses {
  protected readonly claims: Claim[] = [];
  /** Where the clause of each word begins. */
  protected readonly starts: number[] = [];
  /** Words in a condition, a time or a description, which claim nothing by themselves. */
  protected readonly subordinate: boolean[] = [];

  protected readonly portuguese: boolean;

  /** Under a condition, or one of several that may be. */
  protected readonly conditional: boolean;

  constructor(
    protected readonly tokens: readonly Token[],
    protected readonly plain: string,
  ) {
    let start = 0;
    let subordinate = false;
    tokens.forEach((token, at) => {
      if (BREAKS.has(token.text)) {
        start = at + 1;
        if (token.text !== 'and' && token.text !== 'e' && token.text !== '-') subordinate = false;
      }
      if (this.opensSubordinate(at)) subordinate = true;
      this.starts[at] = start;
      this.subordinate[at] = subordinate;
    });
    this.portuguese = tokens.some(({ text, accent }) => accent || PORTUGUESE.has(text));
    this.conditional = this.subordinate.includes(true) || tokens.some(({ text }) => HEDGES.has(text));
  }

  protected word(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  /** As it is written, with its accents. */
  protected written(at: number): string {
    const token = this.tokens[at];
    return token ? this.plain.slice(token.from, token.to).toLowerCase() : '';
  }

  protected opensSubordinate(at: number): boolean {
    const [word, before, next] = [this.word(at), this.word(at - 1), this.word(at + 1)];
    if (REL.has(word)) return !REPORTING.has(before) && at > 0;
    if (word === 'as' && (next === 'soon' || next === 'long')) return true;
    if ((word === 'assim' || word === 'logo' || word === 'sempre') && next === 'que') return true;
    // "O caso" is a thing, "caso" a condition.
    if (word === 'caso' && /^(?:o|seu|um|este|esse|no|do|cada|ao)$/.test(before)) return false;
    return SUBORDINATORS.has(word);
  }

  protected add(act: SpeechAct, verb: string, at: number, said: Claim['said'] = null): void {
    if (this.isNegated(at)) return;
    if (act !== 'promise' && this.subordinate[at]) return;
    this.claims.push({ act, deed: deedOf(verb.replace(/^\w+:/, '')), verb, said });
  }

  protected isNegated(at: number): boolean {
    for (let back = at - 1; back >= (this.starts[at] ?? 0); back -= 1)
      if (NEGATIONS.has(this.word(back))) return true;
    return false;
  }

  protected skip(at: number): number {
    let to = at;
    while (ADVERBS.has(this.word(to))) to += 1;
    return to;
  }

  protected isPast(word: string): boolean {
    return (
      (word.endsWith('ed') && !NO_PARTICIPLE.has(word)) || IRREGULAR_PAST.has(word) || ENGLISH_PAST.has(word)
    );
  }
}
