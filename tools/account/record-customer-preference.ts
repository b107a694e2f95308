import { z } from 'zod';
import { HubError } from '../../src/core/errors.js';
import { customerIdOf } from '../../src/runtime/caller-facts.js';
import { defineTool, type ToolDeps } from '../../src/runtime/define-tool.js';

const CONTACT_METHODS = ['email', 'phone', 'whatsapp'];
/** Keys that one customer may have. */
const MOST_KEYS = 20;

/** Remembers how the signed-in customer wants to be treated. Repeatable and harmless, so nobody is asked first. */
export const recordCustomerPreference = defineTool({
  name: 'record_customer_preference',
  description:
    'Saves a lasting wish: language (BCP 47), contact_method (email, phone, whatsapp), accessibility, or another short key.',
  effect: 'write',
  access: 'customer',
  input: z.object({ key: z.string().regex(/^[a-z][a-z_]{1,39}$/), value: z.string().trim().min(1).max(120) }),
  output: z.object({ key: z.string(), value: z.string(), updated_at: z.string() }),
  claims: () => ['note', 'change'],
  async run(deps: Pick<ToolDeps, 'memory' | 'company'>, input, context) {
    const customerId = customerIdOf(context);
    // Something depends on the values of these; any other is kept as the customer says it.
    const known: Readonly<Record<string, readonly string[]>> = {
      language: deps.company.languages,
      contact_method: CONTACT_METHODS,
    };
    const allowed = known[input.key];
    if (allowed && !allowed.includes(input.value)) {
      throw new HubError('input_invalid', `${input.key} must be one of: ${allowed.join(', ')}.`);
    }
    const { preferences } = await deps.memory.recall(customerId, 0);
    if (preferences.length >= MOST_KEYS && !preferences.some(({ key }) => key === input.key)) {
      throw new HubError('input_invalid', `A customer has at most ${MOST_KEYS} preferences.`);
    }
    const saved = await deps.memory.setPreference(customerId, input.key, input.value);
    return { key: saved.key, value: saved.value, updated_at: saved.updatedAt };
  },
});
