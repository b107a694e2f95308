import type { CompanyProfile } from './domain/company.js';
import { createLabelOrders } from './label-orders.js';

/** What of a message is the customer's own, for the one who labels it. */
export interface OwnWords {
  /** A private-use character stands for each quotation; the offline layer reads it as a blank. */
  readonly text: string;
  /** What was between quotation marks, marks and all, in order. */
  readonly quotations: readonly string[];
}

/** What nobody sees, and what our marks are made of. */
const HIDDEN = /[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\p{Co}]/gu;
const FIRST_MARK = 0xe000;
const MOST_MARKS = 999;
const MARK = /[\ue000-\ue3e6]/gu;
/** Longest message that is looked at. */
const MOST = 24_000;
const LETTER = /[\p{L}\p{N}]/u;
const QUOTED_LINE = /^\s*(?:>|&gt;|\|)/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const WROTE = /^\W{0,3}(?:on|em|no dia)\s[^\n]{5,200}(?:wrote|escreveu)\s*:\s*$/iu;
const SEPARATOR =
  /^\W{0,3}-{2,}\s*(?:original message|mensagem original|forwarded message|mensagem encaminhada)|^_{8,}\s*$|^\s*(?:begin forwarded message|in[ií]cio da mensagem encaminhada)\s*:/iu;
const MAIL_FROM = /^\W{0,3}(?:from|de)\W{0,3}:/iu;
const MAIL_HEAD = /^\W{0,3}(?:sent|date|to|cc|subject|enviad[oa](?: em)?|data|para|assunto)\W{0,3}:/iu;
const ENCLOSED = [
  ['<!--', '-->'],
  ['<blockquote', '</blockquote>'],
  ['<pre', '</pre>'],
  ['<code', '</code>'],
] as const;
/** An object of JSON; a placeholder of a template (`{{Order Number}}`) is none. */
const JSON_OBJECT = /\{(?=[^{}]{0,2000}")(?=[^{}]{0,2000}:)[^{}]{1,2000}\}/gu;
const INLINE_CODE = /(?<![\p{L}\p{N}`])`[^`\n]{1,500}`(?![\p{L}\p{N}`])/gu;
const QUOTATION =
  /(?<![\p{L}\p{N}])"[^"]{1,2000}"(?![\p{L}\p{N}])|“[^“”]{1,2000}”|„[^„“”]{1,2000}[“”]|«[^«»]{1,2000}»|(?<![\p{L}\p{N}])'[^'\n]{2,500}'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])‘[^‘\n]{2,500}’(?![\p{L}\p{N}])/gu;

/**
 * The message without quoted mail, code, and sentences that tell a classifier what to say, and with a mark in the
 * place of each quotation. What others have said, or a machine, is no sign of how urgent or angry a customer is.
 * Where nothing else is left, what was quoted is the message. Linear in the length of the text.
 */
export type ReadOwnWords = (message: string) => OwnWords;

/** Makes the reader for a company, whose issue types are the labels that nobody may dictate. */
export function createOwnWords({ issueTypes }: Pick<CompanyProfile, 'issueTypes'>): ReadOwnWords {
  const labels = issueTypes.flatMap(({ id, label }) => [id, ...Object.values(label)]);
  const withoutLabelOrders = createLabelOrders(labels);
  return (message) => readOwnWords(message, withoutLabelOrders);
}

function readOwnWords(message: string, withoutLabelOrders: (text: string) => string): OwnWords {
  const text = message
    .slice(0, MOST)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(HIDDEN, '');
  const unquoted = withoutQuotedBlocks(text);
  const quotations: string[] = [];
  const marked = unquoted.replace(QUOTATION, (found) => {
    if (quotations.length === MOST_MARKS) return ' ';
    quotations.push(found);
    return String.fromCodePoint(FIRST_MARK + quotations.length - 1);
  });
  if (!LETTER.test(marked)) return { text: withoutLabelOrders(opened(text)), quotations: [] };
  return { text: withoutLabelOrders(marked), quotations };
}

/** How a model is shown the quotations of a text: that there is one, and which. */
export function withMarksInWords(text: string): string {
  return text.replace(MARK, (mark) => `[quotation ${(mark.codePointAt(0) ?? FIRST_MARK) - FIRST_MARK + 1}]`);
}

/** The quotations back in their places, for the one who has to know what is meant ("cancel "Samba Night""). */
export function withQuotations(text: string, quotations: readonly string[]): string {
  return text
    .replace(MARK, (mark) => quotations[(mark.codePointAt(0) ?? FIRST_MARK) - FIRST_MARK] ?? '')
    .replace(/\[quotation (\d{1,3})\]/g, (mark, number) => quotations[Number(number) - 1] ?? mark);
}

function withoutQuotedBlocks(text: string): string {
  let rest = text;
  for (const [open, close] of ENCLOSED) rest = withoutEnclosed(rest, open, close);
  const lines = withoutQuotedLines(rest.split('\n')).join('\n');
  return lines.replace(JSON_OBJECT, ' ').replace(INLINE_CODE, ' ').trim();
}

function withoutQuotedLines(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let hasOwn = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const close = line.indexOf(fence, line.indexOf(fence) + fence.length);
      if (close !== -1) kept.push(line.slice(close + fence.length));
      else at = endOfFence(lines, at, fence.slice(0, 3));
      continue;
    }
    if (QUOTED_LINE.test(line)) continue;
    const head = attribution(lines, at);
    if (head > 0) {
      // Where the quoted lines are marked, the customer may continue below them.
      if (!QUOTED_LINE.test(lines.slice(at + head).find((next) => next.trim() !== '') ?? '')) break;
      at += head - 1;
      continue;
    }
    if (SEPARATOR.test(line) || (hasOwn && isMailHead(lines, at))) break;
    hasOwn ||= LETTER.test(line);
    kept.push(line);
  }
  return kept;
}

function endOfFence(lines: readonly string[], from: number, fence: string): number {
  for (let at = from + 1; at < lines.length; at += 1)
    if ((lines[at] ?? '').trim().startsWith(fence)) return at;
  return lines.length;
}

/** How many lines "On Monday, Ana wrote:" takes; 0 where this is none. */
function attribution(lines: readonly string[], at: number): number {
  let text = '';
  for (let count = 1; count <= 3; count += 1) {
    text = `${text} ${(lines[at + count - 1] ?? '').slice(0, 200)}`.trim();
    if (WROTE.test(text) && /[@\d]/.test(text)) return count;
  }
  return 0;
}

function isMailHead(lines: readonly string[], at: number): boolean {
  if (!MAIL_FROM.test(lines[at] ?? '')) return false;
  return lines.slice(at + 1, at + 5).filter((line) => MAIL_HEAD.test(line)).length >= 2;
}

function withoutEnclosed(text: string, open: string, close: string): string {
  const lower = text.toLowerCase();
  // Lower case may be longer in some scripts: then the places would not fit.
  if (lower.length !== text.length || !lower.includes(open)) return text;
  let rest = '';
  let from = 0;
  for (let start = lower.indexOf(open); start !== -1; start = lower.indexOf(open, from)) {
    const end = lower.indexOf(close, start);
    if (end === -1) break;
    rest += text.slice(from, start);
    from = end + close.length;
  }
  return rest + text.slice(from);
}

/** A text of quotations alone, without the signs that make them one. */
function opened(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:(?:>|&gt;|\|)\s?)+/, ''))
    .filter((line) => !FENCE.test(line))
    .join('\n')
    .replace(/[`"“”„«»]/gu, '')
    .trim();
}
