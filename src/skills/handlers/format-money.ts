import { HubError } from '../../core/errors.js';
import { formatMoney as written } from '../../core/i18n/index.js';
import type { Handler } from './handler.js';
import { numberInput, textInput } from './inputs.js';

/** `{ amount_cents, currency = the company's, language = en }` to `{ text }`, as the hub writes amounts in that language. */
export const formatMoney: Handler = async (input, tools) => {
  const cents = numberInput(input, 'amount_cents');
  const currency = textInput(input, 'currency', tools.currency ?? '').toUpperCase();
  const language = textInput(input, 'language', 'en');
  try {
    return { text: written(cents, language, currency) };
  } catch (error) {
    throw new HubError(
      'input_invalid',
      `currency must be a code such as EUR and language a tag such as pt-BR; "${currency}" and "${language}" are not.`,
      { field: 'currency' },
      { cause: error },
    );
  }
};
