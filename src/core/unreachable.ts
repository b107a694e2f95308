import { HubError } from './errors.js';

/**
 * What is only needed to speak of something (a name, a title), from a system that may not answer just now. What is to be
 * answered or changed asks without this, so that an outage is told and never taken for "there is none".
 */
export async function unlessUnreachable<Value>(work: Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HubError && error.code === 'source_unavailable') return otherwise;
    throw error;
  }
}
