import type { EntityAttribute } from '../core/domain/entity.js';
import type { Nlu } from '../nlu/index.js';
import { type ActReader, type ActReaderOptions, createActReader, type ReadMessage } from './acts.js';
import { isOrder, type ReferenceContext, type Referent, resolveReference } from './references.js';

export type { ActKind, ReadMessage } from './acts.js';
export type { ReferenceContext, Referent } from './references.js';
export { afterCorrection, selectSeveral } from './several.js';
export { afterShowing, shownIn } from './state.js';

/** Understands a conversation without a model. All methods are pure and synchronous. */
export interface Dialogue extends ActReader {
  /** True where these words do no more than count: "the second one". */
  isOrder(words: readonly string[]): boolean;
  /** What customers ask about a record of this entity. */
  attributesOf(entity: string): readonly EntityAttribute[];
  /** Which records of an entity a question is about. */
  resolve(text: string, message: ReadMessage, entity: string, context: ReferenceContext): Referent;
}

/** Makes the dialogue engine for a company. */
export function createDialogue(nlu: Nlu, options: ActReaderOptions): Dialogue {
  return {
    ...createActReader(options),
    isOrder: (words) => words.length > 0 && words.every(isOrder),
    attributesOf: (entity) => options.entities.find(({ id }) => id === entity)?.attributes ?? [],
    resolve: (text, message, entity, context) => resolveReference(nlu.slots, text, message, entity, context),
  };
}
