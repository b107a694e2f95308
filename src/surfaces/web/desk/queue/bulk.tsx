import { useState } from 'preact/hooks';
import type { TicketEntry } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { Button } from '../../shared/components/button.js';
import { Dialog } from '../../shared/components/dialog.js';
import { Field } from '../../shared/components/field.js';
import { toast } from '../../shared/components/toast.js';
import { fill } from '../../shared/message.js';
import { createStore, useStore } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import type { BulkWish } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { currentPlace } from '../lib/location.js';
import { useAction } from '../lib/use-action.js';
import { FormButtons } from '../parts/form-buttons.js';
import { Failure } from '../parts/states.js';
import { useWords } from '../texts.js';

const DAY_MS = 86_400_000;
const MOST = 100;

/** The tickets that are marked for something that is done to all of them. */
export const marked = createStore<ReadonlySet<string>>(new Set());

/** Marks a ticket, or takes the mark away. */
export function toggleMark(ticketId: string): void {
  marked.update((before) => {
    const next = new Set(before);
    if (!next.delete(ticketId) && next.size < MOST) next.add(ticketId);
    return next;
  });
}

/** What can be done to all marked tickets; nothing where none is. */
export function BulkBar({ entries }: { readonly entries: readonly TicketEntry[] }) {
  const words = useWords();
  const { api, live, me } = useDesk();
  const chosen = useStore(marked);
  const [asking, setAsking] = useState<'tag' | 'resolve' | null>(null);
  const [text, setText] = useState('');
  const ids = entries.flatMap(({ ticket_id }) => (chosen.has(ticket_id) ? ticket_id : []));
  useCommand('x', () => {
    const { id } = currentPlace();
    if (id !== null) toggleMark(id);
  });
  const change = useAction(async (action: BulkWish, key) => {
    const { results } = await api.bulk(ids, action, key);
    const failed = results.filter(({ problem }) => problem !== null);
    // What could not be done stays marked, so that one sees which it was.
    marked.set(new Set(failed.map(({ ticket_id }) => ticket_id)));
    live.tell({ kind: 'everything', ticketId: null });
    const told = { done: results.length - failed.length, failed: failed.length };
    toast(fill(failed.length === 0 ? words.bulk.done : words.bulk.partly, told));
  });
  if (ids.length === 0) return null;
  const close = (): void => {
    setAsking(null);
    setText('');
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const tags = text.split(',').flatMap((tag) => tag.trim() || []);
    if (await change.run(asking === 'tag' ? { kind: 'tag', tags } : { kind: 'resolve', text })) close();
  };
  const until = (): string => new Date(now().getTime() + DAY_MS).toISOString();
  return (
    <div class="bulk" role="toolbar" aria-label={words.bulk.title}>
      <strong role="status">{fill(words.bulk.chosen, { count: ids.length })}</strong>
      <Button
        kind="outline"
        busy={change.busy}
        onClick={() => void change.run({ kind: 'assign', operator_id: me.id })}
      >
        {words.bulk.assign}
      </Button>
      <Button kind="outline" disabled={change.busy} onClick={() => setAsking('tag')}>
        {words.bulk.tag}
      </Button>
      <Button
        kind="outline"
        disabled={change.busy}
        onClick={() => void change.run({ kind: 'snooze', until: until() })}
      >
        {words.bulk.snooze}
      </Button>
      <Button kind="outline" disabled={change.busy} onClick={() => setAsking('resolve')}>
        {words.bulk.resolve}
      </Button>
      <Button kind="quiet" onClick={() => marked.set(new Set())}>
        {words.bulk.clear}
      </Button>
      <Failure error={change.error} />
      {asking !== null && (
        <Dialog title={words.bulk[asking]} closeLabel={words.app.close} onClose={close}>
          <form class="form" onSubmit={submit}>
            <Field
              label={asking === 'tag' ? words.tags.title : words.resolve.text}
              {...(asking === 'tag' ? { hint: words.knowledge.tagsHint } : {})}
            >
              {(control) => (
                <textarea
                  {...control}
                  class="input"
                  rows={asking === 'tag' ? 1 : 3}
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              )}
            </Field>
            <Failure error={change.error} />
            <FormButtons confirm={words.bulk.confirm} busy={change.busy} onClose={close} />
          </form>
        </Dialog>
      )}
    </div>
  );
}
