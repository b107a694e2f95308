import { catalogueOf } from '../shared/i18n.js';
import type en from './texts/en.json';

/** Everything the desk says, as the English file has it. */
export type Texts = typeof en;

const TEXTS = catalogueOf<Texts>(import.meta.glob('./texts/*.json', { import: 'default' }));

/** The desk's texts in the language of the page. */
export const useTexts = (): Texts => TEXTS.use();
