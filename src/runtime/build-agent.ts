import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { createAgent } from 'langchain';
import type { CompanyProfile } from '../core/domain/company.js';
import { inLanguage } from '../core/domain/language.js';
import { type AgentDefinition, agentStateSchema } from './agent-definition.js';
import type { ToolDeps } from './define-tool.js';
import { HubTool } from './hub-tool.js';
import { modelStep } from './model-step.js';

interface BuildAgentOptions {
  readonly model: BaseChatModel;
  /** The agent's rules, for requests that no answer of the model is sent for; absent where answers are not reviewed. */
  readonly rules?: BaseChatModel;
  readonly deps: ToolDeps;
}

/**
 * The one call that makes an agent: a ReAct subgraph of LangChain's createAgent, with
 * - what is certain done first (prefetch), and answers that need no model given without one;
 * - the prompt made from the file and the turn;
 * - at most one irreversible call at a time, so that two questions to the customer never overlap.
 */
export function buildAgent(definition: AgentDefinition, { model, rules, deps }: BuildAgentOptions) {
  const prompt = readPrompt(definition.prompt, deps.company, [], definition);
  const tools = definition.tools.map((tool) => new HubTool(tool, deps, definition.name));
  const waitsForApproval = tools.some((tool) => tool.effect === 'irreversible');
  return createAgent({
    name: definition.name,
    description: definition.description,
    model,
    tools,
    middleware: [modelStep({ definition, prompt, tools, deps, rules })],
    stateSchema: agentStateSchema,
    // Only an agent that asks for confirmations needs its steps stored; any other starts again where it broke off.
    ...(waitsForApproval ? {} : { checkpointer: false, version: 'v1' as const }),
  }).graph;
}

/** How a company calls a prompt of the engine: by its agent, or by its file where that is no agent's. */
export function promptName(file: URL): string {
  const path = fileURLToPath(file);
  const name = basename(path, '.md');
  return name === 'prompt' ? basename(dirname(path)) : name;
}

/**
 * Reads a prompt, the company's own where it has one, and fills in the company: `{{company}}` its name, `{{about}}` what it is, `{{time_zone}}` how people
 * call its time, `{{issue_types}}` what belongs to them where the name does not say it; and the agents: `{{agents}}` a line each, `{{routes}}` what is
 * sent to them; and `{{agent}}` and `{{description}}` whose prompt it is. The same for every turn, so that a provider can cache it.
 * @throws Error where the file names anything else
 */
export function readPrompt(
  file: URL,
  { name, about, timeZone, timeZoneName, issueTypes, prompts = {} }: CompanyProfile,
  agents: readonly Pick<AgentDefinition, 'name' | 'description' | 'route' | 'takes'>[] = [],
  own?: Pick<AgentDefinition, 'name' | 'description'>,
): string {
  const values: Readonly<Record<string, string>> = {
    company: name,
    about: inLanguage(about, 'en') ?? '',
    time_zone: inLanguage(timeZoneName, 'en') ?? timeZone,
    issue_types: issueTypes
      .flatMap(({ id, about }) => (about === null ? [] : [`${id}: ${about}`]))
      .join('; '),
    agents: agents
      .map(({ name: agent, takes, description }) => `- ${agent}: ${takes ?? description}`)
      .join('\n'),
    ...(own && { agent: own.name, description: own.description }),
    routes: agents
      .map(({ route, takes, description }) => `${route}${inBrackets(takes ?? description)}`)
      .join('; '),
  };
  const text = prompts[promptName(file)] ?? readFileSync(file, 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`The prompt ${file.pathname} asks for {{${key}}}`);
    return value;
  });
}

function inBrackets(text: string | null): string {
  return text === null ? '' : ` (${text})`;
}
