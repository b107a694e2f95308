import { useRef } from 'preact/hooks';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { useData } from '../lib/use-data.js';
import type { Approval } from '../lib/wire.js';
import { ApprovalCard } from '../parts/approval-card.js';
import { Empty, Show } from '../parts/states.js';
import { useWords } from '../words/index.js';

/** Every action that waits for an operator. One that was decided here stays until the page is left. */
export function ApprovalsPage() {
  const words = useWords();
  const { api } = useDesk();
  const shown = useStore(language);
  const loaded = useData(
    `approvals:${shown}`,
    () => api.approvals(shown),
    () => true,
  );
  const seen = useRef(new Map<string, Approval>());
  for (const approval of loaded.data?.approvals ?? []) seen.current.set(approval.id, approval);
  return (
    <div class="page">
      <header class="page__head">
        <h1>{words.approvals.title}</h1>
        <p class="page__lead">{words.approvals.lead}</p>
      </header>
      <Show loaded={loaded}>
        {() =>
          seen.current.size === 0 ? (
            <Empty text={words.approvals.empty} />
          ) : (
            <div class="page__stack">
              {[...seen.current.values()].map((approval) => (
                <ApprovalCard key={approval.id} approval={nowOf(approval, loaded.data?.approvals ?? [])} />
              ))}
            </div>
          )
        }
      </Show>
    </div>
  );
}

/** An approval as it is now: one that is no longer listed was decided, by whomever. */
function nowOf(approval: Approval, open: readonly Approval[]): Approval {
  return open.find(({ id }) => id === approval.id) ?? { ...approval, status: 'decided' };
}
