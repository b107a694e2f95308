import type { Figure } from './figure.js';
import { remembered } from './remembered.js';
import { fold, type Token, tokensOf } from './tokens.js';

/** One sentence of a text; its words are read when they are first asked for. */
export class Sentence {
  readonly question: boolean;
  #read: { readonly contacts: readonly Figure[]; readonly tokens: readonly Token[] } | null = null;
  #words: ReadonlySet<string> | null = null;

  /** @param from where it stands in its text, as its tokens and contacts do */
  constructor(
    readonly text: string,
    readonly from: number,
  ) {
    this.question = QUESTION.test(text) && !TAG.test(text);
  }

  /** Addresses and numbers to call, which are no words of it. */
  get contacts(): readonly Figure[] {
    return this.#parts().contacts;
  }

  get tokens(): readonly Token[] {
    return this.#parts().tokens;
  }

  get words(): ReadonlySet<string> {
    this.#words ??= new Set(this.tokens.map((token) => token.text));
    return this.#words;
  }

  #parts() {
    if (this.#read === null) {
      const { contacts, rest } = withoutContacts(this.text, this.from);
      // "E-mail" is one word; all others stay where they are.
      const plain = rest
        .replace(/\be-mail/giu, ' email')
        .replace(CLITIC, (found) => ' '.repeat(found.length));
      this.#read = { contacts, tokens: tokensOf(plain, this.from) };
    }
    return this.#read;
  }
}

/** Nobody writes longer ones: what goes on is read as the next, so that no text makes reading slow. */
const LONGEST = 500;
const SENTENCE = /[^.!?…\n]{1,500}(?:[.!?…]{1,500}["”')\]]{0,9}|\n)?|[.!?…]{1,500}["”')\]]{0,9}|\n/gu;

/** "Encontra-se" says no more than "encontra". */
const CLITIC = /(?<=\p{L}{3})-(?:se|me|te|lhe|lhes|nos|lo|la|los|las)(?!\p{L})/giu;
const QUESTION = /\?["”')\]\s]{0,8}$/;
/** "I've booked it, okay?" asks nothing. */
const TAG =
  /[,…]\s*(?:t[aá]|ok|okay|right|alright|viu|n[eé]|certo|beleza|blz|combinado|fechado|deal|yes|sim|yeah|hein)\s*\?["”')\]\s]{0,8}$/iu;

/** "At 6 p.m.": its point ends no sentence that goes on. */
const HOUR = /\d ?[ap]\.?m\.["')\]]*$/iu;

/** Cuts a text into sentences; a point inside a number or an address ends none. */
export const sentencesOf = remembered((text: string): readonly Sentence[] => {
  const sentences: Sentence[] = [];
  let from = 0;
  for (const match of text.matchAll(SENTENCE)) {
    const end = match.index + match[0].length;
    const next = text[end];
    const ends = next === undefined || /\s/.test(next) || /[!?…\n]["”')\]]{0,9}$/.test(match[0]);
    const goesOn = HOUR.test(match[0]) && /^\s*[\p{Ll},;)]/u.test(text.slice(end, end + 3));
    if ((!ends || goesOn) && end - from < LONGEST) continue;
    sentences.push(new Sentence(text.slice(from, end), from));
    from = end;
  }
  return sentences;
});

/** Says when or if something is so. */
export const CONDITION =
  /(?<!\p{L})(?:if|when|(?<!(?:at|just|only) )once|unless|until (?!\d)|whether|as soon as|as long as|the moment|should|whatever|whoever|anything|anyone|(?<!n[aã]o )se|quando|(?<!(?:nesse|neste|esse|este|o|seu|cada) )caso|assim que|no momento em que|a partir do momento|enquanto(?! isso)|depois que|at[eé] que|desde que|contanto que|qualquer|tudo (?:o )?que|(?<!(?:para|pra|de|com|por|[aàé]) )quem)(?!\p{L})|^\s*(?!(?:enten|compreen|lamen)d)\p{L}{2,}[aei]ndo(?!\p{L})|^\s*by \p{L}+ing(?!\p{L})|^\s*(?:so |and |but |then )?\p{L}{3,}ing (?:[^.,;]{1,50} )?(?:gets|gives|brings|returns|means|costs|keeps|frees|ends|erases)(?!\p{L})/iu;

/** Where a part of a sentence ends that states something by itself. */
const PARTS =
  /[—–]|: |, (?=(?:and|but|so|then|yet|though|although|which|e|mas|ent[aã]o|por[eé]m|embora)\s)|(?<=\p{L}{4}|<x>) (?=(?:and|mas|but) )| (?=e (?:j[aá]|n[aã]o|[oa]s?|voc[eê]|seu|sua|est[aá]|foi|ser[aá]|ser[aã]o|vai|v[aã]o) )|, (?=(?:the|o|a|os|as) [^,;:]{3,40} (?:was|were|is|are|foi|foram|est[aá]|est[aã]o) )/u;

/** A text in the parts that state something each; one that begins with a condition is read as a whole. */
export function partsOf(text: string): readonly string[] {
  return text
    .split(/;/)
    .flatMap((part) => {
      const parts = part.split(PARTS);
      // A condition that comes first is one for all that follows.
      return CONDITION.test(parts[0] ?? '') ? [part] : parts;
    })
    .map((part) => part.trim());
}

/** E-mail addresses, telephone numbers, web addresses. */
const CONTACT =
  /[\p{L}\d][\p{L}\d._%+-]{0,63}@[\p{L}\d][\p{L}\d.-]{0,252}|(?:\+\d{1,3}[ -]?)?(?:\(\d{2,3}\) ?|\b\d{2,4}[ -])9?\d{3,4}[- ]?\d{4}\b|\b0800[\d -]{6,12}\b|\b(?:https?:\/\/)?(?:[a-z\d-]{1,63}\.){1,5}(?:com|org|net|br|example|app|io|test)\b(?:\/[\w./-]{0,100})?/giu;

/** As addresses and numbers are compared: without case, protocol, punctuation of numbers. */
function contactOf(text: string): string {
  const plain = fold(text)
    .replace(/^https?:\/\//, '')
    .replace(/[./]+$/, '');
  return /[a-z]/.test(plain) ? plain : plain.replace(/\D/g, '');
}

/** Takes the addresses and numbers to call out of a text; all else stays where it is. @param offset where the text stands */
export function withoutContacts(
  text: string,
  offset = 0,
): { readonly contacts: readonly Figure[]; readonly rest: string } {
  const contacts: Figure[] = [];
  const rest = text.replace(CONTACT, (found, at: number) => {
    const from = offset + at;
    contacts.push({ kind: 'contact', values: [contactOf(found)], from, to: from + found.length });
    return ' '.repeat(found.length);
  });
  return { contacts, rest };
}
