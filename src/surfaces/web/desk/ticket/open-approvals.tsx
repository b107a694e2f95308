import { useSeenApprovals } from '../lib/use-seen-approvals.js';
import type { Approval } from '../lib/wire.js';
import { ApprovalCard } from '../parts/approval-card.js';

/** The actions of this ticket that wait for an operator, where they cannot be overlooked. */
export function OpenApprovals({ approvals }: { readonly approvals: readonly Approval[] }) {
  const seen = useSeenApprovals(approvals);
  if (seen.length === 0) return null;
  return (
    <div class="ticket__approvals">
      {seen.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} onTicket />
      ))}
    </div>
  );
}
