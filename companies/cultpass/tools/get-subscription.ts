import { z } from 'zod';
import { customerIdOf } from '../../../src/runtime/caller-facts.js';
import { defineTool, type ToolDeps } from '../../../src/runtime/define-tool.js';
import {
  type CultpassDeps,
  quotaShape,
  subscriptionShape,
  toQuotaShape,
  toSubscriptionShape,
} from './shapes.js';

/** The signed-in customer's plan and the visits left this month. */
export const getSubscription = ({ customers }: Pick<CultpassDeps, 'customers'>) =>
  defineTool({
    name: 'get_subscription',
    label: { en: 'Look up the subscription', 'pt-BR': 'Consultar a assinatura' },
    activity: { en: 'Looking at your plan', 'pt-BR': 'Olhando seu plano' },
    description: "The customer's subscription, with the visits used and left this month.",
    effect: 'read',
    access: 'customer',
    input: z.object({}),
    output: z.object({ subscription: subscriptionShape.nullable(), quota: quotaShape.nullable() }),
    async run(deps: Pick<ToolDeps, 'clock'>, _input, context) {
      const customerId = customerIdOf(context);
      const subscription = await customers.getSubscription(customerId);
      const quota = await customers.getQuotaUsage(customerId, deps.clock.now());
      return {
        subscription: subscription && toSubscriptionShape(subscription),
        quota: quota && toQuotaShape(quota),
      };
    },
  });
