import { useRef } from 'preact/hooks';
import type { Approval } from './wire.js';

/**
 * The open approvals and those that were open since the view was entered, in the order they came: what an operator
 * looks at does not vanish, but says that it was decided, or that its customer took it back.
 */
export function useSeenApprovals(
  open: readonly Approval[],
  withdrawn: readonly Approval[],
): readonly Approval[] {
  const seen = useRef(new Map<string, Approval>());
  const ids = new Set(open.map(({ id }) => id));
  for (const approval of open) seen.current.set(approval.id, approval);
  for (const [id, approval] of seen.current) {
    const back = withdrawn.find((one) => one.id === id);
    if (back) seen.current.set(id, { ...approval, ...back });
    else if (!ids.has(id) && approval.status === 'pending')
      seen.current.set(id, { ...approval, status: 'decided' });
  }
  return [...seen.current.values()];
}
