import type { Language } from '../domain/taxonomy.js';
import { en } from './en.js';
import { ptBr } from './pt-br.js';
import type { Texts } from './texts.js';

export * from './format.js';
export type { NextStep, ReservationLine, Texts } from './texts.js';

/** The hub's own sentences in a language. */
export function textsFor(language: Language): Texts {
  return language === 'pt-BR' ? ptBr : en;
}
