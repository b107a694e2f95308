import { z } from '@hono/zod-openapi';
import type { ApprovalOutcome } from '../../../core/app.js';
import type { DeskEvent } from '../../../core/desk-reads.js';
import type { Operator } from '../../../core/domain/customer.js';
import { snaked } from '../../../core/domain/json.js';
import type { TicketMessage } from '../../../core/domain/ticket.js';
import type { SkillFigures } from '../../../core/workbench.js';
import {
  toApprovalDetailsJson,
  toApprovalJson,
  toDeskMessageJson,
  toOutcomeJson,
  toReportJson,
  toTimelineJson,
} from '../../desk-json.js';
import type { ServerEvent } from '../event-streams.js';
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
import { idSchema, jsonObjectSchema, timeSchema } from '../schemas.js';
import { daySchema, languageOf, languageQuery, limitSchema, wire } from './desk-wire.js';
import { activitySchema, reportSchema, skillSchema } from './record-schemas.js';
import { approvalFields, approvalSchema, outcomeSchema } from './ticket-schemas.js';

const route = routesOf('Desk: overview', SIGNED_IN);
const eventId = z.string().regex(/^\d{1,15}$/, 'the id of an event, such as 12');

const showReport = route('get', '/api/desk/reports', 'getDeskReport', {
  summary: "The dashboard's figures",
  description:
    'Per local day, today included; days and issue types without anything are there with zeros. Tickets whose triage is missing count as `none`.',
  request: { query: z.object({ days: limitSchema(366, 30) }) },
  responses: { 200: json('Figures.', reportSchema) },
});

const showHistory = route('get', '/api/desk/history', 'getDeskHistory', {
  summary: 'Who did what, across all tickets',
  request: {
    query: z.object({
      from: daySchema,
      to: daySchema,
      operator: z.string().max(200).optional().openapi({ description: 'Part of a name.' }),
      limit: limitSchema(5_000, 500),
    }),
  },
  responses: { 200: json('The newest first.', z.object({ deeds: z.array(activitySchema) })) },
});

const awaySchema = z
  .object({
    since: timeSchema,
    moved: z.array(
      z.object({
        ticket_id: z.string(),
        customer_name: z.string().nullable(),
        kind: z.enum(['taken', 'given', 'lapsed', 'ended']),
        name: z.string().nullable().openapi({ description: 'The colleague who took or gave it.' }),
        note: z.string().nullable(),
        at: timeSchema,
        now: z.enum(['queue', 'claimed', 'resolved']),
        holder: z.string().nullable().openapi({ description: 'Who has it, or had it last.' }),
      }),
    ),
    escalated: z.number().int(),
    resolved: z.number().int(),
    unassigned: z.number().int().openapi({ description: 'Nobody has them now.' }),
    unread: z.number().int().openapi({ description: 'Yours, with words that you have not seen.' }),
  })
  .openapi('Away', { description: 'What has happened since an operator was last at the desk.' });

const showAway = route('get', '/api/desk/away', 'getDeskAway', {
  summary: 'What has happened while you were not at the desk',
  description:
    '`moved`: your tickets that were taken, given to you, or went back into the queue; the last move of each. The rest are numbers of tickets.',
  request: { query: z.object({ since: z.iso.datetime() }) },
  responses: { 200: json('What has happened.', awaySchema) },
});

const listSkills = route('get', '/api/desk/skills', 'listDeskSkills', {
  summary: 'What the hub can investigate, with what experts wrote down about it',
  responses: { 200: json('Skills.', z.object({ skills: z.array(skillSchema) })) },
});

const deskEvents = route('get', '/api/desk/events', 'followDesk', {
  summary: 'What changes on the desk, as it changes',
  description:
    '`ticket` {ticket_id, thread_id, what}, `message` {ticket_id, thread_id, message} `approval` {id, thread_id, status}, `presence` {ticket_id, thread_id, operator, watching, typing}, `read` {thread_id, by, message_id, at} and `typing` {thread_id, by, name, typing}. `Last-Event-ID` or `after` continues without loss.',
  request: {
    headers: z.object({ 'last-event-id': z.union([eventId, z.literal('')]).optional() }),
    query: z.object({ after: eventId.optional() }),
  },
  responses: {
    200: { description: 'Server-sent events.', content: { 'text/event-stream': { schema: z.string() } } },
  },
});

function figuresOf(
  all: readonly SkillFigures[],
  { id, version }: { readonly id: string; readonly version: string },
) {
  const own = all.find(({ skillId, skillVersion }) => skillId === id && skillVersion === version);
  if (own === undefined) return null;
  const { uses, failed, meanDurationMs, accuracy, falsePositives, repeatUse, satisfaction } = own;
  const { targetMs, baselineMs, expectedAccuracy, below } = own;
  return {
    ...snaked({ uses, failed, meanDurationMs, accuracy, falsePositives, repeatUse, satisfaction }),
    ...snaked({ targetMs, baselineMs, expectedAccuracy }),
    below: [...below],
  };
}

/** Figures, skills and live events for operators. */
export function overviewRoutes({ app, streams }: HttpDeps): HubRouter {
  const router = createRouter();

  router.openapi(showReport, async (c) => {
    const report = await app.desk.report(c.req.valid('query').days);
    return c.json(wire(reportSchema, toReportJson(report)), 200);
  });

  router.openapi(showHistory, async (c) => {
    const { operator, ...query } = c.req.valid('query');
    const activities = await app.desk.history({ ...query, person: operator });
    return c.json({ deeds: activities.map((one) => wire(activitySchema, toTimelineJson(one))) }, 200);
  });

  router.openapi(showAway, async (c) => {
    const { moved, ...numbers } = await app.desk.away(operatorOf(c), c.req.valid('query').since);
    return c.json(wire(awaySchema, { ...numbers, moved: moved.map((one) => snaked({ ...one })) }), 200);
  });

  router.openapi(listSkills, async (c) => {
    const figures = await app.workbench.stats();
    const skills = app.skills.list().map((skill) => {
      const content = app.workbench.knowledge(skill.id, skill.version);
      return {
        id: skill.id,
        title: skill.title,
        description: skill.description,
        descriptions: skill.descriptions,
        version: skill.version,
        type: skill.type,
        owner: skill.owner,
        status: skill.status,
        tags: [...skill.tags],
        effect: skill.effect,
        knowledge:
          content === null ? [] : [{ id: skill.id, title: headingOf(content) ?? skill.title, content }],
        figures: figuresOf(figures, skill),
      };
    });
    return c.json({ skills }, 200);
  });

  router.openapi(deskEvents, async (c) => {
    const after = c.req.valid('query').after ?? (c.req.valid('header')['last-event-id'] || undefined);
    const stream = streams.open(c, { kind: 'desk' });
    if (c.req.method === 'HEAD') return stream.response();
    try {
      await app.deskEvents.follow({
        after,
        onEvent: (event) => stream.send(toServerEvent(event)),
        signal: stream.signal,
      });
    } catch (error) {
      stream.end();
      throw error;
    }
    return stream.response();
  });

  return router;
}

/** The first heading of a Markdown text. */
function headingOf(content: string): string | null {
  return /^#\s+(.+)$/m.exec(content)?.[1]?.trim() ?? null;
}

function toServerEvent({ id, type, data }: DeskEvent): ServerEvent {
  const { threadId, ticketId, message, messageId, ...rest } = data;
  return {
    id,
    event: type,
    data: {
      ...(ticketId === undefined ? {} : { ticket_id: ticketId }),
      thread_id: threadId,
      ...(messageId === undefined ? {} : { message_id: messageId }),
      ...(message ? { message: toDeskMessageJson(message as TicketMessage) } : {}),
      ...rest,
    },
  };
}

const approvalRoute = routesOf('Desk: approvals', SIGNED_IN);

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

const listApprovals = approvalRoute('get', '/api/desk/approvals', 'listApprovals', {
  summary: 'Actions that wait for an operator, with what deciding them means',
  description: '`withdrawn`: those that their customers took back within the last day.',
  request: { query: languageQuery },
  responses: {
    200: json(
      'Oldest first.',
      z.object({ approvals: z.array(approvalSchema), withdrawn: z.array(approvalFields) }),
    ),
  },
});

const decide = approvalRoute('post', '/api/desk/approvals/{id}', 'decideApproval', {
  summary: 'Decide one exact action',
  description:
    'Of several decisions at once exactly one counts; the others are refused (409), also where the customer has taken the request back (`pending_withdrawn`, which says when and in which words). `edit` allows the action with other arguments, which pass policy and ownership like any call.',
  request: { params: z.object({ id: idSchema }), headers: writeHeaders, body: body(decisionSchema) },
  responses: {
    200: json('What came of it; `reply` is what the customer reads.', outcomeSchema),
    ...problemResponses(
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
  const router = createRouter();

  router.openapi(listApprovals, async (c) => {
    const details = await desk.approvalDetails(languageOf(c, { app, config }, c.req.valid('query').language));
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
