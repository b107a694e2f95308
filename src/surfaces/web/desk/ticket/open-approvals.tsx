import type { Approval, ApprovalRecord } from '../../shared/api-types.js';
import { useSeenApprovals } from '../lib/use-seen-approvals.js';
import { ApprovalCard } from '../parts/approval-card.js';

/**
 * The actions of this ticket that wait for an operator, where they cannot be overlooked, and what its customer took back
 * last: when and in which words.
 */
export function OpenApprovals({
  approvals,
  history,
}: {
  readonly approvals: readonly Approval[];
  readonly history: readonly ApprovalRecord[];
}) {
  const withdrawn = history.filter(({ status }) => status === 'withdrawn');
  const seen = useSeenApprovals(approvals, withdrawn);
  const last = history.at(-1);
  const shown =
    last?.status === 'withdrawn' && !seen.some(({ id }) => id === last.id) ? [...seen, last] : seen;
  if (shown.length === 0) return null;
  return (
    <div class="ticket__approvals">
      {shown.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} onTicket />
      ))}
    </div>
  );
}
