import { z } from 'zod';
import { HubError } from '../../src/core/errors.js';
import { defineTool, type ToolDeps } from '../../src/runtime/define-tool.js';
import { customerIdOf } from '../../src/runtime/who-asks.js';

const CONTACT_METHODS = ['email', 'phone', 'whatsapp'];

/** Remembers how the signed-in customer wants to be treated. Repeatable and harmless, so nobody is asked first. */
export const recordCustomerPreference = defineTool({
  name: 'record_customer_preference',
  label: { en: 'Note a preference', 'pt-BR': 'Registrar uma preferência' },
  activity: { en: 'Noting your preference', 'pt-BR': 'Anotando sua preferência' },
  description:
    'Saves a preference the customer states: language (a BCP 47 tag such as en) or contact_method (email, phone, whatsapp).',
  effect: 'write',
  access: 'customer',
  input: z.object({ key: z.enum(['language', 'contact_method']), value: z.string().min(1).max(40) }),
  output: z.object({ key: z.string(), value: z.string(), updated_at: z.string() }),
  claims: () => ['note', 'change'],
  async run(deps: Pick<ToolDeps, 'memory' | 'company'>, input, context) {
    const allowed = input.key === 'language' ? deps.company.languages : CONTACT_METHODS;
    if (!allowed.includes(input.value)) {
      throw new HubError('input_invalid', `${input.key} must be one of: ${allowed.join(', ')}.`);
    }
    const saved = await deps.memory.setPreference(customerIdOf(context), input.key, input.value);
    return { key: saved.key, value: saved.value, updated_at: saved.updatedAt };
  },
});
