const WHOLE_CHARS = 420;

/**
 * The part of an article that answers: its first paragraph, which says what it is about and mostly the answer, and
 * the paragraph of the best passage with the steps that belong to it. Short articles are given whole.
 * @param content the article
 * @param snippet the passage nearest to the question, as retrieval found it
 */
export function passage(content: string, snippet: string): string {
  const text = content.trim();
  if (text.length <= WHOLE_CHARS) return text;
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trim());
  const best = bestParagraph(paragraphs, snippet);
  const chosen = new Set([0, best]);
  // A list of steps is only of use whole, and with the sentence that introduces it.
  for (const index of [...chosen]) {
    if (isSteps(paragraphs[index + 1])) chosen.add(index + 1);
    if (isSteps(paragraphs[index])) chosen.add(index - 1);
  }
  return [...chosen]
    .sort((a, b) => a - b)
    .map((index) => paragraphs[index])
    .filter((paragraph) => paragraph !== undefined)
    .join('\n\n');
}

/** The snippet may run over the end of a paragraph, and has its line breaks folded: its first words decide. */
function bestParagraph(paragraphs: readonly string[], snippet: string): number {
  const key = squeeze(snippet.replace(/^…|…$/g, '')).slice(0, 40);
  const found = paragraphs.findIndex((paragraph) => key !== '' && squeeze(paragraph).includes(key));
  return Math.max(0, found);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function isSteps(paragraph: string | undefined): boolean {
  return paragraph !== undefined && /^1\.\s/.test(paragraph);
}
