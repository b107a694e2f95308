import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { fillValue } from '../expressions/placeholders.js';

/**
 * The arguments of a program: each entry of `args` is one argument, whatever its values hold.
 * @throws HubError `input_invalid` where a value is missing, or would become an option of the program
 */
export function commandArguments(
  skill: string,
  args: readonly string[],
  input: JsonObject,
): readonly string[] {
  return args.map((template, at) => {
    const value = fillValue(template, { ...input, input });
    const refuse = (why: string): HubError =>
      new HubError('input_invalid', `implementation.args[${at}] (${template}) of ${skill} ${why}.`, {
        skill,
        argument: at,
      });
    if (value === null || value === undefined) throw refuse('has no value in the input');
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (text.includes('\0')) throw refuse('has a value with a NUL character, which no argument can hold');
    // `{name}` with "-rf" would be read as an option and not as a name.
    if (text.startsWith('-') && !template.startsWith('-')) {
      throw refuse('has a value that begins with "-", which the program would take for an option');
    }
    return text;
  });
}
