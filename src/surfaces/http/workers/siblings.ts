import type { ShareStreams } from '../event-streams.js';
import type { Rendered } from './messages.js';

/** What a worker shares with the other processes of the same server. */
export interface Siblings {
  readonly streams: ShareStreams;
  /** The figures of all workers together. @throws where the primary does not answer */
  figures(): Promise<Rendered>;
}
