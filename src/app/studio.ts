import { parseConfig } from '../config/config.js';
import { openStudio } from './app.js';

let studio: ReturnType<typeof openStudio> | undefined;

/** The server calls a factory for every request, so databases and index are opened by the first and kept. */
async function opened() {
  studio ??= openStudio(parseConfig(process.env));
  try {
    return await studio;
  } catch (error) {
    studio = undefined;
    throw error;
  }
}

/**
 * What langgraph.json exports: a factory, so that nothing happens on import. State who is speaking with `user_email` in
 * the input; without it the session is anonymous.
 */
export async function hub() {
  return (await opened()).hub();
}

/** The decision trees of skills/ as one graph: `skill_id` and `input` run one; a hand-off is resumed with `{choose}`. */
export async function skills() {
  return (await opened()).skills();
}
