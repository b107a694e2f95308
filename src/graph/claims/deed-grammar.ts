import { Clauses } from './clauses.js';
import {
  DETERMINERS,
  ENGLISH_PAST,
  FIRST_PAST,
  LOOKS,
  MODALS,
  NEUTRAL,
  NO_PARTICIPLE,
  PAST_REI,
  PROGRESSIVE,
  RESULT_DEEDS,
} from './grammar-words.js';
import { deedOf, HARMLESS, IRREGULAR_PAST, PEOPLE } from './lexicon.js';

/** By which words the hub or somebody says that a thing was done. */
export class DeedGrammar extends Clauses {
  /** "I've cancelled", "went ahead and moved", "I'm connecting you"; "cancelei", "acabei de processar". */
  protected firstPerson(word: string, at: number): void {
    if (word === 'i' || word === 'we') {
      if (
        DETERMINERS.has(this.word(at - 2)) ||
        ['what', 'everything', 'anything'].includes(this.word(at - 1))
      )
        return;
      const verb = this.skip(at + 1);
      const form = this.word(verb);
      if (['am', 'm', 'are', 're'].includes(form)) {
        const going = this.word(this.skip(verb + 1));
        if (PROGRESSIVE.has(going)) this.add('done', going, verb);
        if (going === 'going' && this.word(verb + 2) === 'to') this.add('promise', this.word(verb + 3), verb);
        return;
      }
      if (form === 'was' && this.word(verb + 1) === 'able') {
        this.add('done', this.word(verb + 3), verb);
        return;
      }
      if (form === 'got' && ['you', 'your', 'it'].includes(this.word(verb + 1))) {
        this.add('done', form, verb);
        return;
      }
      if (form === 'took' || form === 'taken') {
        this.add('done', 'settled', verb);
        return;
      }
      if (this.isPast(form) && !HARMLESS.has(form)) this.add('done', form, verb);
      return;
    }
    if (
      at === (this.starts[at] ?? 0) &&
      PROGRESSIVE.has(word) &&
      ['you', 'your', 'it', 'this', 'now'].includes(this.word(at + 1))
    ) {
      this.add('done', word, at);
      return;
    }
    if (word === 'estou' || word === 'estamos') {
      const going = this.skip(at + 1);
      if (
        /(?:ando|endo|indo)$/.test(this.word(going)) &&
        !['vendo', 'verificando', 'entendendo', 'falando'].includes(this.word(going))
      )
        this.add('done', this.word(going), going);
      return;
    }
    const past =
      FIRST_PAST.has(word) ||
      this.endsInI(word, at) ||
      (word.length > 3 && /ei$/.test(word) && (!/[aei]rei$/.test(word) || PAST_REI.has(word)));
    if (past && !HARMLESS.has(word)) {
      const next = this.word(at + 1) === 'de' ? this.word(at + 2) : this.word(at + 1);
      const infinitive = /[aei]r$/.test(next) ? next : null;
      if (infinitive && LOOKS.has(infinitive)) return;
      if (word === 'conseguimos' && infinitive !== null) {
        this.add('promise', infinitive ?? word, at);
        return;
      }
      this.add('done', infinitive ?? word, at);
      return;
    }
    // Present and past look alike: "cancelamos a sua reserva" has an owner or a "já", a rule has none.
    if (/(?:amos|emos|imos)$/.test(word) && deedOf(word) !== null && !HARMLESS.has(word)) {
      const near = [-2, -1, 1, 2].map((step) => this.word(at + step));
      const owner = near.some((one) => ['ja', 'sua', 'seu', 'suas', 'seus', 'te', 'lhe'].includes(one));
      this.add(owner ? 'done' : 'happened', word, at, owner ? null : 'state');
    }
  }

  /** "Mexi", "incluí", "pedi": first person of the past, no name and no other word of the kind. */
  private endsInI(word: string, at: number): boolean {
    return (
      word.length > 3 &&
      /[^aeou\s]i$/.test(word) &&
      (!this.tokens[at]?.capital || at === (this.starts[at] ?? 0)) &&
      !/^(?:aqui|ali|dali|daqui|taxi|wifi|kiwi|mini|semi|multi|anti|quase|assim|hoje|juri|bikini|ravioli)$/.test(
        word,
      ) &&
      this.portuguese
    );
  }

  /** "has been cancelled", "was refunded", "your plan is now paused"; "foi cancelada", "está resolvido". */
  protected passive(word: string, at: number): void {
    const paused =
      ['on', 'em'].includes(this.word(at + 1)) && ['pause', 'hold', 'pausa'].includes(this.word(at + 2));
    if (paused && ['is', 'esta', 's'].includes(word) && !this.conditional) this.add('happened', 'paused', at);
    if (['been', 'was', 'were', 'being', 'got', 'is', 'are'].includes(word)) {
      const verb = this.skip(at + 1);
      const form = this.word(verb);
      const modal = [1, 2, 3].some(
        (back) => at - back >= (this.starts[at] ?? 0) && MODALS.has(this.word(at - back)),
      );
      if (modal || !(form.endsWith('ed') || IRREGULAR_PAST.has(form))) return;
      const deed = deedOf(form);
      const state = word === 'is' || word === 'are';
      if (state && (deed === null || !RESULT_DEEDS.has(deed) || !this.isResult(at, verb))) return;
      if (word === 'been' ? NO_PARTICIPLE.has(form) && deed === null : deed === null) return;
      this.add('happened', form, verb);
      return;
    }
    if (
      [
        'foi',
        'foram',
        'ficou',
        'ficaram',
        'fica',
        'ficam',
        'sido',
        'esta',
        'ta',
        'estao',
        'consta',
        'constam',
        'sera',
        'serao',
        'segue',
        'encontra',
        'encontram',
      ].includes(word)
    ) {
      let verb = this.skip(at + 1);
      if (this.word(verb) === 'como') verb += 1;
      const form = this.word(verb);
      if (!/(?:ad|id|eit|ert|st)(?:inh)?[oa]s?$/.test(form)) return;
      const deed = deedOf(form);
      if (word.startsWith('sera')) {
        if (deed !== null || /^(?:contat|atendid|procurad|chamad)/.test(form))
          this.add('promise', form, verb);
        return;
      }
      if (deed === null) {
        if (/^fo(?:i|ram)$/.test(word) && !this.conditional && !NEUTRAL.has(form))
          this.add('happened', form, verb, 'own');
        return;
      }
      if (/^fica/.test(word) && (deed !== 'approve' || this.conditional)) return;
      if (/^(?:est|enc|ta$)/.test(word) && (!RESULT_DEEDS.has(deed) || this.conditional)) return;
      this.add('happened', form, verb);
      return;
    }
    // "the team approved", "o sistema cancelou": whoever else did it.
    const deed = /(?:ou|eu|iu|aram|eram)$/.test(word) && word.length > 5 ? deedOf(word) : null;
    // "Cancelou com 24h ou mais: volta tudo": a case, and what follows from it.
    const isCase = this.tokens.slice(at).some(({ text }) => text === ':');
    if (deed !== null && this.word(at - 1) !== 'voce' && !isCase) {
      this.add('happened', word, at);
      return;
    }
    if (
      /^(?:approved|authori[sz]ed|granted|waived|agreed)$/.test(word) &&
      /^\p{L}/u.test(this.word(at - 1)) &&
      !this.isAuxiliary(at - 1)
    )
      this.add('happened', word, at);
    this.bare(word, at);
    if (
      (word.endsWith('ed') || ENGLISH_PAST.has(word)) &&
      PEOPLE.has(this.word(at - 1)) &&
      !this.conditional &&
      !NEUTRAL.has(word)
    )
      this.add('happened', word, at, deedOf(word) === null ? 'own' : null);
    if (
      (word === 'has' || word === 'have') &&
      PEOPLE.has(this.word(at - 1)) &&
      this.isPast(this.word(this.skip(at + 1)))
    )
      this.add('happened', this.word(this.skip(at + 1)), at);
  }

  protected isAuxiliary(at: number): boolean {
    return (
      [
        'is',
        'are',
        'be',
        'been',
        'was',
        'were',
        'being',
        'you',
        'the',
        'an',
        'not',
        'until',
        'as',
        'once',
        'say',
        'says',
        'or',
      ].includes(this.word(at)) || this.word(at) === ''
    );
  }

  /** "Booking cancelled.", "Reembolso efetuado com sucesso!": a few words that end with what was done. */
  protected bare(word: string, at: number): void {
    if (!(word.endsWith('ed') || /(?:ad|id)[oa]s?$/.test(word)) || deedOf(word) === null) return;
    const [next, after] = [this.word(at + 1), this.word(at + 2)];
    const success = next === 'successfully' || (next === 'com' && after === 'sucesso');
    const ends = success || ['.', '!', ''].includes(next) || ['today', 'hoje', 'now'].includes(next);
    const letters = this.tokens
      .slice(0, at)
      .filter(({ text }) => /^\p{L}/u.test(text))
      .map(({ text }) => text);
    if (
      !ends ||
      letters.length > (success ? 8 : 3) ||
      letters.some(
        (one) =>
          MODALS.has(one) ||
          [
            'is',
            'are',
            'be',
            'esta',
            'to',
            'ser',
            'as',
            'como',
            'by',
            'por',
            'whatever',
            'tap',
            'says',
          ].includes(one),
      )
    )
      return;
    this.add('happened', word, at);
  }

  /** "your refund is now approved", "your refund is done." as against "your refund is sent to the same card". */
  protected isResult(at: number, verb: number): boolean {
    if (verb > at + 1 && ['now', 'already', 'officially', 'all'].includes(this.word(at + 1))) return true;
    const owner = [1, 2, 3, 4, 5].some(
      (back) => at - back >= (this.starts[at] ?? 0) && this.word(at - back) === 'your',
    );
    const next = this.word(verb + 1);
    if (this.conditional) return false;
    return owner && (next === '' || /^[^\p{L}]/u.test(next) || next === 'and' || next === 'now');
  }
}
