import type {
  Capabilities,
  Capability,
  CapabilityCall,
  CapabilityOutcome,
  OutsideCaller,
} from '../core/capabilities.js';
import { proposeAction } from './actions.js';
import { createCallLog } from './call-log.js';
import { demandCustomer, demandPresent, languageOf } from './caller-session.js';
import type { CapabilityDeps } from './capability-deps.js';
import { createCatalogue, type Entry } from './catalogue.js';
import { callIdOf, demandRights, demandScope, demandWhole } from './checked-call.js';
import { createConfirmations } from './confirm.js';
import { createConfirmationTokens } from './confirmation-token.js';
import { once } from './once.js';
import { createQuestions } from './questions.js';
import { runPlain } from './run-plain.js';
import { chooseFor, runSkill, skillStatus } from './run-skill.js';
import { ownInput } from './skill-input.js';
import { toolInput } from './tool-schema.js';

/** See `Capabilities`. Every call is checked here; what passes runs through the gates of the chat. */
export function createCapabilities(deps: CapabilityDeps): Capabilities {
  const catalogue = createCatalogue(deps.tools.skills, deps.agents, deps.triage, deps.tools.log);
  const tokens = createConfirmationTokens(deps.secrets);
  const questions = createQuestions(deps, tokens);
  const confirmations = createConfirmations(deps, questions, tokens);
  const callLog = createCallLog(deps);

  const run = async (entry: Entry, call: CapabilityCall): Promise<CapabilityOutcome> => {
    const { tool } = entry;
    // Before anything is kept under the call's key: what is wrong with it may be put right.
    const input = tool ? toolInput(tool, call.input) : call.input;
    if (tool?.access === 'customer') demandCustomer(call.caller);
    return once(
      deps,
      call,
      async () => {
        const language = await languageOf(deps, call.caller, call.language);
        const callId = callIdOf(call, deps.ids);
        if (!tool) return runSkill(deps, entry, { call, input: call.input, language, callId });
        const checked = { call, input, language, callId };
        return tool.effect === 'irreversible'
          ? proposeAction(deps, confirmations, tool, checked)
          : runPlain(deps, tool, checked);
      },
      (id) => statusOf(call.caller, id),
    );
  };
  const traced = (
    { caller, input }: CapabilityCall,
    name: string,
    work: () => Promise<CapabilityOutcome>,
  ): Promise<CapabilityOutcome> => {
    const { tracing } = deps;
    if (!tracing) return work();
    const { identity, channel } = caller;
    return tracing.call({ identity, channel, name }, () => tracing.part({ kind: 'tool', name, input }, work));
  };
  /** Calls that came to an end, as those of agents are counted. */
  const counted = async (
    { agent, name }: Capability,
    work: () => Promise<CapabilityOutcome>,
  ): Promise<CapabilityOutcome> => {
    try {
      const outcome = await work();
      const over = outcome.kind === 'done' || outcome.kind === 'refused';
      if (over) deps.metrics.toolCall(agent, name, outcome.kind === 'done');
      return outcome;
    } catch (error) {
      deps.metrics.toolCall(agent, name, false);
      throw error;
    }
  };
  const statusOf = async (caller: OutsideCaller, id: string): Promise<CapabilityOutcome> => {
    if (id.startsWith('run_')) {
      demandScope(caller, 'skill:run', 'A question of a skill');
      return skillStatus(deps, caller, id);
    }
    demandScope(caller, 'action:write', 'A question about a change');
    return confirmations.status(demandCustomer(caller), id);
  };

  return {
    list: (caller) => catalogue.entries(caller).map(({ capability }) => capability),
    agents: (caller) => catalogue.agents(caller),
    get: (name, caller) => catalogue.find(name, caller).capability,
    async call(call) {
      demandWhole(call);
      return callLog.call(call, async () => {
        const entry = catalogue.find(call.name, call.caller);
        const { capability } = entry;
        demandRights(entry, call.caller);
        await demandPresent(deps, call.caller);
        return counted(capability, () => traced(call, capability.name, () => run(entry, call)));
      });
    },
    async skillInput(caller, { skillId, version }, input) {
      const { inputSchema } = deps.tools.skills.get(skillId, version);
      if (caller.operator || caller.identity.kind !== 'customer') return input;
      const language = await languageOf(deps, caller, undefined);
      return ownInput(deps.tools, inputSchema, input, caller.identity.customerId, language);
    },
    confirm: (answer) =>
      callLog.answer(answer, async () => {
        demandCustomer(answer.caller);
        demandScope(answer.caller, 'action:write', 'A confirmation');
        await demandPresent(deps, answer.caller);
        return confirmations.answer(answer);
      }),
    async withdraw(withdrawal) {
      const { caller } = withdrawal;
      demandScope(caller, 'action:write', 'A withdrawal');
      await demandPresent(deps, caller);
      return confirmations.withdraw(withdrawal);
    },
    async choose(answer) {
      demandScope(answer.caller, 'skill:run', 'The question of a skill');
      return chooseFor(deps, answer);
    },
    async status(caller, id) {
      await demandPresent(deps, caller);
      return statusOf(caller, id);
    },
  };
}
