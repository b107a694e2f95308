import type { Handler } from './handler.js';

/**
 * Gives its input back as its output. For a part of a composite that names a result, or puts outputs of other parts together
 * under keys of its own: the work is done by the composite's `inputs`.
 */
export const passThrough: Handler = async (input) => input;
