import type { Approval } from '../lib/wire.js';
import { ApprovalCard } from '../parts/approval-card.js';

/** The actions of this ticket that wait for an operator, where they cannot be overlooked. */
export function OpenApprovals({ approvals }: { readonly approvals: readonly Approval[] }) {
  if (approvals.length === 0) return null;
  return (
    <div class="ticket__approvals">
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} onTicket />
      ))}
    </div>
  );
}
