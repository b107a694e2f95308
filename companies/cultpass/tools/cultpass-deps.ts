import type { CustomerReader, CustomerWriter } from '../data/ports.js';
import type { CultpassPolicy } from '../policy/policy.js';

/** What CultPass's tools close over. */
export interface CultpassDeps {
  readonly customers: CustomerReader;
  readonly customerWrites: CustomerWriter;
  readonly policy: CultpassPolicy;
}
