import { HubError } from '../../../src/core/errors.js';
import type { RemoteAgents } from '../../../src/core/ports/remote-agents.js';
import { type Hub, type HubOptions, openHub } from '../../support/hub.js';
import {
  remoteCard,
  remoteSkill,
  type ScriptedAgent,
  type ScriptedRemote,
  scriptedRemote,
} from '../../support/scripted-remote.js';

export const ANA = 'ana.souza@example.com';

/** Cannot be reached, and has certainly done nothing. */
export const DOWN = new HubError('remote_unreachable', 'It cannot be reached.', { certain: true });

/** What the partner's card says it does. */
const SPOT = remoteSkill({
  id: 'find_spot',
  name: 'Find a parking spot',
  tags: ['parking', 'estacionamento'],
  examples: ['Where can I park near MASP?', 'Onde posso estacionar perto do MASP?'],
});

/** A partner that knows about parking, named by a few words. */
export const PARKING: ScriptedAgent = {
  name: 'parking_partner',
  description: 'Parking near venues.',
  keywords: ['parking', 'park', 'estacionamento', 'estacionar'],
  card: remoteCard([SPOT]),
  specific: { find_spot: [{ text: 'Garage A is 200 m away.' }] },
  generic: [{ text: 'Garage B is open until 22:00.' }],
};

/** One hub, opened once, whose agents elsewhere are another cast in every test; and hubs of their own where needed. */
export class World {
  readonly #others: Hub[] = [];

  private constructor(
    readonly hub: Hub,
    private readonly stage: { remote: ScriptedRemote },
  ) {}

  static async open(): Promise<World> {
    const stage = { remote: scriptedRemote([{ name: 'parking_partner' }, { name: 'pets' }]) };
    const remoteAgents: RemoteAgents = {
      list: () => stage.remote.list(),
      card: (...args) => stage.remote.card(...args),
      callSkill: (...args) => stage.remote.callSkill(...args),
      send: (...args) => stage.remote.send(...args),
      close: async () => undefined,
    };
    return new World(await openHub({ overrides: { remoteAgents } }), stage);
  }

  /** Sets the stage of the shared hub. */
  cast(agents: readonly ScriptedAgent[]) {
    const { hub } = this;
    const remote = scriptedRemote(agents);
    this.stage.remote = remote;
    const from = hub.log.entries.length;
    const logged = () => hub.log.entries.slice(from).filter(({ agent }) => agent === 'remote');
    return { hub, remote, logged };
  }

  /** A hub of its own, for another environment. */
  async another(agents: readonly ScriptedAgent[], options: HubOptions = {}) {
    const remote = scriptedRemote(agents);
    const hub = await openHub({ ...options, overrides: { remoteAgents: remote } });
    this.#others.push(hub);
    return { hub, remote };
  }

  /** Closes the hubs of the last test. */
  async tidy(): Promise<void> {
    for (const other of this.#others.splice(0)) await other.close();
  }
}
