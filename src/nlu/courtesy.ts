import { z } from 'zod';
import { fold } from '../core/text.js';
import { pattern, readLanguages, readWords } from './words.js';

/** `{company}` in a pattern stands for its name. */
const phrases = z.array(
  z.string().refine((source) => pattern.safeParse(source.replaceAll('{company}', 'x')).success),
);
const schema = z.strictObject({
  asides: phrases,
  introductions: phrases,
  openers: phrases,
  closers: phrases,
  clause_joints: phrases,
});

/** Where a clause may end; what ended it stays with it. */
const CLAUSE = /[^,;:.!?…\n()]+(?:[,;:.!?…\n()]+|$)/gu;
/** Who signs after the thanks: a name alone. */
const SIGNED = /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*\.?$/u;
/** At the end of a clause. */
const NAME = /(?:\s\p{Lu}\p{Ll}+)+$/u;
const EDGE = /^[\s,;:.!…()'"-]+|[\s,;:!…()'"-]+$/gu;
/** Beyond this a text is a report or a mail, and what stands around its question is not told by clauses. */
const LONGEST = 600;
const ROUNDS = 6;

/**
 * What a message asks, without greeting, thanks, apologies and who is writing. Where nothing would be left, the whole
 * text: what is polite alone is a message too.
 */
export type Bare = (text: string) => string;

/**
 * Reads the words of courtesy of all languages, because people mix them.
 * @param company what the company is called: it is greeted too
 * @throws HubError `config_invalid` where the engine does not know a language
 */
export function createBare(company: string): Bare {
  const files = readLanguages().map((language) => readWords(language, 'courtesy', schema));
  const name = fold(company).replace(/[^a-z0-9]+/g, '[^a-z0-9]+');
  const all = (of: keyof (typeof files)[number]): string =>
    files
      .flatMap((file) => file[of])
      .join('|')
      .replaceAll('{company}', name);
  const aside = new RegExp(`^(?:${all('asides')})$`, 'u');
  const opener = new RegExp(`^(?:${all('openers')})(?=[\\s,;:.!?-]|$)`, 'u');
  const closer = new RegExp(`(?<=^|[\\s,;:.!?-])(?:${all('closers')})$`, 'u');
  const introduction = new RegExp(`^(?:${all('introductions')})$`, 'u');
  const isAside = (clause: string): boolean => {
    const plain = trimmed(clause.replace(/[?.]/gu, ''));
    const unnamed = plain.replace(NAME, '');
    return aside.test(fold(plain)) || (unnamed !== plain && introduction.test(fold(unnamed)));
  };
  return (text) => {
    if (text.length > LONGEST) return text;
    const clauses = text.match(CLAUSE) ?? [];
    const asides = clauses.map(isAside);
    const isSigned = (clause: string, at: number): boolean =>
      at === clauses.length - 1 && asides[at - 1] === true && SIGNED.test(trimmed(clause));
    const kept = clauses.filter((clause, at) => asides[at] === false && !isSigned(clause, at));
    if (kept.length === 0) return text;
    const rest = withoutEnds(trimmed(kept.join(' ')), opener, closer);
    return /[\p{L}\p{N}]{2}/u.test(rest) ? rest : text;
  };
}

/** Folding keeps the number of characters of what is cut off: Latin letters with their accents composed. */
function withoutEnds(text: string, opener: RegExp, closer: RegExp): string {
  let rest = text.normalize('NFC');
  for (let round = 0; round < ROUNDS; round += 1) {
    const folded = fold(rest);
    if (folded.length !== rest.length) return rest;
    const before = opener.exec(folded)?.[0].length ?? 0;
    const mark = /[?.]*$/u.exec(folded)?.[0].length ?? 0;
    const body = folded.slice(0, folded.length - mark);
    const after = closer.exec(body)?.[0].length ?? 0;
    if (before + after === 0 || before + after >= body.length) return rest;
    const end = rest.slice(rest.length - mark);
    rest = trimmed(rest.slice(before, body.length - after)) + end;
  }
  return rest;
}

function trimmed(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(EDGE, '');
}
