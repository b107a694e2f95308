/** The tags that somebody wrote, several parted by commas, each once. A mark before one (`#late`) is no part of it. */
export function tagsIn(text: string): readonly string[] {
  const tags = text.split(/[,;]/).map((tag) => tag.trim().replace(/^#+\s*/, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
