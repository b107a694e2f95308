import { openStudio } from './app.js';
import { parseConfig } from './config.js';

let studio: ReturnType<typeof openStudio> | undefined;

/**
 * What langgraph.json exports: a factory, so that nothing happens on import. The server calls it for every request, so
 * databases and index are opened by the first and kept. State who is speaking with `user_email` in the input; without
 * it the session is anonymous.
 */
export async function hub() {
  studio ??= openStudio(parseConfig(process.env));
  try {
    const newGraph = await studio;
    return newGraph();
  } catch (error) {
    studio = undefined;
    throw error;
  }
}
