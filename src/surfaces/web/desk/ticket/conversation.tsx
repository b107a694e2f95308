import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Citation, DeskMessage, TicketView, Turn } from '../../shared/api-types.js';
import { Badge, Button } from '../../shared/components/controls.js';
import { PlainText } from '../../shared/components/markdown.js';
import { isNamesOnly, MessageFiles } from '../../shared/components/message-files.js';
import { language } from '../../shared/i18n.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { linkTo } from '../lib/location.js';
import { useReading } from '../lib/presence.js';
import { handOver, percent, term } from '../lib/values.js';
import { ApprovalCard } from '../parts/approval-card.js';
import { type ShownApproval, useSeenApprovals } from '../parts/approval-dialogs.js';
import { DeskIcon } from '../parts/marks.js';
import { shortMoment, Time, thereTime } from '../parts/time.js';
import { useTexts } from '../texts.js';
import { AnswerWhy } from './path-and-tools.js';

/** How the id of a message begins that came by mail: who wrote it may not be on the page. */
const BY_MAIL = 'mail-';

/** This near to the end, in pixels, counts as reading the end. */
const NEAR = 80;

/** The whole thread. It stays at its end while new messages come, unless somebody reads further up. */
export function Conversation({
  ticket,
  onEarlier,
}: {
  readonly ticket: TicketView;
  /** Shows older messages; null where there are none. */
  readonly onEarlier: (() => void) | null;
}) {
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [below, setBelow] = useState(false);
  const last = ticket.messages.at(-1)?.message_id ?? '';
  const approvals = useApprovals(ticket);
  const toEnd = (): void => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    setBelow(false);
  };
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBelow(true);
  }, [last]);
  useKeptAtEnd(box, atEnd);
  useKeptPlace(box, ticket.messages[0]?.message_id ?? '');
  const readId = useReading(ticket, box, !below);
  // What is said below the last message is no message, and has to be seen too.
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
  }, [readId, ticket.ratings.length]);
  return (
    <div class="talk">
      <div
        class="talk__box"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={texts.ticket.conversation}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
          if (atEnd.current) setBelow(false);
        }}
      >
        {ticket.messages.length === 0 && <p class="talk__empty">{texts.ticket.noMessages}</p>}
        {onEarlier !== null && (
          <div class="talk__earlier">
            <Button kind="quiet" onClick={onEarlier}>
              {texts.ticket.earlier}
            </Button>
          </div>
        )}
        <div class="talk__log" role="log">
          {inOrder(ticket.messages, approvals, onEarlier !== null).map((one) =>
            'message_id' in one ? (
              <MessageItem
                key={one.message_id}
                message={one}
                read={one.message_id === readId}
                customer={ticket.customer_name}
                zone={ticket.customer_time_zone}
                turn={ticket.turns.find(({ message_id: answer }) => answer === one.message_id)}
              />
            ) : (
              <div key={one.id} class="talk__approval">
                <ApprovalCard approval={one} onTicket />
              </div>
            ),
          )}
          {ticket.ratings.map((rating) => (
            <RatingLine key={rating.about} rating={rating} />
          ))}
        </div>
      </div>
      {below && (
        <div class="talk__below">
          <Button kind="primary" icon="down" onClick={toEnd}>
            {texts.ticket.newBelow}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The approvals of a ticket: those that are open, and what became of all others. */
function useApprovals({ approvals_open: open, approval_history: history }: TicketView) {
  const over = history.filter(({ kind, status }) => kind === 'approval' && !UNSEEN.has(status));
  const seen = useSeenApprovals(open, over);
  return [...over.filter(({ id }) => seen.every((one) => one.id !== id)), ...seen];
}

/** Waits still, or stands on the card of the one that took its place. */
const UNSEEN: ReadonlySet<string> = new Set(['pending', 'superseded']);

/** Messages and approvals in their order: what was decided stands at that moment, and what waits at the end. */
function inOrder(
  messages: readonly DeskMessage[],
  approvals: readonly ShownApproval[],
  hasEarlier: boolean,
): readonly (DeskMessage | ShownApproval)[] {
  const from = hasEarlier ? (messages[0]?.created_at ?? '') : '';
  const momentOf = (one: DeskMessage | ShownApproval): string => {
    if ('message_id' in one) return one.created_at;
    return one.status === 'pending' ? LAST : (one.decided_at ?? one.expires_at);
  };
  const shown = approvals.filter((one) => momentOf(one) >= from);
  return [...messages, ...shown]
    .map((one, place) => ({ one, at: momentOf(one), place }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.place - b.place))
    .map(({ one }) => one);
}

/** Sorts after every moment. */
const LAST = '\u{10ffff}';

/** A box that grows or shrinks, as the field below it does, keeps showing its end. */
function useKeptAtEnd(
  box: { readonly current: HTMLDivElement | null },
  atEnd: { readonly current: boolean },
): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, atEnd]);
}

/** Where older messages come in above, what is read stays where it is. */
function useKeptPlace(box: { readonly current: HTMLDivElement | null }, first: string): void {
  const before = useRef({ first, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const grown = element.scrollHeight - before.current.height;
    if (first !== before.current.first) element.scrollTop += grown;
    before.current = { first, height: element.scrollHeight };
  });
}

/** How a message is shown: notes and marks are no part of what the customer reads. */
function kindOf({ role, audience }: DeskMessage): 'customer' | 'hub' | 'operator' | 'note' | 'mark' {
  if (role === 'system') return 'mark';
  return role === 'operator' && audience === 'desk' ? 'note' : role;
}

function MessageItem({
  message,
  read,
  customer,
  zone,
  turn,
}: {
  readonly message: DeskMessage;
  /** True below the last reply that the customer has had on the screen. */
  readonly read: boolean;
  readonly customer: string | null;
  /** Where the customer is. */
  readonly zone: string | null;
  /** What made it, where it is an answer of the hub. */
  readonly turn: Turn | undefined;
}) {
  const texts = useTexts();
  const { api, config } = useDesk();
  const shown = useStore(language);
  const kind = kindOf(message);
  if (kind === 'mark') {
    return (
      <div class="mark-line">
        <span>
          <Happened message={message} /> · <Time at={message.created_at} />
        </span>
      </div>
    );
  }
  const there = kind === 'customer' ? thereTime(message.created_at, zone, shown) : null;
  const role = term(texts.role, message.role);
  const who = kind === 'customer' ? (customer ?? role) : (message.author ?? role);
  return (
    <article class={`msg msg--${kind}`}>
      <header class="msg__head">
        {kind === 'hub' && <DeskIcon name="hub" />}
        <strong>{who}</strong>
        {kind === 'operator' && message.author && <span class="msg__role">{role}</span>}
        {message.client_message_id?.startsWith(BY_MAIL) && (
          <span class="msg__role">{texts.channel.email}</span>
        )}
        {kind === 'note' && (
          <Badge tone="sun">
            <DeskIcon name="note" /> {texts.ticket.internal}
          </Badge>
        )}
        <span class="msg__time">
          <Time at={message.created_at} />
          {there !== null && ` · ${fill(texts.clock.thereAt, { time: there })}`}
        </span>
      </header>
      {!isNamesOnly(message.content, message.files) && (
        <div class="msg__text">
          <PlainText text={message.content} {...(kind === 'customer' ? {} : { hosts: config.link_hosts })} />
        </div>
      )}
      <MessageFiles files={message.files} load={(fileId) => api.file(message.ticket_id, fileId)} />
      <Sources citations={message.citations ?? []} />
      {read && <p class="msg__read">{texts.ticket.read}</p>}
      {turn !== undefined && <AnswerWhy turn={turn} ticketId={message.ticket_id} />}
    </article>
  );
}

/** What the customer thought of it. */
function RatingLine({ rating }: { readonly rating: TicketView['ratings'][number] }) {
  const texts = useTexts();
  const { about, helpful, comment, created_at: at } = rating;
  const said = texts.rated[about][helpful ? 'good' : 'bad'];
  return (
    <div class="mark-line">
      <span>
        {comment === null ? said : fill(texts.happened.with, { said, text: comment })} · <Time at={at} />
      </span>
    </div>
  );
}

/** What happened on the ticket, with what was written to it. */
function Happened({ message: { note, content } }: { readonly message: DeskMessage }) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  const shown = useStore(language);
  if (note === null) return <>{content}</>;
  const { kind, name, choice, tool, text } = note;
  const moved = kind === 'took_over' ? handOver(name, text) : null;
  if (moved !== null) {
    const said = fill(texts.happened[moved.kind], { from: moved.from, name: name ?? '' });
    return <>{moved.note === '' ? said : fill(texts.happened.with, { said, text: moved.note })}</>;
  }
  const sentence = texts.happened[kind];
  const values = { name: name ?? '', choice: choice ?? '', tool: tool === null ? '' : toolLabel(tool) };
  const words = kind === 'snoozed' && text !== null ? shortMoment(text, shown) : (text ?? '');
  const said = fill(sentence, { ...values, text: words });
  return (
    <>{text === null || sentence.includes('{text}') ? said : fill(texts.happened.with, { said, text })}</>
  );
}

/** The articles a text rests on, and how surely. */
export function Sources({ citations }: { readonly citations: readonly Citation[] }) {
  const texts = useTexts();
  const shown = useStore(language);
  if (citations.length === 0) return null;
  return (
    <p class="sources">
      <span>{texts.ticket.sources}:</span>
      {citations.map(({ article_id, title, confidence }) => (
        <a key={article_id} href={linkTo('knowledge', article_id)}>
          {title} ({percent(confidence, shown)})
        </a>
      ))}
    </p>
  );
}
