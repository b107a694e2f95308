export { type ActModel, createActModel } from './acts.js';
export { readMeaning } from './analysis.js';
export { createBare } from './courtesy.js';
export { createNlu, type Nlu } from './nlu.js';
export { createNluClassifier } from './nlu-classifier.js';
export { createLanguageLayer } from './nlu-language-layer.js';
export { asksWhoAnswers } from './requests.js';
export { mergeFilters, narrowsNothing } from './slots/filters.js';
export { createStatementReader } from './statements.js';
