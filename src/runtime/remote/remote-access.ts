import type { RemoteAgents } from '../../core/ports/remote-agents.js';
import type { RemoteReasoner } from '../../core/ports/remote-reasoner.js';
import type { Meaning } from './fill-input.js';

/** What is needed to ask agents elsewhere. */
export interface RemoteAccess {
  readonly agents: RemoteAgents;
  /** Takes personal data and secrets out of a text. */
  readonly mask: (text: string) => string;
  /** Hosts that links in answers may lead to. */
  readonly linkHosts: readonly string[];
  /** All the time that one request may take elsewhere, milliseconds; well below that of a turn. */
  readonly deadlineMs: number;
  /** Absent where there is no model. */
  readonly reasoner?: RemoteReasoner;
  /** Tells what is near in meaning; without it the words alone count. */
  readonly meaning?: Meaning;
}
