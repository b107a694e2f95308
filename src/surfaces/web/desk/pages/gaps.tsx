import type { KnowledgeGap } from '../../shared/api-types.js';
import { Button } from '../../shared/components/button.js';
import { fill } from '../../shared/message.js';
import { useDesk } from '../lib/desk-context.js';
import { go, linkTo } from '../lib/location.js';
import { useAction } from '../lib/use-action.js';
import { onEverything, useData } from '../lib/use-data.js';
import { Fold } from '../parts/panel.js';
import { Failure } from '../parts/states.js';
import { useWords } from '../texts.js';

/** Questions that no article answered: each becomes a draft, or is put away. */
export function Gaps({ onDrafted }: { readonly onDrafted: () => void }) {
  const words = useWords();
  const { api } = useDesk();
  const loaded = useData('gaps', () => api.gaps(), onEverything);
  const gaps = loaded.data?.gaps ?? [];
  if (gaps.length === 0) return null;
  const changed = (): void => {
    loaded.reload();
    onDrafted();
  };
  return (
    <Fold title={fill(words.gaps.title, { count: gaps.length })}>
      <ul class="choices-list">
        {gaps.map((gap) => (
          <Gap key={gap.ticket_id} gap={gap} onChanged={changed} />
        ))}
      </ul>
    </Fold>
  );
}

function Gap({ gap, onChanged }: { readonly gap: KnowledgeGap; readonly onChanged: () => void }) {
  const words = useWords();
  const { api } = useDesk();
  const { ticket_id: id } = gap;
  const draft = useAction(async (ticketId: string, key) => {
    const { article_id: articleId } = await api.draftGap(ticketId, key);
    onChanged();
    go('knowledge', articleId);
  });
  const dismiss = useAction((ticketId: string, key) => api.dismissGap(ticketId, key), onChanged);
  return (
    <li class="choices-list__item choices-list__item--wide">
      <p>
        <a href={linkTo('tickets', id)}>{gap.question}</a>{' '}
        {gap.times > 1 && <span class="soft">{fill(words.gaps.times, { count: gap.times })}</span>}
      </p>
      <Button kind="outline" busy={draft.busy} onClick={() => void draft.run(id)}>
        {words.gaps.draft}
      </Button>
      <Button kind="quiet" busy={dismiss.busy} onClick={() => void dismiss.run(id)}>
        {words.gaps.dismiss}
      </Button>
      <Failure error={draft.error ?? dismiss.error} />
    </li>
  );
}
