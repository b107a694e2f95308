import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FilledMacro, TicketView } from '../../shared/api-types.js';
import { useAttachments, useDropZone } from '../../shared/attachments.js';
import { Button } from '../../shared/components/controls.js';
import { AttachButton, AttachmentList, DropHint } from '../../shared/components/message-files.js';
import { fill } from '../../shared/message.js';
import { tabStorage } from '../../shared/store.js';
import { useCommand } from '../lib/commands.js';
import type { ReplyInput } from '../lib/desk-api.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { sayTyping } from '../lib/presence.js';
import { Failure, Notice } from '../parts/states.js';
import { type Texts, useTexts } from '../texts.js';
import { ActButton } from './act-dialog.js';
import { MacroButton, MacroNotice } from './macros.js';
import { SnoozeButton } from './snooze.js';
import {
  type DraftKind,
  KindSwitch,
  Mentions,
  SuggestButton,
  SuggestionBox,
  useSuggestion,
  WritingField,
} from './suggestion.js';
import type { Holding, TicketActions } from './use-ticket-actions.js';

const key = (ticketId: string, kind: DraftKind): string => `hub.desk.draft.${kind}.${ticketId}`;

/** A text that was begun on a ticket; empty where none was. It outlives a reload, not the tab. */
function readDraft(ticketId: string, kind: DraftKind): string {
  return tabStorage.get(key(ticketId, kind)) ?? '';
}

/** Keeps a text, or forgets it where it is empty. */
function keepDraft(ticketId: string, kind: DraftKind, text: string): void {
  tabStorage.set(key(ticketId, kind), text === '' ? null : text);
}

interface ComposerProps {
  readonly ticket: TicketView;
  readonly holding: Holding;
  readonly actions: TicketActions;
}

/** Why this operator cannot reply now; null where one can. */
function whyNot(holding: Holding, texts: Texts['composer']): string | null {
  switch (holding.kind) {
    case 'me':
      return null;
    case 'other':
      return fill(texts.otherHas, { name: holding.name });
    case 'nobody':
    case 'approval':
      return texts.claimFirst;
    case 'hub':
      return texts.hubAnswers;
    case 'resolved':
      return texts.isResolved;
  }
}

/** Where an operator writes to the customer, or a note for colleagues. Drafts of both are kept. */
export function Composer({ ticket, holding, actions }: ComposerProps) {
  const texts = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const [kind, setKind] = useState<DraftKind>('reply');
  /** Whose words are being sent: its tags and its end come with them. */
  const [macro, setMacro] = useState<FilledMacro | null>(null);
  const draft = useDraft(ticket.ticket_id, kind);
  const refused = kind === 'reply' ? whyNot(holding, texts.composer) : null;
  const action = kind === 'reply' ? actions.reply : actions.note;
  const { api, config } = useDesk();
  const limit = config.max_message_chars;
  const attachments = useAttachments({
    limits: config.files,
    place: ticket.ticket_id,
    upload: (file, options) => api.attach(ticket.ticket_id, file, options),
  });
  const attaches = kind === 'reply' && holding.kind === 'me';
  const drop = useDropZone(attaches ? attachments.add : null);
  const suggestion = useSuggestion(ticket.ticket_id, actions.claims);
  const suggests = kind === 'reply' && holding.kind !== 'resolved';
  const tooLong = [...draft.text.trim()].length > limit;
  const open = (next: DraftKind) => (): void => {
    setKind(next);
    field.current?.focus();
  };
  useCommand('r', open('reply'));
  useCommand('n', open('note'));
  useLayoutEffect(() => {
    if (actions.claims > 0) open('reply')();
  }, [actions.claims]);

  const take = (text: string): void => {
    draft.write(text);
    // Where nothing could be written before, the field comes with the text.
    requestAnimationFrame(() => field.current?.focus());
  };
  const isEmpty = draft.text.trim() === '' && (!attaches || attachments.list.length === 0);
  const isReady = !isEmpty && !tooLong && (!attaches || attachments.ready);
  /** Gives out what is written here; it is forgotten once it was sent. */
  const sending = async (run: (said: ReplyInput) => Promise<boolean>): Promise<void> => {
    const said = { text: draft.text.trim(), files: attaches ? attachments.ids : [] };
    // Before it: what comes after the message would say that more is coming.
    sayTyping(false);
    if (!(await run(said))) return;
    setMacro(null);
    // What the hub would have said is no answer to what comes next.
    if (kind === 'reply') suggestion.discard();
    draft.forget(kind, said.text);
    if (attaches) attachments.forget(said.files);
  };
  const send = async (): Promise<void> => {
    if (!isReady || refused !== null) return;
    await sending((said) => {
      if (kind === 'note') return actions.note.run(said.text);
      if (macro === null) return actions.reply.run(said);
      return actions.macro.run({ ...said, macro_id: macro.macro_id, resolves: macro.resolves });
    });
  };
  const sendAndResolve = (): Promise<void> => sending(actions.resolve.run);

  return (
    <form
      class={`composer composer--${kind}`}
      {...drop.handlers}
      aria-label={texts.composer.label}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <DropHint over={drop.over} />
      <div class="composer__top">
        <KindSwitch kind={kind} onChoose={setKind} />
        <span class="composer__tools">
          {attaches && <AttachButton attachments={attachments} />}
          {holding.kind === 'me' && kind === 'reply' && (
            <MacroButton
              ticketId={ticket.ticket_id}
              onUse={(chosen) => {
                setMacro(chosen);
                take(chosen.filled);
              }}
            />
          )}
          {holding.kind === 'me' && <SnoozeButton ticket={ticket} actions={actions} />}
          {holding.kind === 'me' && ticket.customer_id !== null && <ActButton ticketId={ticket.ticket_id} />}
          {suggests && <SuggestButton state={suggestion} />}
        </span>
      </div>
      {suggests && <SuggestionBox state={suggestion} draft={draft.text} onUse={take} />}
      {refused !== null && (
        <Notice tone={holding.kind === 'other' ? 'bad' : 'info'}>
          {ticket.merged_into === null ? (
            refused
          ) : (
            <>
              {texts.merge.goesOn}{' '}
              <a href={linkTo('tickets', ticket.merged_into)}>{texts.merge.openTarget}</a>
            </>
          )}
        </Notice>
      )}
      {tooLong && <Notice tone="bad">{fill(texts.composer.tooLong, { max: limit })}</Notice>}
      {macro !== null && kind === 'reply' && <MacroNotice macro={macro} onDrop={() => setMacro(null)} />}
      <Failure error={action.error ?? actions.macro.error ?? actions.resolve.error} />
      {(refused === null || draft.text !== '') && (
        <>
          <WritingField
            field={field}
            kind={kind}
            ticket={ticket}
            text={draft.text}
            onInput={draft.write}
            onFiles={attaches ? attachments.add : null}
            onSend={send}
          />
          {attaches && <AttachmentList attachments={attachments} />}
          {kind === 'note' && <Mentions draft={draft.text} onMention={take} />}
          <div class="composer__bottom">
            <span class="composer__hint">
              {kind === 'reply' ? texts.composer.replyHint : texts.composer.noteHint}
            </span>
            {kind === 'reply' && holding.kind === 'me' && (
              <Button
                kind="outline"
                busy={actions.resolve.busy}
                disabled={!isReady}
                onClick={() => void sendAndResolve()}
              >
                {texts.composer.sendAndResolve}
              </Button>
            )}
            <Button
              kind="primary"
              icon="send"
              type="submit"
              busy={action.busy || actions.macro.busy}
              disabled={!isReady || refused !== null}
              title={texts.composer.keys}
            >
              {kind === 'reply' ? texts.composer.send : texts.composer.addNote}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** What is being written, kept at every key. */
function useDraft(ticketId: string, kind: DraftKind) {
  const [fields, setFields] = useState(() => ({
    reply: readDraft(ticketId, 'reply'),
    note: readDraft(ticketId, 'note'),
  }));
  const latest = useRef(fields);
  latest.current = fields;
  const put = (which: DraftKind, text: string): void => {
    keepDraft(ticketId, which, text);
    setFields((old) => ({ ...old, [which]: text }));
  };
  return {
    text: fields[kind],
    write: (text: string): void => put(kind, text),
    /** Forgets what was sent, but not what was typed while it was on its way. */
    forget(which: DraftKind, sent: string): void {
      const now = latest.current[which];
      if (now.trim() === sent) put(which, '');
      else if (now.startsWith(sent)) put(which, now.slice(sent.length).trimStart());
    },
  };
}
