import { useState } from 'preact/hooks';
import type { TicketView } from '../../shared/api-types.js';
import { now } from '../../shared/clock.js';
import { Button, Field } from '../../shared/components/controls.js';
import { Dialog } from '../../shared/components/dialog.js';
import { language } from '../../shared/i18n.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import { useDesk } from '../lib/desk-context.js';
import { comesBack, instantOf, localOf, SPANS } from '../lib/snooze.js';
import { Failure, FormButtons } from '../parts/states.js';
import { shortMoment } from '../parts/time.js';
import { ToolButton } from '../parts/tool-button.js';
import { useTexts } from '../texts.js';
import type { TicketActions } from './use-ticket-actions.js';

/** Puts the ticket aside until a moment, or brings it back. */
export function SnoozeButton({
  ticket,
  actions,
}: {
  readonly ticket: TicketView;
  readonly actions: TicketActions;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  const [open, setOpen] = useState(false);
  useCommand('s', ticket.snoozed_until === null ? () => setOpen(true) : null);
  if (ticket.snoozed_until !== null) {
    return (
      <ToolButton
        icon="clock"
        label={texts.snooze.wake}
        title={fill(texts.snooze.until, { when: shortMoment(ticket.snoozed_until, shown) })}
        busy={actions.snooze.busy}
        onClick={() => void actions.snooze.run(null)}
      />
    );
  }
  return (
    <>
      <ToolButton icon="clock" label={texts.snooze.open} onClick={() => setOpen(true)} />
      {open && <SnoozeDialog actions={actions} onClose={() => setOpen(false)} />}
    </>
  );
}

function SnoozeDialog({
  actions,
  onClose,
}: {
  readonly actions: TicketActions;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  const { support_hours: hours } = useDesk().config;
  const zone = hours.time_zone;
  const [chosen, setChosen] = useState(() => localOf(comesBack('day', now(), hours), zone));
  const put = async (until: Date): Promise<void> => {
    if (await actions.snooze.run(until.toISOString())) onClose();
  };
  return (
    <Dialog title={texts.snooze.title} closeLabel={texts.app.close} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void put(instantOf(chosen, zone));
        }}
      >
        <p>{texts.snooze.lead}</p>
        <div class="snooze">
          {SPANS.map((span) => {
            const until = comesBack(span, now(), hours);
            return (
              <Button key={span} kind="outline" onClick={() => void put(until)}>
                {texts.snooze.spans[span]} <span class="soft">{shortMoment(until.toISOString(), shown)}</span>
              </Button>
            );
          })}
        </div>
        <Field label={texts.snooze.own}>
          {(control) => (
            <input
              {...control}
              class="input"
              type="datetime-local"
              required
              min={localOf(now(), zone)}
              value={chosen}
              onInput={({ currentTarget: { value } }) => setChosen(value)}
            />
          )}
        </Field>
        <Failure error={actions.snooze.error} />
        <FormButtons confirm={texts.snooze.confirm} busy={actions.snooze.busy} onClose={onClose} />
      </form>
    </Dialog>
  );
}
