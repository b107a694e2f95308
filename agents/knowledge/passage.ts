const MAX_CHARS = 700;
const WHOLE_CHARS = 420;

/**
 * The part of an article that answers: the paragraph of the best passage, with the steps that belong to it.
 * Short articles are given whole, so that no step is lost.
 * @param content the article
 * @param snippet the passage nearest to the question, as retrieval found it
 */
export function passage(content: string, snippet: string): string {
  const text = content.trim();
  if (text.length <= WHOLE_CHARS) return text;
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim());
  const key = snippet.replace(/^…|…$/g, '').trim().slice(0, 40);
  const found = paragraphs.findIndex((paragraph) => key !== '' && paragraph.includes(key));
  const index = found === -1 ? 0 : found;
  const chosen = [paragraphs[index] ?? ''];
  const next = paragraphs[index + 1];
  const before = paragraphs[index - 1];
  if (isSteps(chosen[0] ?? '') && before) chosen.unshift(before);
  else if (next && (isSteps(next) || length(chosen) + next.length <= MAX_CHARS)) chosen.push(next);
  return chosen.join('\n\n');
}

function isSteps(paragraph: string): boolean {
  return /^1\.\s/.test(paragraph);
}

function length(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
