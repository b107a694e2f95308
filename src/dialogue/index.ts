import type { EntityAttribute } from '../core/domain/entity.js';
import type { ActModel } from '../nlu/acts.js';
import type { Nlu } from '../nlu/index.js';
import { requestsIn } from '../nlu/nlu-language-layer.js';
import { readAnswerWords } from '../nlu/slots/yes-no-words.js';
import { type ActReader, type ActReaderOptions, createActReader, type ReadMessage } from './acts.js';
import { createAnswerReader, type ReadAnswer } from './answers.js';
import { isOrder, type ReferenceContext, type Referent, resolveReference } from './references.js';

export type { ActKind, ReadMessage } from './acts.js';
export type { Answer } from './answers.js';
export type { ReferenceContext, Referent } from './references.js';
export { afterCorrection, selectSeveral } from './several.js';
export { afterShowing, shownIn } from './state.js';

/** Understands a conversation without a model. All methods are pure and synchronous. */
export interface Dialogue extends ActReader {
  /** What a short message does, by the model. */
  readonly guessAct: ActModel['read'];
  readonly readAnswer: ReadAnswer;
  /** True where these words do no more than count: "the second one". */
  isOrder(words: readonly string[]): boolean;
  /** What customers ask about a record of this entity. */
  attributesOf(entity: string): readonly EntityAttribute[];
  /** Which records of an entity a question is about. */
  resolve(text: string, message: ReadMessage, entity: string, context: ReferenceContext): Referent;
}

/** From here on what stands beside an answer is a request of its own. */
const CLEAR = 0.4;

/** Makes the dialogue engine for a company. */
export function createDialogue(nlu: Nlu, model: ActModel, options: ActReaderOptions): Dialogue {
  const acts = createActReader(options);
  const answers = createAnswerReader({
    ...{ slots: nlu.slots, words: readAnswerWords(options.languages), model },
    isAct(text) {
      const read = acts.read(text);
      return read?.rest.length === 0 && read.acts.some((act) => act !== 'praise');
    },
    asks: (text, language) => requestsIn(nlu, text, language).some(({ confidence }) => confidence >= CLEAR),
  });
  return {
    ...acts,
    guessAct: model.read,
    readAnswer: (text, language, question) => answers(acts.withoutAsides(text), language, question),
    isOrder: (words) => words.length > 0 && words.every(isOrder),
    attributesOf: (entity) => options.entities.find(({ id }) => id === entity)?.attributes ?? [],
    resolve: (text, message, entity, context) => resolveReference(nlu.slots, text, message, entity, context),
  };
}
