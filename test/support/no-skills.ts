import { HubError } from '../../src/core/errors.js';
import type { Skills } from '../../src/core/ports/skills.js';

const unknown = (skillId: string): never => {
  throw new HubError('skill_unknown', `There is no skill ${skillId}.`);
};

/** An installation without any skill. */
export const NO_SKILLS: Skills = {
  list: () => [],
  get: (skillId) => unknown(skillId),
  pick: () => ({ kind: 'none', ranked: [] }),
  inputFrom: (skillId) => unknown(skillId),
  run: ({ skillId }) => Promise.reject(new HubError('skill_unknown', `There is no skill ${skillId}.`)),
  resume: (runId) => Promise.reject(new HubError('run_unknown', `There is no run ${runId}.`)),
  show: () => Promise.resolve(null),
  forTicket: () => Promise.resolve([]),
  assign: () => Promise.resolve(),
  ticketOf: () => Promise.resolve(null),
};
