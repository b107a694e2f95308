import { z } from '@hono/zod-openapi';
import { CHANGE_STATUSES, HINDRANCES } from '../../../core/company-changes.js';
import { snaked } from '../../../core/domain/json.js';
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
import { idSchema, timeSchema } from '../schemas.js';
import { wire } from './desk-wire.js';

const route = routesOf('Desk: company', SIGNED_IN);

/** A path in the folder of a company. */
const pathSchema = z.string().min(1).max(300).openapi({ example: 'policy.yaml' });
const fileTextSchema = z.string().max(300_000);

/** A change in a list. */
const entrySchema = z
  .object({
    change_id: z.string(),
    path: z.string(),
    note: z.string(),
    author_id: z.string(),
    author: z.string(),
    created_at: timeSchema,
    status: z.enum(CHANGE_STATUSES),
    decider: z.string().nullable(),
    decided_at: timeSchema.nullable(),
  })
  .openapi('CompanyChangeEntry');

const findingSchema = z
  .object({
    severity: z.enum(['fault', 'warning']),
    file: z.string(),
    line: z.number().int().nullable(),
    problem: z.string(),
    remedy: z.string(),
  })
  .openapi('CompanyFinding');

const figureSchema = z
  .object({
    group: z.string().openapi({ description: '`all`, or a category of scenarios.' }),
    scenarios: z.number().int(),
    passed: z.number().openapi({ description: 'From 0 to 1.' }),
    standing: z
      .number()
      .nullable()
      .openapi({ description: 'The same of the scenarios in eval/baseline.json; null without one.' }),
  })
  .openapi('TrialFigure');

const failed = z.string().nullable().openapi({ description: 'Why it could not be done; null where it was.' });

/** A change with its texts and its trials. */
export const companyChangeSchema = entrySchema
  .extend({
    before: z.string(),
    after: z.string(),
    check: z
      .object({ at: timeSchema, standing: z.string(), findings: z.array(findingSchema), failed })
      .nullable(),
    evaluation: z
      .object({
        at: timeSchema,
        figures: z.array(figureSchema),
        worse: z.array(z.string()),
        better: z.array(z.string()),
        failed,
      })
      .nullable(),
    running: z.enum(['check', 'evaluation']).nullable(),
    hindrance: z.enum(HINDRANCES).nullable().openapi({
      description: 'Why it could not be approved as things stand; null of one that is decided.',
    }),
  })
  .openapi('CompanyChange');

/** The company's files at the desk. */
export const companyFilesSchema = z
  .object({
    locked: z.enum(['others_may_sign_in', 'read_only']).nullable().openapi({
      description: 'Why nothing can be changed: anybody could sign in twice, or the files are not writable.',
    }),
    reloads: z.boolean().openapi({ description: 'Whether the hub takes a change without a restart.' }),
    outdated: z.boolean().openapi({ description: 'Whether a file is newer than what the hub works with.' }),
    files: z.array(z.string()),
    changes: z.array(entrySchema).openapi({ description: 'The newest first.' }),
  })
  .openapi('CompanyFiles');

const listFiles = route('get', '/api/desk/company', 'getCompanyFiles', {
  summary: "The company's files that operators may change, and their changes",
  responses: { 200: json('Files.', companyFilesSchema) },
});

const showFile = route('get', '/api/desk/company/file', 'getCompanyFile', {
  summary: 'A file as it stands',
  request: { query: z.object({ path: pathSchema }) },
  responses: {
    200: json('Its text.', z.object({ path: z.string(), text: z.string() }).openapi('CompanyFile')),
    ...problemResponses('not_found'),
  },
});

const propose = route('post', '/api/desk/company/changes', 'proposeCompanyChange', {
  summary: 'Propose another text of a file',
  description:
    'Nothing is written before another operator approves it. The company is checked with it at once.',
  request: {
    headers: writeHeaders,
    body: body(
      z.object({
        path: pathSchema,
        before: fileTextSchema.openapi({ description: 'The file as it was read.' }),
        text: fileTextSchema,
        note: z.string().max(500).default(''),
      }),
    ),
  },
  responses: {
    201: json('The change.', companyChangeSchema),
    ...problemResponses('not_found', 'wrong_status'),
  },
});

const ofChange = { params: z.object({ change_id: idSchema }) };

const showChange = route('get', '/api/desk/company/changes/{change_id}', 'getCompanyChange', {
  summary: 'A change with both texts, what the check found and what the evaluation came to',
  request: ofChange,
  responses: { 200: json('The change.', companyChangeSchema) },
});

const tryOut = route('post', '/api/desk/company/changes/{change_id}/trials', 'tryCompanyChange', {
  summary: 'Check or evaluate a change on a copy of the company',
  description: 'It runs beside the hub, offline, and asks no system; the change says when it has ended.',
  request: {
    ...ofChange,
    headers: writeHeaders,
    body: body(z.object({ what: z.enum(['check', 'evaluation']) })),
  },
  responses: { 202: json('It has begun.', companyChangeSchema), ...problemResponses('wrong_status') },
});

const decide = route('post', '/api/desk/company/changes/{change_id}', 'decideCompanyChange', {
  summary: 'Approve a change, which writes the file, or decline it',
  description:
    'Its author cannot approve it; where the author declines, it is withdrawn. A file that has changed meanwhile, a fault that the check found, and a check of other files than those that stand refuse the approval (409).',
  request: {
    ...ofChange,
    headers: writeHeaders,
    body: body(z.object({ decision: z.enum(['approve', 'decline']) })),
  },
  responses: { 200: json('The decided change.', companyChangeSchema), ...problemResponses('wrong_status') },
});

/** The files of the company as operators change them. */
export function companyRoutes({ app: { companyDesk }, work }: HttpDeps): HubRouter {
  const router = createRouter();
  const toJson = (change: object) => wire(companyChangeSchema, snaked(change));

  router.openapi(listFiles, async (c) => {
    const { changes, ...rest } = await companyDesk.overview();
    return c.json(wire(companyFilesSchema, { ...rest, changes: changes.map(snaked) }), 200);
  });

  router.openapi(showFile, async (c) => {
    return c.json(await companyDesk.file(c.req.valid('query').path), 200);
  });

  router.openapi(propose, async (c) => {
    const { text: after, ...rest } = c.req.valid('json');
    return c.json(toJson(await work.track(companyDesk.propose(operatorOf(c), { ...rest, after }))), 201);
  });

  router.openapi(showChange, async (c) => {
    return c.json(toJson(await companyDesk.change(c.req.valid('param').change_id)), 200);
  });

  router.openapi(tryOut, async (c) => {
    const { change_id: changeId } = c.req.valid('param');
    return c.json(toJson(await companyDesk.tryOut(changeId, c.req.valid('json').what)), 202);
  });

  router.openapi(decide, async (c) => {
    const operator = operatorOf(c);
    const { change_id: changeId } = c.req.valid('param');
    const act = c.req.valid('json').decision === 'approve' ? companyDesk.approve : companyDesk.decline;
    return c.json(toJson(await work.track(act(changeId, operator))), 200);
  });

  return router;
}
