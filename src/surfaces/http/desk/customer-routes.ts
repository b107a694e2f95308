import { z } from '@hono/zod-openapi';
import { toCustomerJson, toCustomerRecordJson } from '../../desk-json.js';
import type { HttpDeps } from '../http-deps.js';
import {
  createRouter,
  type HubRouter,
  json,
  operatorOf,
  problemResponses,
  routesOf,
  SIGNED_IN,
} from '../router.js';
import { idSchema } from '../schemas.js';
import { languageOf, languageQuery, limitSchema, searchSchema, wire } from './desk-wire.js';
import { customerRecordSchema, customerSchema } from './record-schemas.js';

const route = routesOf('Desk: customers', SIGNED_IN);

const listCustomers = route('get', '/api/desk/customers', 'listCustomers', {
  summary: 'Customers by name, e-mail address or id',
  request: { query: z.object({ q: searchSchema, limit: limitSchema(200, 50) }) },
  responses: {
    200: json('By name.', z.object({ customers: z.array(customerSchema) })),
    ...problemResponses('forbidden', 'token_invalid'),
  },
});

const showCustomer = route('get', '/api/desk/customers/{customer_id}', 'getCustomer', {
  summary: 'A customer: what the company has on record, what the hub remembers, and the tickets',
  request: { params: z.object({ customer_id: idSchema }), query: languageQuery },
  responses: {
    200: json('The record.', customerRecordSchema),
    ...problemResponses('forbidden', 'token_invalid', 'not_found'),
  },
});

/** Customers as operators see them. */
export function customerRoutes({ app: { desk, company }, config: { locale } }: HttpDeps): HubRouter {
  const spoken = { languages: company.languages, locale };
  const router = createRouter();

  router.openapi(listCustomers, async (c) => {
    operatorOf(c);
    const { q = '', limit } = c.req.valid('query');
    const users = await desk.findCustomers(q, limit);
    return c.json({ customers: users.map((user) => wire(customerSchema, toCustomerJson(user))) }, 200);
  });

  router.openapi(showCustomer, async (c) => {
    operatorOf(c);
    const language = languageOf(c, c.req.valid('query').language, spoken);
    const record = await desk.customer(c.req.valid('param').customer_id, language);
    return c.json(wire(customerRecordSchema, toCustomerRecordJson(record)), 200);
  });

  return router;
}
