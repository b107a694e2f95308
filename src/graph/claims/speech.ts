import type { Claim } from './clauses.js';
import { FRIENDLY, FUTURE_PT, LIGHT, MODALS, PAST_REI } from './grammar-words.js';
import { deedOf, HARMLESS, PEOPLE, ROLES, senseOf } from './lexicon.js';
import { OwnMatter } from './own-matter.js';
import type { Sentence } from './sentences.js';

/** What a sentence claims. A question claims nothing. */
export function claimsIn({ tokens, plain, question }: Sentence): readonly Claim[] {
  return question ? [] : new Grammar(tokens, plain).read();
}

const ASKS = new Set('tell give send let say share diga conte mande informe passe fale manda'.split(' '));
const LOOK = /^(?:look|check|see|find|search|ver|verificar|conferir|olhar|checar|procurar|=4)$/;

/** What the hub does in the conversation itself, or by a tool after a yes. */
function isOffered(verb: string): boolean {
  return LOOK.test(verb) || /^(?:pass|forward|encaminh|repass)/.test(verb);
}

/** A small grammar of both languages: deeds, and here what somebody is to do one day. */
class Grammar extends OwnMatter {
  read(): readonly Claim[] {
    this.tokens.forEach(({ text }, at) => {
      if (!/^\p{L}/u.test(text)) return;
      this.firstPerson(text, at);
      this.passive(text, at);
      this.future(text, at);
      this.present(text, at);
      this.peopleDo(text, at);
      this.ownMatter(text, at);
    });
    return this.claims;
  }

  /** "we'll send", "somebody will call", "it will be unblocked"; "vou ligar", "ligaremos", "vai receber". */
  protected future(word: string, at: number): void {
    if (word === 'will' || word === 'shall' || (word === 'll' && at > 0)) {
      let verb = this.skip(at + 1);
      while (
        ['be', 'have', 'been', 'also', 'get', 'soon', 'shortly'].includes(this.word(verb)) &&
        this.word(verb + 1) !== ''
      ) {
        const next = this.skip(verb + 1);
        if (
          this.word(verb) === 'get' &&
          !['back', 'in'].includes(this.word(next)) &&
          !this.isPast(this.word(next))
        )
          break;
        verb = next;
      }
      this.commitment(this.word(verb), at, verb);
      return;
    }
    if (word === 'going' && this.word(at + 1) === 'to') this.commitment(this.word(at + 2), at, at + 2);
    if (FUTURE_PT.has(word)) {
      let verb = this.skip(at + 1);
      while (['ser', 'ter', 'sendo', 'estar'].includes(this.word(verb))) verb = this.skip(verb + 1);
      const form = this.word(verb);
      if (!/(?:[aeio]r|[ao]|ando|endo|indo)$/.test(form)) return;
      const own = ['vou', 'vamos', 'iremos', 'irei', 'estarei', 'estaremos'].includes(word);
      if (own && !FRIENDLY.has(form))
        if (!(isOffered(form) && this.asksFirst(at)))
          this.add('promise', ['vou', 'irei', 'estarei'].includes(word) ? `own:${form}` : form, verb);
      if (own) return;
      this.commitment(form, at, verb);
      return;
    }
    if (/[aei]remos$|[aei]rei$/.test(word) && !PAST_REI.has(word) && !HARMLESS.has(word) && word.length > 5) {
      const participle = this.word(this.skip(at + 1));
      this.add(
        'promise',
        /^teremos|^terei/.test(word) && /[ai]d[oa]s?$/.test(participle)
          ? participle
          : `${word.replace(/(?:emos|ei)$/, '')}`,
        at,
      );
      return;
    }
    // "receberá", "ligará": the accent tells it from "para" and "hora".
    const future = /^(\p{L}{3,}[aei]r)(?:á|ão)$/u.exec(this.written(at))?.[1];
    if (future) {
      this.commitment(future.normalize('NFD').replace(/\p{M}/gu, ''), at, at);
      return;
    }
    if (word === 'gente' && this.word(at - 1) === 'a') {
      const verb = this.skip(at + 1);
      this.add('promise', this.word(verb), verb);
    }
  }

  /** "you're getting a refund", "a colleague is calling you", "expect a call", "you are entitled to your money". */
  protected present(word: string, at: number): void {
    if (['getting', 'receiving', 'entitled', 'eligible'].includes(word)) {
      const next = [1, 2, 3, 4, 5, 6].map((step) => this.word(at + step));
      if (
        next.some((one) =>
          ['refund', 'money', 'credit', 'back', '$', 'reimbursement', 'compensation'].includes(one),
        )
      )
        this.add('promise', 'refund', at);
    }
    if (
      word === 'direito' &&
      ['a', 'ao', 'de'].includes(this.word(at + 1)) &&
      ['reembolso', 'estorno', 'dinheiro', 'devolucao'].some((one) =>
        [2, 3, 4].some((step) => this.word(at + step) === one),
      )
    )
      this.add('promise', 'reembolso', at);
    if (['expect', 'await', 'aguarde', 'espere'].includes(word)) {
      const what = [1, 2, 3, 4]
        .map((step) => this.word(at + step))
        .find((one) =>
          [
            'call',
            'email',
            'message',
            'refund',
            'answer',
            'reply',
            'visit',
            'ligacao',
            'contato',
            'retorno',
            'resposta',
            'reembolso',
            'estorno',
            'chamada',
          ].includes(one),
        );
      if (what) this.add('promise', what === 'ligacao' || what === 'chamada' ? 'call' : what, at);
    }
    if (
      (word === 'offer' || word === 'oferecer') &&
      ['can', 'you', 'posso', 'podemos', 'lhe', 'te'].includes(this.word(at - 1))
    )
      this.add('promise', word, at);
  }

  /** Who the future is said of decides whether it binds anybody. */
  protected commitment(verb: string, at: number, where: number): void {
    if (LIGHT.has(verb)) {
      const noun = [1, 2, 3, 4]
        .map((step) => this.word(where + step))
        .find((one) => senseOf(one).startsWith('='));
      if (noun) {
        this.commitment(noun, at, where);
        return;
      }
    }
    const subject: string[] = [];
    for (let back = at - 1; back >= (this.starts[at] ?? 0); back -= 1) subject.push(this.word(back));
    const about = new Set(subject);
    const hub = about.has('i') || about.has('we') || about.has('gente');
    const people = subject.some((one) => PEOPLE.has(one) || ROLES.has(one));
    if (hub || people) {
      if (FRIENDLY.has(verb) || (about.has('i') && isOffered(verb) && this.asksFirst(at))) return;
      this.add('promise', about.has('i') ? `own:${verb}` : verb, where);
      return;
    }
    const you = about.has('you') || about.has('voce');
    const next = [1, 2, 3, 4, 5, 6].map((step) => this.word(where + step));
    if (you) {
      const money =
        next.some((one) =>
          ['refund', 'back', 'credit', 'reembolso', 'estorno', 'dinheiro', 'credito', '$', 'money'].includes(
            one,
          ),
        ) ||
        (next.includes('account') &&
          this.tokens.slice(where, where + 7).some(({ number }) => number !== null));
      if (['get', 'receive', 'have', 'see', 'receber', 'ganhar', 'ter'].includes(verb) && money)
        this.add('promise', 'refund', where);
      else if (['hear', 'contacted', 'called'].includes(verb))
        this.add('promise', verb === 'hear' ? 'reply' : verb, where);
      else if (deedOf(verb) !== null && verb.endsWith('ed')) this.add('promise', verb, where);
      return;
    }
    if (deedOf(verb) !== null) this.add('promise', verb, where);
  }

  /** "Tell me which booking and I'll take a look": within this conversation. */
  private asksFirst(at: number): boolean {
    return this.tokens
      .slice(0, at)
      .some(
        ({ text }, ask) =>
          ASKS.has(text) &&
          ['me', 'know', 'which', 'qual'].some((one) =>
            [1, -1, 2].some((step) => this.word(ask + step) === one),
          ),
      );
  }

  /** "a person replies within two days", "um supervisor te liga". */
  protected peopleDo(word: string, at: number): void {
    if (
      !(PEOPLE.has(word) || ROLES.has(word)) ||
      ['they', 'he', 'she', 'ele', 'ela', 'eles', 'elas', 'gente', 'human', 'staff'].includes(word)
    )
      return;
    if (
      MODALS.has(this.word(at + 1)) ||
      ['para', 'pra', 'to', 'with', 'com'].includes(this.word(at - 1)) ||
      ['para', 'pra', 'to', 'with', 'com'].includes(this.word(at - 2))
    )
      return;
    let after = at + 1;
    // "someone from our team calls", "alguém do time te procura"
    while (
      [
        'from',
        'of',
        'do',
        'da',
        'de',
        'our',
        'the',
        'nosso',
        'nossa',
        'team',
        'time',
        'equipe',
        'support',
        'suporte',
        'atendimento',
        'customer',
        'service',
        'care',
      ].includes(this.word(after))
    )
      after += 1;
    const toYou = ['te', 'lhe', 'voce'].includes(this.word(after));
    const verb = this.skip(after);
    const form = this.word(verb);
    if (['is', 'are', 'esta', 'ja'].includes(form) && /ing$|ndo$/.test(this.word(verb + 1))) {
      this.add('promise', this.word(verb + 1), at);
      return;
    }
    if (!/^\p{L}/u.test(form) || ['will', 'vai', 'vao', 'ira'].includes(form) || form.length < 3) return;
    if (/s$/.test(form) || /[ae]m?$/.test(form)) this.add('promise', toYou ? form : `people:${form}`, at);
  }
}
