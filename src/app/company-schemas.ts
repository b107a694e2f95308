import { z } from 'zod';
import { profileSchema } from '../company/company.js';
import { actionSchema, customersSchema, lookupSchema, sourcesSchema } from '../company/declared/schemas.js';
import { entitySchema } from '../company/entities.js';
import { companyIntentsSchema } from '../company/intents.js';
import { policySchema } from '../core/policy/policy.js';

const SHAPES = {
  company: profileSchema,
  customers: customersSchema,
  sources: sourcesSchema,
  entity: entitySchema,
  read: lookupSchema,
  action: actionSchema,
  intents: companyIntentsSchema,
  policy: policySchema.loose(),
} as const;

/** The JSON Schemas of a company's files, by name of the file in `schemas/`, for editors: they complete keys and mark faults. */
export function companySchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(SHAPES).map(([name, shape]) => [
      `${name}.schema.json`,
      z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
    ]),
  );
}
