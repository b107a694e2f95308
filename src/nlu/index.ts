export { type Act, type ActContext, type ActGuess, type ActModel, createActModel } from './acts.js';
export { createBare } from './courtesy.js';
export type { LanguageGuess } from './language.js';
export { readMeaning } from './meaning.js';
export { createNlu, type IntentGuess, type Nlu, type NluOptions, type TriageGuess } from './nlu.js';
export { createNluClassifier } from './nlu-classifier.js';
export { asksWhoAnswers, createLanguageLayer } from './nlu-language-layer.js';
export { mergeFilters, narrowsNothing } from './slots/filters.js';
export { createStatementReader } from './statements.js';
