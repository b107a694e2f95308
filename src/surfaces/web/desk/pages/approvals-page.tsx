import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { useData } from '../lib/use-data.js';
import { ApprovalCard } from '../parts/approval-card.js';
import { useSeenApprovals } from '../parts/approval-dialogs.js';
import { Empty, Show } from '../parts/states.js';
import { useTexts } from '../texts.js';

/** Every action that waits for an operator. One that was decided here stays until the page is left. */
export function ApprovalsPage() {
  const texts = useTexts();
  const { api } = useDesk();
  const shown = useStore(language);
  const loaded = useData(
    `approvals:${shown}`,
    () => api.approvals(shown),
    () => true,
  );
  const seen = useSeenApprovals(loaded.data?.approvals ?? [], loaded.data?.withdrawn ?? []);
  return (
    <div class="page">
      <header class="page__head">
        <h1>{texts.approvals.title}</h1>
        <p class="page__lead">{texts.approvals.lead}</p>
      </header>
      <Show loaded={loaded}>
        {() =>
          seen.length === 0 ? (
            <Empty text={texts.approvals.empty} />
          ) : (
            <div class="page__stack">
              {seen.map((approval) => (
                <ApprovalCard key={approval.id} approval={approval} />
              ))}
            </div>
          )
        }
      </Show>
    </div>
  );
}
