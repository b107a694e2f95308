import { z } from '@hono/zod-openapi';
import type { ApprovalOutcome } from '../../../core/app.js';
import type { Operator } from '../../../core/domain/customer.js';
import { toApprovalDetailsJson, toApprovalJson, toOutcomeJson } from '../../desk-json.js';
import type { HttpDeps } from '../http-deps.js';
import {
  body,
  createRouter,
  type HubRouter,
  json,
  operatorOf,
  problemResponses,
  routesOf,
  SIGNED_IN,
  writeHeaders,
} from '../router.js';
import { idSchema, jsonObjectSchema } from '../schemas.js';
import { languageOf, languageQuery, wire } from './desk-wire.js';
import { approvalFields, approvalSchema, outcomeSchema } from './ticket-schemas.js';

const route = routesOf('Desk: approvals', SIGNED_IN);

const decisionSchema = z
  .discriminatedUnion('decision', [
    z.object({ decision: z.literal('approve'), reason: z.string().optional() }),
    z.object({
      decision: z.literal('reject'),
      reason: z.string().optional().openapi({ description: 'The customer reads it.' }),
    }),
    z.object({ decision: z.literal('edit'), args: jsonObjectSchema, reason: z.string().optional() }),
  ])
  .openapi('Decision');

const listApprovals = route('get', '/api/desk/approvals', 'listApprovals', {
  summary: 'Actions that wait for an operator, with what deciding them means',
  description: '`withdrawn`: those that their customers took back within the last day.',
  request: { query: languageQuery },
  responses: {
    200: json(
      'Oldest first.',
      z.object({ approvals: z.array(approvalSchema), withdrawn: z.array(approvalFields) }),
    ),
    ...problemResponses('forbidden', 'token_invalid'),
  },
});

const decide = route('post', '/api/desk/approvals/{id}', 'decideApproval', {
  summary: 'Decide one exact action',
  description:
    'Of several decisions at once exactly one counts; the others are refused (409), also where the customer has taken the request back (`pending_withdrawn`, which says when and in which words). `edit` allows the action with other arguments, which pass policy and ownership like any call.',
  request: { params: z.object({ id: idSchema }), headers: writeHeaders, body: body(decisionSchema) },
  responses: {
    200: json('What came of it; `reply` is what the customer reads.', outcomeSchema),
    ...problemResponses(
      'forbidden',
      'token_invalid',
      'pending_not_found',
      'pending_decided',
      'pending_withdrawn',
      'pending_expired',
      'policy_denied',
      'thread_busy',
    ),
  },
});

/** Approvals of operators. */
export function approvalRoutes({ app, config, work }: HttpDeps): HubRouter {
  const { desk } = app;
  const spoken = { languages: app.company.languages, locale: config.locale };
  const router = createRouter();

  router.openapi(listApprovals, async (c) => {
    operatorOf(c);
    const details = await desk.approvalDetails(languageOf(c, c.req.valid('query').language, spoken));
    const withdrawn = await desk.withdrawals();
    return c.json(
      {
        approvals: details.map((one) => wire(approvalSchema, toApprovalDetailsJson(one))),
        withdrawn: withdrawn.map((one) => wire(approvalFields, toApprovalJson(one))),
      },
      200,
    );
  });

  const decided = (
    id: string,
    operator: Operator,
    decision: z.infer<typeof decisionSchema>,
  ): Promise<ApprovalOutcome> => {
    if (decision.decision === 'approve') return desk.approve(id, operator);
    if (decision.decision === 'reject') return desk.reject(id, operator, decision.reason ?? '');
    return desk.edit(id, operator, decision.args, decision.reason);
  };

  router.openapi(decide, async (c) => {
    const operator = operatorOf(c);
    const outcome = await work.track(decided(c.req.valid('param').id, operator, c.req.valid('json')));
    return c.json(wire(outcomeSchema, toOutcomeJson(outcome)), 200);
  });

  return router;
}
