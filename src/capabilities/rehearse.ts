import type { CapabilityCall, RehearsedChange } from '../core/capabilities.js';
import type { JsonObject } from '../core/domain/json.js';
import type { ActionPlan, ActionTool } from '../runtime/define-tool.js';
import { type CapabilityDeps, demandCustomer, languageOf } from './caller-session.js';
import { toolInput, wireData } from './tool-schema.js';

type Denied = Extract<ActionPlan, { kind: 'denied' }>;

/** Plans a change in every language of the company, and says what would be asked and done. @throws HubError `input_invalid` */
export async function rehearsed(
  deps: CapabilityDeps,
  tool: ActionTool,
  { caller, input: given }: Pick<CapabilityCall, 'caller' | 'input'>,
): Promise<RehearsedChange> {
  const { tools } = deps;
  const input = toolInput(tool, given);
  const customerId = demandCustomer(caller);
  const plans = await Promise.all(
    tools.texts.languages.map(
      async (language) => [language, await tool.plan(tools, input, customerId, { language })] as const,
    ),
  );
  const said = (language: string, { code, said: own }: Denied): string => {
    const texts = tools.texts.for(language);
    return own ?? tool.refused?.(code, texts) ?? texts.sayOf('refusal', code);
  };
  const language = await languageOf(deps, caller, undefined);
  const plan = (plans.find(([one]) => one === language) ?? plans[0])?.[1];
  const asked = plans.flatMap(([one, planned]) =>
    planned.kind === 'ready'
      ? [
          [
            one,
            {
              question: planned.question,
              yes: planned.answers?.yes ?? null,
              no: planned.answers?.no ?? null,
            },
          ] as const,
        ]
      : [],
  );
  const refusals = plans.flatMap(([one, planned]) =>
    planned.kind === 'denied' ? [[one, said(one, planned)] as const] : [],
  );
  const customer = (await tools.customers.get(customerId))?.name ?? customerId;
  const isReady = plan?.kind === 'ready';
  return {
    ...{ tool: tool.name, input: given, undecided: null, performs: null },
    ...(await tool.rehearse?.(tools, input, customerId)),
    refused:
      plan?.kind === 'denied'
        ? { code: plan.code, rule: plan.rule ?? null, said: Object.fromEntries(refusals) }
        : null,
    terms: isReady ? (wireData(plan.terms) as JsonObject) : null,
    asked: Object.fromEntries(asked),
    approval: isReady ? plan.approval : null,
    effects: isReady ? await tool.consequences(tools, input, { customerId, customer, language }) : [],
  };
}
