/** A part of an article that can be read by itself: a paragraph, or a list or table with the sentence before it. */
export interface Part {
  readonly text: string;
  /** Holds a list, steps or a table. */
  readonly hasList: boolean;
}

/** A line of a list, with its sign. */
const LIST_LINE = /^\s*(?:[-*•–]\s|\d{1,2}[.)]\s)/u;
/** A line of a table. */
const TABLE_LINE = /\||\t/u;
/** A short line without an end: it names what stands below it. */
const HEADING_LINE = /^\s*#{1,6}\s|^(?!.*[.!?;]$).{1,60}$/u;
/** A paragraph this long does not belong to the list below it as a whole: its last sentence does. */
const LONG_LEAD = 280;
/** A paragraph longer than this is read in pieces. */
const LONG_PARAGRAPH = 600;
const PIECE = 350;
/** About a screen of a list. */
const LONG_LIST = 1500;

/** Splits a content where a reader would: lists and tables stay whole, with what introduces them. */
export function partsOf(content: string): readonly Part[] {
  const parts: Part[] = [];
  let lead: string[] = [];
  const flush = (): void => {
    if (lead.length > 0) parts.push(...paragraphs(lead.join('\n')));
    lead = [];
  };
  for (const { lines, apart } of blocksOf(content)) {
    if (isListed(lines[0] ?? '')) {
      const text = lead.join('\n');
      if (text.length > LONG_LEAD) {
        flush();
        lead = [splitSentences(text).at(-1) ?? text];
      }
      const before = lead.length === 0 ? [] : [lead.join('\n'), ...(apart ? [''] : [])];
      parts.push({ text: cut([...before, ...lines]), hasList: true });
      lead = [];
    } else {
      // A heading belongs to what stands below it.
      if (!(lead.length === 1 && HEADING_LINE.test(lead[0] ?? ''))) flush();
      lead = [...lead, ...lines];
    }
  }
  flush();
  return parts;
}

interface Block {
  readonly lines: readonly string[];
  /** A blank line stands before it. */
  readonly apart: boolean;
}

/** Lines of one kind: a list begins a block of its own also where no blank line stands before it. */
function blocksOf(content: string): readonly Block[] {
  const blocks: { readonly lines: string[]; readonly apart: boolean }[] = [];
  let isOpen = false;
  for (const line of content.split(/\r?\n/u)) {
    const last = blocks.at(-1);
    if (line.trim() === '') {
      isOpen = false;
      continue;
    }
    const listed = isListed(line);
    const lastListed = last !== undefined && isListed(last.lines[0] ?? '');
    // Items that blank lines set apart are one list, and an indented line continues with its item.
    const goesOn = listed ? lastListed : isOpen && (!lastListed || /^\s{2,}/u.test(line));
    if (last !== undefined && goesOn) last.lines.push(line.trimEnd());
    else blocks.push({ lines: [line.trimEnd()], apart: !isOpen });
    isOpen = true;
  }
  return blocks;
}

function isListed(line: string): boolean {
  return LIST_LINE.test(line) || TABLE_LINE.test(line);
}

function paragraphs(text: string): readonly Part[] {
  if (text.length <= LONG_PARAGRAPH) return [{ text, hasList: false }];
  const pieces: string[] = [];
  for (const sentence of splitSentences(text)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + sentence.length < PIECE)
      pieces[pieces.length - 1] = `${last} ${sentence}`;
    else pieces.push(sentence);
  }
  return pieces.map((piece) => ({ text: piece, hasList: false }));
}

/** A list that fills more than a screen ends at one of its lines. */
function cut(lines: readonly string[]): string {
  const whole = lines.join('\n');
  if (whole.length <= LONG_LIST) return whole;
  return `${whole.slice(0, LONG_LIST).replace(/\n[^\n]*$/u, '')}\n…`;
}

/** Sentences, lines of lists among them, without their line breaks. */
export function splitSentences(content: string): readonly string[] {
  return (
    content
      // The number of a list item ("1. Open the app") is no sentence of its own.
      .split(/\n+|(?<=[.!?])(?<!^\d{1,2}\.)\s+(?=[\p{Lu}\p{N}"“])/mu)
      .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
      .filter((sentence) => sentence !== '')
  );
}

/** The least of an article that can answer by itself: a sentence, an item of a list with all its sentences, a row of a table. */
export interface Unit {
  readonly text: string;
  /** Place in the article, from 0. */
  readonly at: number;
  /** Number of the paragraph, list or table that it stands in. */
  readonly block: number;
  readonly kind: 'sentence' | 'step' | 'item' | 'row';
  /** True for the sentence that a list or table follows. */
  readonly leads: boolean;
}

const STEP = /^\s*\d{1,2}[.)]\s/u;
/** A sentence ends before a capital letter: "approx. 5 days" is one. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}"“¿¡])/u;

/** Splits a content into its units, in order. */
export function unitsOf(content: string): readonly Unit[] {
  const units: { text: string; block: number; kind: Unit['kind'] }[] = [];
  let block = 0;
  let running: string[] = [];
  const flush = (): void => {
    for (const text of running.join(' ').split(SENTENCE_END)) units.push({ text, block, kind: 'sentence' });
    running = [];
  };
  let isOpen = false;
  for (const raw of content.split(/\r?\n/u)) {
    const line = raw.replace(/\s+/gu, ' ').trim();
    const kind = kindOf(line);
    const last = units.at(-1);
    if (line === '') {
      if (running.length > 0) flush();
      isOpen = false;
    } else if (kind !== 'sentence') {
      if (running.length > 0) flush();
      // Items that blank lines set apart are one list.
      if (units.at(-1)?.kind !== kind) block += 1;
      units.push({ text: line, block, kind });
      isOpen = true;
    } else if (isOpen && last && running.length === 0 && last.kind !== 'sentence' && /^\s{2,}/u.test(raw)) {
      last.text += ` ${line}`;
    } else {
      if (running.length === 0) block += 1;
      // A line that does not end a sentence continues in the next one; a heading does not.
      else if (!/^\p{Ll}/u.test(line)) flush();
      running.push(line);
      isOpen = true;
    }
  }
  if (running.length > 0) flush();
  return units.map((unit, at) => {
    const next = units[at + 1];
    const leads = unit.kind === 'sentence' && next !== undefined && next.kind !== 'sentence';
    return { ...unit, at, leads };
  });
}

function kindOf(line: string): Unit['kind'] {
  if (STEP.test(line)) return 'step';
  if (LIST_LINE.test(line)) return 'item';
  return TABLE_LINE.test(line) ? 'row' : 'sentence';
}
