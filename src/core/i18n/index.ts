export * from './engine-texts.js';
export * from './format.js';
export * from './texts.js';
