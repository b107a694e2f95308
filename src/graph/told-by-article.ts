import { plausibleArticle } from './article-meant.js';
import type { DialogueTurn } from './dialogue-types.js';

/** From here on an article tells what only articles tell. */
const MAY_TELL = 0.2;

/**
 * The article that answers a message of which the company says that articles alone do, whatever else it tells: "I left my scarf at the
 * museum on Saturday, can you help?".
 * @returns its title; null where the message speaks of no such thing, or no article tells of it
 */
export async function toldByArticle({ deps, session, text }: DialogueTurn): Promise<string | null> {
  const { questions } = deps.dialogue.readOwnAsked(text);
  return questions.some(({ article }) => article) ? plausibleArticle(deps, session, text, MAY_TELL) : null;
}
