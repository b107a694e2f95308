import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Presence, TicketView } from '../../shared/api-types.js';
import { newId, now } from '../../shared/clock.js';
import { onScreen } from '../../shared/notices.js';
import { createStore, useStore } from '../../shared/store.js';
import { cameBack } from './away.js';
import { useDesk } from './desk-context.js';

/** The newest mark of each conversation that an event told of since the page was opened; the ticket has the others. */
const readMarks = createStore<Readonly<Record<string, string>>>({});

/** Takes in that a customer has read a conversation. */
export function receiveReading(data: string): void {
  const { thread_id: threadId, by, message_id: messageId } = JSON.parse(data) as Record<string, string>;
  if (by !== 'customer' || threadId === undefined || messageId === undefined) return;
  readMarks.update((before) => ({ ...before, [threadId]: messageId }));
}

/**
 * Tells the customer that their last message is on this operator's screen.
 * @param atEnd false where somebody reads further up
 * @returns the last reply that the customer has read; null where the customer has said something since
 */
export function useReading(
  { ticket_id: ticketId, thread_id: threadId, messages, read_by: readBy }: TicketView,
  box: { readonly current: HTMLElement | null },
  atEnd: boolean,
): string | null {
  const { api, live } = useDesk();
  const visible = useStore(onScreen);
  const news = useStore(readMarks)[threadId];
  const placeOf = (id: string | undefined): number =>
    id === undefined ? -1 : messages.findIndex(({ message_id: one }) => one === id);
  const last = messages.findLast(({ role }) => role === 'customer')?.message_id;
  const isNew = placeOf(last) > placeOf(readBy.operator?.message_id);
  useEffect(() => {
    // On a narrow screen the details may stand in its place.
    if (!visible || !atEnd || !isNew || last === undefined || box.current?.clientHeight === 0) return;
    api.read(ticketId, last).then(
      // The list and the title of the page count what is unread; the ticket itself has not changed.
      () => live.publish({ kind: 'reading', ticketId }),
      // What cannot be said now is said with the next message.
      () => {},
    );
  }, [api, live, box, ticketId, last, isNew, visible, atEnd]);
  const end = Math.max(placeOf(news), placeOf(readBy.customer?.message_id));
  const replied = messages.findLastIndex(
    ({ role, audience }) => role === 'operator' && audience === 'customer',
  );
  const answered = placeOf(last) > replied;
  return replied >= 0 && replied <= end && !answered ? (messages[replied]?.message_id ?? null) : null;
}

/** The page says this often that it is still there. */
const BEAT_MS = 20_000;
/** While the operator writes, more often: the customer sees it only as long as it is heard of. */
const TYPING_BEAT_MS = 5_000;
/** After the last key, an operator counts as writing for so long. */
const TYPING_MS = 6_000;
/** After the last word of it, a customer counts as writing for so long. */
const CUSTOMER_TYPING_MS = 8_000;

/** Everybody who is at the desk, this operator too, as last heard. */
const present = createStore<readonly Presence[]>([]);

/** How often something was heard in all, and at which of these of each operator last. */
let received = 0;
const receivedOf = new Map<string, number>();

/** Somebody else's screen, as an event tells it. */
interface PresenceEvent {
  readonly ticket_id?: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly watching: boolean;
  readonly typing: boolean;
}

/** Takes in what an event of the desk tells of a colleague. */
export function receivePresence(data: string): void {
  const { ticket_id: ticketId, operator, watching, typing } = JSON.parse(data) as PresenceEvent;
  received += 1;
  receivedOf.set(operator.id, received);
  present.update((before) => {
    const old = before.find(({ id }) => id === operator.id);
    if (!watching && old?.ticket_id !== ticketId) return before;
    const next: Presence = {
      ...operator,
      ticket_id: watching ? (ticketId ?? null) : null,
      typing: watching && typing,
      shift_ends_at: old?.shift_ends_at ?? null,
      seen_at: now().toISOString(),
    };
    return [...before.filter(({ id }) => id !== operator.id), next];
  });
}

/** Takes in who is there by an answer; of whom an event told since it was asked for, that event knows more. */
function takeIn(operators: readonly Presence[], askedAt: number): void {
  present.update((before) => {
    const isNewer = ({ id }: Presence) => (receivedOf.get(id) ?? 0) > askedAt;
    return [...operators.filter((one) => !isNewer(one)), ...before.filter(isNewer)];
  });
}

/** Everybody at the desk, this operator too. */
export function useOperators(): readonly Pick<Presence, 'id' | 'name'>[] {
  const { me } = useDesk();
  return [me, ...useStore(present).filter(({ id }) => id !== me.id)];
}

/** The colleagues at the desk, without this operator. */
export function useColleagues(): readonly Presence[] {
  const { me } = useDesk();
  return useStore(present).filter(({ id }) => id !== me.id);
}

/** True where it is known who is at the desk, and this colleague is not. */
export function useIsAway(operatorId: string | null): boolean {
  const all = useStore(present);
  return operatorId !== null && all.length > 0 && !all.some(({ id }) => id === operatorId);
}

/** When this operator's shift ends, and how to set that: HH:MM of the company's clocks, or null for no time. */
export function useShiftEnd(): readonly [endsAt: string | null, set: (time: string | null) => Promise<void>] {
  const { api, me } = useDesk();
  const own = useStore(present).find(({ id }) => id === me.id);
  const set = async (time: string | null): Promise<void> => {
    const askedAt = received;
    const { operators } = await api.setShiftEnd(own?.ticket_id ?? null, time);
    takeIn(operators, askedAt);
  };
  return [own?.shift_ends_at ?? null, set];
}

/** The conversations whose customers write, and since which event. */
const writing = createStore<Readonly<Record<string, string>>>({});

/** When something was sent in a conversation: a word of typing that was on its way with it is older. In milliseconds since 1970. */
const sentAt = new Map<string, number>();
const ON_ITS_WAY_MS = 1_500;

/** Takes in that a customer writes, or has sent it. */
export function receiveTyping(data: string): void {
  const {
    thread_id: threadId,
    typing,
    by,
    message,
  } = JSON.parse(data) as {
    readonly thread_id: string;
    readonly typing?: boolean;
    readonly by?: string;
    readonly message?: { readonly role: string };
  };
  // Who writes at the desk is told by presence.
  if (by !== 'customer' && message?.role !== 'customer') return;
  const at = now().getTime();
  if (message !== undefined) sentAt.set(threadId, at);
  else if (typing && at - (sentAt.get(threadId) ?? 0) < ON_ITS_WAY_MS) return;
  const writingId = newId();
  const forget = ({ [threadId]: _one, ...others }: Readonly<Record<string, string>>) => others;
  writing.update((before) => (typing ? { ...before, [threadId]: writingId } : forget(before)));
  setTimeout(
    () => writing.update((before) => (before[threadId] === writingId ? forget(before) : before)),
    CUSTOMER_TYPING_MS,
  );
}

/** True while the customer of a conversation writes. */
export function useCustomerTyping(threadId: string): boolean {
  return threadId in useStore(writing);
}

let say: (typing: boolean) => void = () => {};

/** Says that the operator writes to the customer now, with every key; or no longer, once it is sent. */
export function sayTyping(typing = true): void {
  say(typing);
}

/** Says where this operator is for as long as the page is open, and learns of the others. */
export function useAttendance(ticketId: string | null): void {
  const { api } = useDesk();
  const typing = useRef(false);
  // That somebody has stopped because their page is gone is told by no event.
  const isWrittenHere = useColleagues().some((one) => one.typing && one.ticket_id === ticketId);
  const [at, setAt] = useState({ ticketId, typing: false });
  // With the first key in the field somebody has to be there who says it.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    typing.current = false;
    setAt({ ticketId, typing: false });
    say = (writes) => {
      clearTimeout(timer);
      if (typing.current !== writes) setAt({ ticketId, typing: writes });
      typing.current = writes;
      if (writes) timer = setTimeout(() => say(false), TYPING_MS);
    };
    return () => {
      clearTimeout(timer);
      say = () => {};
    };
  }, [ticketId]);
  useEffect(() => {
    const beat = (): void => {
      const askedAt = received;
      // What could not be said now is said with the next beat.
      api.attend(at.ticketId, at.typing).then(
        ({ operators, away_since: since }) => {
          takeIn(operators, askedAt);
          cameBack(since);
        },
        () => {},
      );
    };
    beat();
    const timer = setInterval(beat, at.typing || isWrittenHere ? TYPING_BEAT_MS : BEAT_MS);
    return () => clearInterval(timer);
  }, [api, at, isWrittenHere]);
}
