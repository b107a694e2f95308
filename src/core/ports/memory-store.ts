import type { CustomerMemory, Preference, Resolution } from '../domain/customer.js';

export interface NewResolution {
  readonly ticketId: string;
  readonly customerId: string | null;
  readonly resolutionType: string;
  readonly summary: string;
  readonly agent: string;
}

/** Long-term memory: what a customer prefers and how earlier tickets ended. */
export interface MemoryStore {
  /** Preferences and the newest `resolutionLimit` resolutions. */
  recall(customerId: string, resolutionLimit: number): Promise<CustomerMemory>;
  /** Replaces the value of the key. */
  setPreference(customerId: string, key: string, value: string): Promise<Preference>;
  addResolution(resolution: NewResolution): Promise<Resolution>;
}
