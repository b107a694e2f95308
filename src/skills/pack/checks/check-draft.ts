import type { Draft } from '../draft.js';
import type { Registry } from '../registry.js';

/** All rules that need no other pack. Notes what is wrong with a draft and with its nested ones. */
export function checkDraft(draft: Draft, registry: Registry): void {
  for (const part of draft.parts.values()) checkDraft(part, registry);
}
