import type { HttpDeps } from '../http-deps.js';
import { createRouter, type HubRouter } from '../router.js';
import { approvalRoutes } from './approval-routes.js';
import { customerRoutes } from './customer-routes.js';
import { knowledgeRoutes } from './knowledge-routes.js';
import { overviewRoutes } from './overview-routes.js';
import { ticketRoutes } from './ticket-routes.js';
import { workRoutes } from './work-routes.js';

/** Everything under /api/desk. */
export function deskRoutes(deps: HttpDeps): HubRouter {
  const router = createRouter();
  for (const part of [
    ticketRoutes,
    workRoutes,
    approvalRoutes,
    customerRoutes,
    knowledgeRoutes,
    overviewRoutes,
  ])
    router.route('/', part(deps));
  return router;
}
