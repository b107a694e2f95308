import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgents } from '../../../agents/index.js';
import { issueTypeIds } from '../../../src/core/domain/company.js';
import { defineAction, defineTool } from '../../../src/runtime/define-tool.js';
import { type RosterParts, rosterProblems, withDoers } from '../../../src/runtime/roster.js';
import { CULTPASS, CULTPASS_NLU } from '../../support/company.js';
import { AGENTS } from '../../support/roster.js';

const about = { description: 'One.', access: 'customer', input: z.object({ id: z.string() }) } as const;
const never = () => Promise.reject(new Error('Nothing is called here'));
const read = defineTool({ ...about, name: 'get_points', effect: 'read', output: z.object({}), run: never });
const change = defineAction({
  ...about,
  name: 'spend_points',
  effect: 'irreversible',
  issueType: 'subscription',
  output: z.object({}),
  claims: () => [],
  plan: never,
  matter: never,
  consequences: never,
  perform: never,
  request: () => 'spend points',
  describe: () => 'Done.',
});

const INTENTS = withDoers(CULTPASS_NLU.intents, AGENTS);

/** What is said of a roster that ships, with one agent more. */
function problemsWith(tools: RosterParts['agents'][number]['tools'], other: Partial<RosterParts> = {}) {
  return rosterProblems({
    agents: [...AGENTS, { name: 'perks', tools }],
    operatorActions: [],
    routes: AGENTS.map(({ route }) => route),
    intents: INTENTS,
    entities: CULTPASS_NLU.entities.map(({ id }) => id),
    issueTypes: issueTypeIds(CULTPASS),
    ...other,
  }).map(({ problem }) => problem);
}

describe('names that tools, agents and intents give one another', () => {
  it('[COMP-01] fit in the hub that ships, and with a tool more', () => {
    expect(problemsWith([read, change])).toEqual([]);
  });

  it.each([
    [
      'the entity that it lists',
      { ...read, lists: { entity: 'point', records: () => [] } },
      'lists the entity "point"',
    ],
    ['a tool that it spares', { ...read, spares: ['get_pionts'] }, 'spares the tool "get_pionts"'],
    ['its issue type', { ...change, issueType: 'pionts' }, 'has the issue type "pionts"'],
    [
      'the input of its record',
      { ...change, target: { entity: 'reservation', input: 'nr', eligible: () => [] } },
      'as the input "nr"',
    ],
    [
      'records that nothing lists',
      { ...change, target: { entity: 'subscription', input: 'id', eligible: () => [] } },
      'no tool of its agent perks lists them',
    ],
    ['an intent that it does', { ...read, does: ['show_pionts'] }, 'does the intent "show_pionts"'],
    [
      'an intent of another',
      { ...read, does: ['pause_subscription'] },
      'which update_subscription does already',
    ],
    ['its name twice', { ...read, name: 'get_subscription' }, 'two tools of the name get_subscription'],
  ])('[COMP-01] are told of where nothing has them: %s', (_what, tool, said) => {
    expect(problemsWith([tool]).join('\n')).toContain(said);
  });

  it('[COMP-03] are told of where an intent gives a tool what it does not take', () => {
    const intents = INTENTS;
    const typo = {
      ...intents,
      of: (name: string) => ({
        ...intents.of(name),
        ...(name === 'pause_subscription' ? { slots: { dyas: 'days' as const } } : {}),
      }),
    };
    expect(problemsWith([], { intents: typo })).toEqual([
      'The intent pause_subscription gives update_subscription the input "dyas", which it does not take.',
    ]);
  });

  it('[COMP-01] stop the start where tools or words are given to an agent that there is not', () => {
    expect(() => createAgents({ perks: [read] })).toThrow(
      /Tools are given to the agent "perks", which is none of knowledge, /,
    );
    expect(() =>
      createAgents({}, { agents: { perks: { description: 'Points.' } }, off: { agents: [], tools: [] } }),
    ).toThrow(/company\.yaml describes the agent "perks"/);
  });
});
