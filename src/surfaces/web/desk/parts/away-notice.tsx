import { useEffect, useState } from 'preact/hooks';
import type { Away } from '../../shared/api-types.js';
import { Button } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { awaySince } from '../lib/away.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { useTexts } from '../texts.js';
import { Time } from './time.js';

/** Says once, to an operator who comes back, whose ticket came or went meanwhile and what waits. */
export function AwayNotice() {
  const { away: texts, app, queue } = useTexts();
  const { api } = useDesk();
  const since = useStore(awaySince);
  const [away, setAway] = useState<Away | null>(null);
  useEffect(() => {
    if (since === null) return;
    // The lists show the same, if not at a glance.
    api.away(since).then(setAway, () => awaySince.set(null));
  }, [api, since]);
  if (since === null || away === null) return null;
  const { moved, escalated, resolved, unassigned, unread } = away;
  const close = (): void => {
    setAway(null);
    awaySince.set(null);
  };
  if (moved.length + escalated + unread === 0) return null;
  return (
    <Dialog title={texts.title} closeLabel={app.close} onClose={close}>
      <div class="form">
        <p class="soft">
          {texts.since} <Time at={away.since} dated />
        </p>
        {moved.length > 0 && (
          <ul class="ledger">
            {moved.map(({ ticket_id: ticketId, customer_name: who, kind, name, note, at, now, holder }) => (
              <li key={ticketId}>
                <span class="ledger__what">
                  <a href={linkTo('tickets', ticketId)} onClick={close}>
                    {fill(texts.moved[kind], {
                      who: who ?? queue.visitor,
                      name: name ?? '',
                      note: note || 'none',
                    })}
                  </a>
                  <small>
                    <Time at={at} /> · {fill(texts.now[now], { name: holder ?? '' })}
                  </small>
                </span>
              </li>
            ))}
          </ul>
        )}
        <p>{fill(texts.meanwhile, { escalated, resolved })}</p>
        <p>{fill(texts.waiting, { unassigned, unread })}</p>
        <Button kind="primary" onClick={close}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}
