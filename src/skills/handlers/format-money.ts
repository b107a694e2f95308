import { HubError } from '../../core/errors.js';
import type { Handler } from './handler.js';
import { numberInput, textInput } from './inputs.js';

/** `{ amount_cents, currency = BRL, language = en }` to `{ text }`, as people of that language write it. */
export const formatMoney: Handler = async (input) => {
  const cents = numberInput(input, 'amount_cents');
  const currency = textInput(input, 'currency', 'BRL').toUpperCase();
  const language = textInput(input, 'language', 'en');
  try {
    const format = new Intl.NumberFormat(language, { style: 'currency', currency });
    return { text: format.format(cents / 100) };
  } catch (error) {
    throw new HubError(
      'input_invalid',
      `currency must be a code such as BRL and language a tag such as pt-BR; ${currency} and ${language} are not.`,
      { field: 'currency' },
      { cause: error },
    );
  }
};
