import { createStudioGraph } from './app.js';
import { parseConfig } from './config.js';

/**
 * What langgraph.json exports: a factory, so that nothing happens on import. State who is speaking with `user_email`
 * in the input; without it the session is anonymous.
 */
export async function hub() {
  return createStudioGraph(parseConfig(process.env));
}
