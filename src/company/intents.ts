import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CompanyProfile, issueTypeIds, issueTypeOf } from '../core/domain/company.js';
import type { EntityWords } from '../core/domain/entity.js';
import {
  createIntentTable,
  INTENT_GROUPS,
  type IntentInfo,
  type IntentTable,
} from '../core/domain/intent.js';
import { ESCALATION_ROUTE, PRIORITIES, type Route } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { NAME, readYaml, wrongAt } from './yaml-file.js';

const ENGINE_FILE = fileURLToPath(new URL('../../data/nlu/engine-intents.yaml', import.meta.url));
const WHAT = 'intents';

const name = z.string().regex(NAME, 'must be lower case with underscores');

const engineSchema = z.strictObject({
  intents: z.array(
    z.strictObject({
      name,
      group: z.enum(INTENT_GROUPS),
      route: name,
      priority: z.enum(PRIORITIES).nullable().default(null),
    }),
  ),
});

const companySchema = z.strictObject({
  engine_issue_types: z.record(name, name).default({}),
  intents: z.array(
    z.strictObject({
      name,
      group: z.enum(['knowledge', 'account', 'action', 'symptom']),
      issue_type: name,
      route: name,
      needs_sign_in: z.boolean().default(false),
      tool: name.nullable().default(null),
      args: z.record(name, z.union([z.string(), z.number(), z.boolean()])).default({}),
      slots: z.record(name, z.enum(['days'])).default({}),
      instead: name.nullable().default(null),
      entity: name.nullable().default(null),
      self_service: z.boolean().default(false),
      priority: z.enum(PRIORITIES).nullable().default(null),
      pressing: z.boolean().default(false),
      today: z.enum(['always', 'problem', 'never']).optional(),
    }),
  ),
});

/**
 * Reads the intents of a company and puts the engine's own beside them.
 * @param folder absolute path of the company
 * @throws HubError `config_invalid` with one line that names the file, the intent and what is wrong
 */
export function readIntents(
  folder: string,
  profile: Pick<CompanyProfile, 'issueTypes'>,
  entities: readonly Pick<EntityWords, 'id'>[],
): IntentTable {
  const file = join(folder, 'intents', 'intents.yaml');
  const own = readYaml(WHAT, ENGINE_FILE, engineSchema).intents;
  const given = readYaml(WHAT, file, companySchema);
  const known = issueTypeIds(profile);
  const ownNames = new Set(own.map((intent) => intent.name));
  for (const [intent, issueType] of Object.entries(given.engine_issue_types)) {
    const where = `engine_issue_types.${intent}`;
    if (!ownNames.has(intent)) throw wrongAt(WHAT, file, where, 'the engine has no such intent');
    if (!known.includes(issueType)) throw wrongAt(WHAT, file, where, noIssueType(issueType));
  }
  const seen = new Set<string>();
  for (const intent of given.intents) {
    if (ownNames.has(intent.name))
      throw wrongAt(WHAT, file, intent.name, 'is one of the engine, which has it already');
    if (seen.has(intent.name)) throw wrongAt(WHAT, file, intent.name, 'is there twice');
    if (!known.includes(intent.issue_type))
      throw wrongAt(WHAT, file, intent.name, noIssueType(intent.issue_type));
    if (intent.entity !== null && !entities.some(({ id }) => id === intent.entity))
      throw wrongAt(WHAT, file, intent.name, `there is no entity "${intent.entity}"`);
    if (intent.instead !== null && !given.intents.some((other) => other.name === intent.instead))
      throw wrongAt(WHAT, file, intent.name, `there is no intent "${intent.instead}"`);
    seen.add(intent.name);
  }
  const otherwise = issueTypeOf(profile, '').id;
  return createIntentTable([
    ...own.map((intent) => ({
      ...ENGINE_DEFAULTS,
      ...intent,
      issueType: given.engine_issue_types[intent.name] ?? otherwise,
    })),
    ...given.intents.map(
      ({ issue_type, needs_sign_in, self_service, today, ...intent }): IntentInfo => ({
        ...intent,
        issueType: issue_type,
        needsSignIn: needs_sign_in,
        selfService: self_service,
        today: today ?? (intent.group === 'action' ? 'always' : 'never'),
      }),
    ),
  ]);
}

/**
 * Holds the intents against the agents there are, and against the tools of those that ship.
 * @throws HubError `config_invalid` where an intent names a route that leads to no agent, or a tool that there is not
 */
export function demandReach(
  intents: IntentTable,
  routes: readonly Route[],
  agents: readonly { readonly tools: readonly { readonly name: string }[] }[],
): void {
  const tools = new Set(agents.flatMap((agent) => agent.tools.map(({ name }) => name)));
  for (const intent of intents.names) {
    const { route, tool } = intents.of(intent);
    if (tool !== null && !tools.has(tool))
      throw new HubError(
        'config_invalid',
        `The intent ${intent} has the tool "${tool}", which there is not`,
        {
          intent,
          tool,
        },
      );
    if (route === ESCALATION_ROUTE || routes.includes(route)) continue;
    const message = `The intent ${intent} has the route "${route}", which no agent declares; there are ${routes.join(', ')}`;
    throw new HubError('config_invalid', message, { intent, route });
  }
}

const ENGINE_DEFAULTS = {
  needsSignIn: false,
  tool: null,
  args: {},
  slots: {},
  instead: null,
  entity: null,
  selfService: false,
  pressing: false,
  today: 'never',
} as const;

function noIssueType(id: string): string {
  return `company.yaml has no issue type "${id}"`;
}
