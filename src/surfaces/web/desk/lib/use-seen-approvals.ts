import { useRef } from 'preact/hooks';
import type { Approval, ApprovalRecord } from '../../shared/api-types.js';

/** An approval as a card shows it: open with what deciding it means, or what became of it as far as that is known. */
export type ShownApproval = Omit<ApprovalRecord, 'status'> &
  Partial<Pick<Approval, 'customer_name' | 'consequences' | 'record_names'>> & {
    readonly status: ApprovalRecord['status'] | 'decided';
  };

/**
 * The open approvals and those that were open since the view was entered, in the order they came: what an operator
 * looks at does not vanish, but says that it was decided, or that its customer took it back.
 */
export function useSeenApprovals(
  open: readonly Approval[],
  withdrawn: readonly ApprovalRecord[],
): readonly ShownApproval[] {
  const seen = useRef(new Map<string, ShownApproval>());
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
