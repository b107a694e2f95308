import { catalogueOf } from '../shared/i18n.js';
import type en from './texts/en.json';

/** Everything the desk says, as the English file has it. */
export type Words = typeof en;

const TEXTS = catalogueOf<Words>(import.meta.glob('./texts/*.json', { import: 'default' }));

/** The desk's words in the language of the page. */
export const useWords = (): Words => TEXTS.use();
