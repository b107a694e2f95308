import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import { unlessUnreachable } from '../../core/signals.js';
import { languageOf } from './desk/desk-wire.js';
import type { HttpDeps } from './http-deps.js';
import { createRouter, type HubRouter, json, problemResponses, routesOf, SIGNED_IN } from './router.js';
import { idSchema, languageSchema, timeSchema } from './schemas.js';

const publicRoute = routesOf('Operations');
const page = routesOf('Pages');
const signedInPage = routesOf('Pages', SIGNED_IN);

const partSchema = z
  .object({
    name: z.string(),
    status: z.enum(['ok', 'degraded', 'failed']),
    detail: z.string().nullable(),
    ms: z.number(),
  })
  .openapi('HealthPart');
const healthSchema = z.object({ ready: z.boolean(), parts: z.array(partSchema) }).openapi('Health', {
  description: 'Ready unless a part has failed; `degraded`: it works without, but worse.',
});

const alive = publicRoute('get', '/healthz', 'getHealth', {
  summary: 'Does the process live?',
  responses: { 200: json('It does.', z.object({ status: z.literal('ok') })) },
});

const ready = publicRoute('get', '/readyz', 'getReadiness', {
  summary: 'Can it serve? Each part by name',
  responses: { 200: json('Ready.', healthSchema), 503: json('A part has failed.', healthSchema) },
});

const metrics = publicRoute('get', '/metrics', 'getMetrics', {
  summary: 'Figures for Prometheus',
  description: 'Where a metrics token is configured, it is sent as `Authorization: Bearer`.',
  responses: {
    200: { description: 'The text format.', content: { 'text/plain': { schema: z.string() } } },
    ...problemResponses('not_signed_in'),
  },
});

const settings = page('get', '/api/config', 'getConfig', {
  summary: 'What a page needs before anybody has signed in',
  responses: {
    200: json(
      'Settings that are no secret.',
      z
        .object({
          demo: z.boolean(),
          visitors: z.boolean().openapi({ description: 'Who has not signed in may ask too.' }),
          locale: languageSchema,
          demo_customers: z.array(
            z.object({
              email: z.string(),
              name: z.string(),
              blocked: z.boolean(),
              notes: z.array(z.string()).openapi({
                description: 'What stands on the record, such as a pause or a payment that failed.',
              }),
            }),
          ),
          max_message_chars: z.number().int(),
          files: z
            .object({
              max_bytes: z.number().int(),
              per_message: z.number().int(),
              types: z.array(z.string()),
            })
            .openapi({ description: 'What may come with a message; types are endings of names.' }),
          link_hosts: z.array(z.string()),
          studio: z.boolean().openapi({ description: 'Operators may open a ticket in LangGraph Studio.' }),
          push_key: z
            .string()
            .openapi({ description: 'The public key of this hub for web push (VAPID), base64url.' }),
          support_hours: z.object({
            opens: z.string().openapi({ example: '09:00' }),
            closes: z.string().openapi({ example: '18:00' }),
            weekdays: z.array(z.number().int()).openapi({ description: '0 is Sunday' }),
            time_zone: z.string(),
          }),
        })
        .openapi('PublicConfig'),
    ),
  },
});

const article = signedInPage('get', '/api/articles/{article_id}', 'getArticle', {
  summary: 'An article of the knowledge base',
  request: { params: z.object({ article_id: idSchema }) },
  responses: {
    200: json(
      'The article; its content is Markdown.',
      z
        .object({
          article_id: z.string(),
          title: z.string(),
          content: z.string(),
          tags: z.array(z.string()),
          language: languageSchema,
          updated_at: timeSchema,
        })
        .openapi('Article'),
    ),
  },
});

const DEMO_CUSTOMERS = 50;

/** Health, metrics, and what pages ask for. */
export function systemRoutes({ app, config }: HttpDeps): HubRouter {
  const router = createRouter();

  router.openapi(alive, (c) => c.json({ status: 'ok' as const }, 200));

  router.openapi(ready, async (c) => {
    const { ready: isReady, parts } = await app.health();
    return c.json({ ready: isReady, parts: [...parts] }, isReady ? 200 : 503);
  });

  router.openapi(metrics, async (c) => {
    demandToken(c.req.header('authorization'), config.server.metricsToken);
    const { contentType, text } = await app.metrics.render();
    return c.text(text, 200, { 'content-type': contentType });
  });

  router.openapi(settings, async (c) => {
    const { demo } = app.sessions;
    const { opens, closes, weekdays, timeZone } = app.supportHours;
    const language = languageOf(c, { app, config });
    const users = demo ? await unlessUnreachable(demoCustomers(app, language), []) : [];
    return c.json(
      {
        demo,
        visitors: config.server.visitors,
        locale: config.locale,
        demo_customers: [...users],
        max_message_chars: config.turn.maxMessageChars,
        files: {
          max_bytes: app.files.maxBytes,
          per_message: app.files.perMessage,
          types: [...app.files.types],
        },
        link_hosts: [...config.server.linkHosts],
        studio: app.studio !== null,
        push_key: await app.push.publicKey(),
        support_hours: { opens, closes, weekdays: [...weekdays], time_zone: timeZone },
      },
      200,
    );
  });

  router.openapi(article, async (c) => {
    const found = await app.kb.show(c.req.valid('param').article_id);
    const { articleId, title, content, tags, language, updatedAt } = found;
    return c.json(
      { article_id: articleId, title, content, tags: [...tags], language, updated_at: updatedAt },
      200,
    );
  });
  return router;
}

/** Whom one may be in a demo, and what is special about each: who is blocked, paused or owes money is worth a try. */
async function demoCustomers({ desk }: HttpDeps['app'], language: Language) {
  const users = await desk.findCustomers('', DEMO_CUSTOMERS);
  return Promise.all(
    users.map(async ({ customerId, email, name }) => {
      const flags = await desk.flags(customerId, language);
      const blocked = flags.some(({ kind }) => kind === 'blocked');
      return { email, name, blocked, notes: flags.flatMap(({ label }) => (label === '' ? [] : [label])) };
    }),
  );
}

function demandToken(header: string | undefined, wanted: string | undefined): void {
  if (wanted === undefined) return;
  const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(given), digest(wanted)))
    throw new HubError('not_signed_in', 'The metrics need their token.');
}
