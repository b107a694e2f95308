import type { ActGuess, ActModel } from '../nlu/acts.js';
import type { Nlu } from '../nlu/index.js';
import { findPreference } from '../nlu/slots/index.js';

const NEW_MATTER: ActGuess = {
  act: 'new_matter',
  confidence: 1,
  chanceOf: (...acts) => (acts.includes('new_matter') ? 1 : 0),
};

/** What is to hold from now on ("please answer me in English") is a matter of its own, and neither a delay nor a wish to hear the last answer again. */
export function besideWishes({ slots }: Nlu, model: ActModel): ActModel {
  return {
    read(text, context, language) {
      const guess = model.read(text, context, language);
      if (guess === null || slots.readYesNo(text, language).kind !== 'other') return guess;
      return findPreference(text) === null ? guess : NEW_MATTER;
    },
  };
}
