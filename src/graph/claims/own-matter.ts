import { DeedGrammar } from './deed-grammar.js';
import { ADVERBS, ENGLISH_PAST, NEUTRAL, RECENT } from './grammar-words.js';
import { deedOf, PEOPLE } from './lexicon.js';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const YOURS = words('your yours seu seus sua suas teu teus tua tuas');
/** May stand between a clause's first word and "your" where that begins its subject. */
const OPENS = words(
  'the a an o os as um uma this that esse essa este esta new novo nova on of for in to with de do da em no na ao para pra',
);
const IS = words('is are s re stands stand sits sit esta estao ta tao encontra encontram');
const HAS = words('has have had ve');
const WAS = words('was were got went foi foram ficou ficaram');
/** Says that a state is a new one. */
const NEWLY = words('now already officially just agora agorinha ja');
const FROM_NOW = /as of (?:now|today|this)|effective (?:now|immediately)|from now on|a partir de agora/;
/** No change: "your reservations are unaffected". */
const UNCHANGED = /^un(?!lock|block|do|fro)/;
const RESULT = /^(?:back|off|in|through|over|ready|live|free|clear|open|pront[oa]s?|livres?|certinh[oa]s?)$/;
/** What becomes of somebody without an act of theirs. */
const BECOMES = words('got gets moved jumped went passou subiu ficou ganhou voltou virou entrou avancou');
const PAST_PT = /^\p{L}{2,}(?:ou|eu|iu|aram|eram|iram)$/u;
/** Said of a person towards somebody, no more than a manner. */
const KIND = words(
  'happy glad here able available open ready back on in at the a not disponivel aqui pronta pronto feliz por em no na',
);
/** So many words a subject has at most. */
const SUBJECT = 12;
/** Third persons of the past end like these words that are none. */
const NO_PAST =
  /^(?:[mst]?eu|[sv]?ou|est?ou|dou|museu|europeu|ateu|liceu|coliseu|para|compara|prepara|lou|rio|brasil)$/;

/**
 * What a sentence says of the customer's own matter, by who it is about and in which tense, whatever the verb: "yours
 * cleared our side", "the lock on your profile is gone", "o seu saiu daqui".
 */
export class OwnMatter extends DeedGrammar {
  protected ownMatter(word: string, at: number): void {
    if (YOURS.has(word) && this.opensSubject(at)) this.predicate(at);
    this.passiveYou(word, at);
    this.recent(word, at);
    this.newState(at);
    if (IS.has(word) && FROM_NOW.test(this.plain.slice(this.tokens[at]?.to).toLowerCase()))
      this.own(this.skip(at + 1));
    this.people(word, at);
    this.peopleDid(word, at);
  }

  /** "Your", or "the lock on your", at the beginning of a clause. */
  private opensSubject(at: number): boolean {
    const start = this.starts[at] ?? 0;
    if (at - start > 5) return false;
    let nouns = 0;
    for (let back = start; back < at; back += 1) {
      if (this.isPast(this.word(back))) return false;
      if (!OPENS.has(this.word(back))) nouns += 1;
    }
    return nouns === 0 || (nouns <= 2 && OPENS.has(this.word(at - 1)) && OPENS.has(this.word(start)));
  }

  /** The first predicate after the subject. */
  private predicate(at: number): void {
    for (let next = at + 1; next <= at + SUBJECT && this.starts[next] === this.starts[at]; next += 1) {
      const word = this.word(next);
      if (IS.has(word)) {
        this.state(next);
        return;
      }
      if (HAS.has(word) || WAS.has(word)) {
        const verb = this.skip(next + 1);
        if (this.isParticiple(this.word(verb))) this.own(verb);
        return;
      }
      if (this.isFinite(word, next)) {
        this.own(next);
        return;
      }
      if (
        /^(?:will|can|may|must|would|could|should|pode|podem|vai|vao|deve|e|sao|s)$/.test(word) &&
        !this.tokens[next]?.capital
      )
        return;
    }
  }

  /** "is gone", "is active as of now", "encontra-se liberado". */
  private state(at: number): void {
    let verb = at + 1;
    while (ADVERBS.has(this.word(verb)) && this.word(verb) !== 'gone') verb += 1;
    const clause: string[] = [];
    for (let next = at + 1; this.starts[next] === this.starts[at] && next < this.tokens.length; next += 1)
      clause.push(this.word(next));
    const newly = clause.some((one) => NEWLY.has(one)) || FROM_NOW.test(clause.join(' '));
    const form = this.word(verb);
    if (newly && /^\p{L}/u.test(form)) this.own(verb);
    else if ((this.isParticiple(form) && !NEUTRAL.has(form) && !UNCHANGED.test(form)) || RESULT.test(form))
      this.add('happened', form, verb, 'state');
  }

  private isCase(): boolean {
    return this.tokens.some(({ text }) =>
      /^(?:if|once|when|after|until|se|quando|depois|apos|ate)$/.test(text),
    );
  }

  private end(at: number): void {
    this.claims.push({ act: 'happened', deed: 'cancel', verb: this.word(at), said: 'own' });
  }

  private own(verb: number): void {
    const word = this.word(verb);
    if (!this.isModal(verb)) this.add('happened', word, verb, 'own');
  }

  private isModal(at: number): boolean {
    for (let back = at - 1; back >= (this.starts[at] ?? 0) && back >= at - SUBJECT; back -= 1)
      if (
        /^(?:can|could|may|might|would|should|must|will|pode|podem|poderia|deve|vai)$/.test(this.word(back))
      )
        return true;
    return false;
  }

  private isParticiple(word: string): boolean {
    return this.isPast(word) || /(?:ad|id|eit|ert|st|post)(?:inh)?[oa]s?$/.test(word);
  }

  /** A past tense that stands by itself, no adjective before a noun. */
  private isFinite(word: string, at: number): boolean {
    if (NO_PAST.test(word)) return false;
    if (PAST_PT.test(word)) return true;
    if (!(ENGLISH_PAST.has(word) || (word.endsWith('ed') && this.isPast(word)))) return false;
    const next = this.word(at + 1);
    return (
      next === '' ||
      !/^\p{L}/u.test(next) ||
      /^(?:the|a|an|our|your|to|from|on|in|at|this|through|by|up|off|out|over|into|down|back|today|yesterday|just|last|for|it|and)$/.test(
        next,
      )
    );
  }

  /** "You've been moved", "você foi reembolsado", "você ficou na sessão". */
  private passiveYou(word: string, at: number): void {
    if (word !== 'you' && word !== 'voce' && word !== 'vc') return;
    const next = this.skip(at + 1);
    const first = this.word(next);
    const verb = this.skip(next + 1);
    // "You're no longer a subscriber", "você já não é mais assinante": what has ended is a deed too.
    const ended = [0, 1, 2].map((step) => this.word(next + step)).join(' ');
    if (/^(?:re|are) no longer$|^nao (?:e|esta) mais$/.test(ended) && !this.isCase()) this.end(next);
    if (this.conditional) return;
    if (BECOMES.has(first) && this.word(next + 1) !== 'de') this.own(next);
    else if ((first === 'been' || WAS.has(first)) && this.isParticiple(this.word(verb))) this.own(verb);
    else if (
      (first === 're' || first === 'are') &&
      /^(?:free|back|next|first|clear|live)$/.test(this.word(verb))
    )
      this.add('happened', this.word(verb), verb, 'state');
  }

  /** "The block is off now": a thing that was spoken of is in a new state. */
  private newState(at: number): void {
    const start = this.starts[at] ?? 0;
    if (!IS.has(this.word(at)) || this.conditional || at - start > 4) return;
    if (!['the', 'o', 'a'].includes(this.word(start))) return;
    const near = [1, 2, 3].map((step) => this.word(at + step));
    const form = near.find((one) => !NEWLY.has(one)) ?? '';
    if (near.some((one) => NEWLY.has(one)) && (RESULT.test(form) || this.isParticiple(form)))
      this.own(at + 1 + near.indexOf(form));
  }

  /** "signed it off a minute ago", "saiu agorinha": just happened. */
  private recent(word: string, at: number): void {
    if (!RECENT.has(word) || this.conditional) return;
    for (let back = at - 1; back >= (this.starts[at] ?? 0); back -= 1) {
      const verb = this.word(back);
      if (['you', 'voce', 'vc'].includes(this.word(back - 1))) continue;
      if (
        ENGLISH_PAST.has(verb) ||
        (verb.endsWith('ed') && this.isPast(verb)) ||
        (PAST_PT.test(verb) && !NO_PAST.test(verb))
      ) {
        this.own(back);
        return;
      }
    }
  }

  /** "A equipe reavaliou o caso": what people did, whatever it was. */
  private peopleDid(word: string, at: number): void {
    if (!PEOPLE.has(word) || word === 'gente' || this.conditional) return;
    const verb = this.skip(at + 1);
    if (PAST_PT.test(this.word(verb)) && !NO_PAST.test(this.word(verb)) && !NEUTRAL.has(this.word(verb)))
      this.own(verb);
  }

  /** "They're fine with paying you", "a equipe está de acordo com o seu pedido": what people think of it. */
  private people(word: string, at: number): void {
    if (
      !PEOPLE.has(word) ||
      !['is', 'are', 're', 's', 'esta', 'estao'].includes(this.word(this.skip(at + 1)))
    )
      return;
    const be = this.skip(at + 1);
    const how = this.word(be + 1);
    if (this.conditional || KIND.has(how) || !/^\p{L}/u.test(how) || /ing$|ndo$/.test(how)) return;
    const rest = this.tokens.slice(be + 2, be + 2 + SUBJECT).map(({ text }) => text);
    if (rest.some((one) => one === 'you' || YOURS.has(one)))
      this.add('happened', deedOf(how) === null ? how : 'approved', be + 1, 'own');
  }
}
