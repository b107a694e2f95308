import { z } from 'zod';
import { HubError } from '../../../src/core/errors.js';
import { customerIdOf } from '../../../src/runtime/caller-facts.js';
import { defineTool } from '../../../src/runtime/define-tool.js';
import { type CultpassDeps, toUserShape, userShape } from './shapes.js';

/** The signed-in customer's own record. */
export const lookupUser = ({ customers }: Pick<CultpassDeps, 'customers'>) =>
  defineTool({
    name: 'lookup_user',
    label: { en: 'Look up the account', 'pt-BR': 'Consultar a conta' },
    activity: { en: 'Looking at your account', 'pt-BR': 'Olhando sua conta' },
    description: "The customer's name, e-mail, member since, whether blocked.",
    effect: 'read',
    access: 'customer',
    input: z.object({}),
    output: userShape,
    async run(_deps: object, _input, context) {
      const user = await customers.getUser(customerIdOf(context));
      if (!user) throw new HubError('customer_unknown', 'There is no record of this customer any more.');
      return toUserShape(user);
    },
  });
