import type { EntityAttribute } from '../core/domain/entity.js';
import type { Nlu } from '../nlu/index.js';
import { type ActReader, type ActReaderOptions, createActReader, type ReadMessage } from './acts.js';
import { type ReferenceContext, type Referent, resolveReference } from './references.js';

export type { ActKind, ReadMessage } from './acts.js';
export type { ReferenceContext, Referent } from './references.js';
export { afterShowing, shownIn } from './state.js';

/** Understands a conversation without a model. All methods are pure and synchronous. */
export interface Dialogue extends ActReader {
  /** What customers ask about a record of this entity. */
  attributesOf(entity: string): readonly EntityAttribute[];
  /** Which records of an entity a question is about. */
  resolve(text: string, message: ReadMessage, entity: string, context: ReferenceContext): Referent;
}

/** Makes the dialogue engine for a company. */
export function createDialogue(nlu: Nlu, options: ActReaderOptions): Dialogue {
  return {
    ...createActReader(options),
    attributesOf: (entity) => options.entities.find(({ id }) => id === entity)?.attributes ?? [],
    resolve: (text, message, entity, context) => resolveReference(nlu.slots, text, message, entity, context),
  };
}
