import type { Capability, CapabilityAgent, OutsideCaller } from '../core/capabilities.js';
import type { SkillSummary } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import type { Log, Skills } from '../core/ports/index.js';
import { titleOf } from '../core/text.js';
import type { AgentDefinition, AgentRoster } from '../runtime/agent-definition.js';
import { scopeOf } from '../runtime/caller-facts.js';
import type { AnyTool } from '../runtime/define-tool.js';
import { skillInputSchema, skillOutputSchema, staffInputSchema } from './skill-schema.js';
import { toolInputSchema, toolOutputSchema } from './tool-schema.js';

/** A capability with what runs it. */
export type Entry =
  | { readonly capability: Capability; readonly tool: AnyTool; readonly skill?: never }
  | { readonly capability: Capability; readonly skill: SkillSummary; readonly tool?: never };

/** What other software may call, made of the rosters and of the published skills. */
interface Catalogue {
  entries(caller?: OutsideCaller): readonly Entry[];
  /** @throws HubError `not_found` */
  find(name: string, caller?: OutsideCaller): Entry;
  agents(caller?: OutsideCaller): readonly CapabilityAgent[];
}

/** Each skill is offered by itself, so that nobody has to guess which one this would pick. */
const LEFT_OUT = 'investigate';
const SKILLS_OF = 'investigation';
const NAME = /^[a-z0-9_-]{1,64}$/;

/** Reads the rosters once, when it is first asked, and the skills each time: their folders may change. */
export function createCatalogue(
  skills: Pick<Skills, 'list'>,
  { all }: AgentRoster,
  triage: AgentDefinition,
  log: Log,
): Catalogue {
  const roster: readonly AgentDefinition[] = [triage, ...all];
  let read: ReadonlyMap<string, Entry> | undefined;
  // The schemas of all tools take a tenth of a start, and most processes are never asked for them.
  const tools = (): ReadonlyMap<string, Entry> => {
    read ??= toolEntries(roster);
    return read;
  };
  const investigates = all.some(({ name }) => name === SKILLS_OF);
  const made = { outside: new WeakMap<SkillSummary, Entry>(), staff: new WeakMap<SkillSummary, Entry>() };
  const logged = new Set<string>();
  const leftOut = (id: string, reason: string): null => {
    if (!logged.has(`${id} ${reason}`)) {
      logged.add(`${id} ${reason}`);
      log.warn({ agent: 'capabilities', action: 'skill_not_offered', details: { skill: id, reason } });
    }
    return null;
  };
  const entryOf = (skill: SkillSummary, staff: boolean): Entry | null => {
    if (skill.status !== 'active') return null;
    if (tools().has(skill.id)) return leftOut(skill.id, 'a tool has this name');
    if (!NAME.test(skill.id)) return leftOut(skill.id, 'the name does not fit the protocols');
    // A skill that changes something runs no gate of its own, and a confirmation covers the actions of the roster only.
    if (skill.effect !== 'read') return leftOut(skill.id, `its effect is ${skill.effect}`);
    // A customer's program chooses the input, and must not choose by it whose data it reads.
    if (!staff && skill.reach !== 'customer') return null;
    const kept = staff ? made.staff : made.outside;
    const known = kept.get(skill);
    if (known) return known;
    const entry = { capability: skillCapability(skill, staff), skill };
    kept.set(skill, entry);
    return entry;
  };
  const skillEntries = (caller: OutsideCaller | undefined): readonly Entry[] =>
    (investigates ? skills.list() : []).flatMap(
      (skill) => entryOf(skill, caller?.operator !== undefined) ?? [],
    );

  return {
    entries: (caller) => [...tools().values(), ...skillEntries(caller)],
    find(name, caller) {
      const found =
        tools().get(name) ?? skillEntries(caller).find(({ capability }) => capability.name === name);
      if (found) return found;
      const shown = name.slice(0, 80);
      throw new HubError('not_found', `There is no tool or skill "${shown}".`, { name: shown });
    },
    agents(caller) {
      const all = [...tools().values(), ...skillEntries(caller)].map(({ capability }) => capability);
      return roster.map((agent) => ({
        name: agent.name,
        title: titleOf(agent.name),
        description: agent.description,
        route: agent.route,
        converses: agent.name !== triage.name,
        capabilities: all.filter(({ agents }) => agents.includes(agent.name)),
      }));
    },
  };
}

function toolEntries(roster: readonly AgentDefinition[]): ReadonlyMap<string, Entry> {
  const all = new Map<string, Entry>();
  for (const { tools } of roster) {
    for (const tool of tools) {
      if (tool.name === LEFT_OUT || all.has(tool.name)) continue;
      all.set(tool.name, { capability: toolCapability(tool, roster), tool });
    }
  }
  return all;
}

function toolCapability(tool: AnyTool, roster: readonly AgentDefinition[]): Capability {
  const agents = roster.filter(({ tools }) => tools.includes(tool)).map(({ name }) => name);
  return {
    name: tool.name,
    kind: 'tool',
    agent: agents[0] ?? '',
    agents,
    title: titleOf(tool.name),
    description: tool.description,
    tags: [...agents, tool.effect],
    effect: tool.effect,
    access: tool.access,
    scope: scopeOf(tool),
    inputSchema: toolInputSchema(tool),
    outputSchema: toolOutputSchema(tool),
  };
}

function skillCapability(skill: SkillSummary, staff: boolean): Capability {
  return {
    name: skill.id,
    kind: 'skill',
    agent: SKILLS_OF,
    agents: [SKILLS_OF],
    title: skill.title,
    description: skill.description,
    tags: skill.tags,
    effect: skill.effect,
    access: 'customer',
    scope: 'skill:run',
    inputSchema: staff ? staffInputSchema(skill) : skillInputSchema(skill),
    outputSchema: skillOutputSchema(skill),
  };
}
