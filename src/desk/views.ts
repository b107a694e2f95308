import type { DeskViews } from '../core/desk-work.js';
import { HubError } from '../core/errors.js';
import type { ViewStore } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';

const VIEWS = 50;
const NAME_CHARS = 40;

/** See DeskViews. */
export function deskViews({ views }: { readonly views: ViewStore }): DeskViews {
  return {
    views: ({ operatorId }) => views.list(operatorId),
    async saveView({ operatorId }, { name: given, choice }) {
      const refuse = (field: string, message: string): never => {
        throw new HubError('input_invalid', message, { errors: [{ field, message }] });
      };
      const name = cleanText(given);
      if (name === '' || name.length > NAME_CHARS)
        refuse('name', `A view has a name of at most ${NAME_CHARS} characters.`);
      const before = await views.list(operatorId);
      if (before.length >= VIEWS && before.every((one) => one.name !== name))
        refuse('name', `There are ${VIEWS} views already: forget one first.`);
      await views.put(operatorId, { name, choice });
    },
    forgetView: ({ operatorId }, name) => views.delete(operatorId, name),
  };
}
