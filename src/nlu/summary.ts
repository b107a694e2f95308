import { fold } from '../core/text.js';

/** Longest summary, in characters. */
const SUMMARY_CHARS = 160;

const GREETING_LINE =
  /^(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening)|oi+|ola|opa|bom dia|boa tarde|boa noite|prezad[oa]s?|car[oa]s?|e ai|eai)\b[^.!?:;\n]{0,40}[,.!:;-]*\s*$/;
const GREETING_START =
  /^\s*(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|oi+|ol[aá]|opa|bom dia|boa tarde|boa noite|prezad[oa]s?|car[oa]s?)(?:[ ]+(?:there|team|all|everyone|sir|madam|support|pessoal|gente|equipe|time|senhores|[A-ZÀ-Ý][a-zà-ÿ]{1,20})){0,4}\s*[,.!:;-]+\s*|(?:tudo bem|td bem|tudo bom|como vai|how are you|hope (?:you are|you're|all is) (?:doing )?well)\s*[?.!,]+\s*)/iu;
const SIGNATURE_START =
  /^(?:-- ?$|(?:best|kind|warm|many)? ?(?:regards|wishes)\b|sincerely|yours|cheers[,.]?$|thanks[,.!]?$|thank you[,.!]?$|many thanks|thanks in advance|best[,.]?$|att\b|atte\b|atenciosamente|cordialmente|abracos?\b|abs\b|obrigad[oa][,.!]?$|grat[oa][,.!]?$|desde ja agradeco|sent from my|enviado do meu|enviado de meu|get outlook)/;
const QUOTED_LINE =
  /^\s*(?:>|\|)|^(?:-----+ ?(?:original message|mensagem original)|on .{5,80} wrote:|em .{5,80} escreveu:|_{8,})/;
const HEADER_LINE = /^(?:from|to|cc|sent|date|de|para|enviad[oa]|data)\s*:/;
const SUBJECT = /^(?:subject|assunto|re|fwd?|enc|titulo|title)\s*:\s*/i;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,40}/g;

/**
 * What the customer says in a message, without greeting line, signature, mail headers and quoted
 * mail. Line breaks stay. Where nothing would be left, the whole text.
 */
export function coreText(cleaned: string): string {
  if (!cleaned.includes('\n') && cleaned.length < 60) return cleaned;
  const kept: string[] = [];
  for (const raw of cleaned.split('\n')) {
    const line = raw.trim();
    const folded = fold(line.slice(0, 120));
    if (QUOTED_LINE.test(folded)) {
      if (!/^\s*[>|]/.test(folded)) break;
      continue;
    }
    if (line === '' || HEADER_LINE.test(folded) || (line.length <= 60 && GREETING_LINE.test(folded)))
      continue;
    if (kept.length > 0 && line.length <= 80 && SIGNATURE_START.test(folded)) break;
    kept.push(line.replace(SUBJECT, ''));
  }
  const core = kept.join('\n').trim();
  return core === '' ? cleaned : core;
}

/** Splits a text into sentences at line breaks and at marks followed by a blank. */
export function sentences(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?…])\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function trimToWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > limit / 2 ? cut.slice(0, blank) : cut).replace(/[\s,;:.-]+$/u, '')}…`;
}

/** A sentence of a message, without the greeting and the subject line before it. */
interface Candidate {
  readonly plain: string;
  readonly position: number;
  readonly weight: number;
  readonly score: number;
}

/** A sentence of fewer concepts says little beside another one: "this is a shame". */
const SAYS_MUCH = 3;
/** Stands between sentences that others stood between. */
const LEFT_OUT = ' … ';

/**
 * The sentences of the customer that say most, in their order, at most {@link SUMMARY_CHARS} together and e-mail addresses
 * masked: who is angry often says in one sentence what happened and in another one what is wanted. What says little, such as a
 * word of anger alone, is no part of it unless there is nothing else.
 *
 * @param cleaned text after `cleanText`
 * @param weight how much a sentence says, e.g. the number of support concepts in it
 */
export function summarize(cleaned: string, weight: (sentence: string) => number): string {
  const [best, ...others] = sentences(coreText(cleaned))
    .slice(0, 30)
    .map((sentence, position): Candidate => {
      const plain = withoutGreeting(sentence.replace(SUBJECT, ''));
      const counted = GREETING_LINE.test(fold(plain)) ? 0 : weight(plain);
      // A long sentence has more concepts without saying more; the first sentences of a mail usually hold the matter.
      const score = counted / (1 + plain.length / 200) - position * 0.15;
      return { plain, position, weight: counted, score };
    })
    .sort((a, b) => b.score - a.score);
  let chosen = best ? [best] : [];
  for (const other of others) {
    const more = [...chosen, other].sort((a, b) => a.position - b.position);
    if (other.weight >= SAYS_MUCH && lineOf(more).length <= SUMMARY_CHARS) chosen = more;
  }
  const line = chosen.length === 0 ? masked(cleaned) : lineOf(chosen);
  return trimToWord(line === '' ? '(no text)' : line, SUMMARY_CHARS);
}

function withoutGreeting(sentence: string): string {
  let plain = sentence;
  for (let round = 0; round < 2; round += 1) {
    const rest = plain.replace(GREETING_START, '');
    if (rest.length < 3) break;
    plain = rest;
  }
  return plain;
}

const masked = (text: string): string => text.replace(EMAIL, '[email]').replace(/\s+/g, ' ').trim();

/** Sentences in their order as one line. */
const lineOf = (chosen: readonly Candidate[]): string =>
  chosen
    .map(({ plain, position }, at) => {
      const before = chosen[at - 1];
      const gap = before === undefined ? '' : position === before.position + 1 ? ' ' : LEFT_OUT;
      return gap + masked(plain);
    })
    .join('');
