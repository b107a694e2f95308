import { useEffect, useState } from 'preact/hooks';
import type { PublicConfig } from '../shared/api-types.js';
import { now } from '../shared/clock.js';
import { COMPANY } from '../shared/company.js';
import { Avatar, Icon, Logo } from '../shared/components/controls.js';
import { PlainText } from '../shared/components/markdown.js';
import type { LineState } from '../shared/follow.js';
import { type Language, language } from '../shared/i18n.js';
import { useToolActivity } from '../shared/labels.js';
import { fill } from '../shared/message.js';
import { isOffline } from '../shared/notices.js';
import { useStore } from '../shared/store.js';
import { errorText, type Texts, useTexts } from './texts.js';
import type { Activity, ThreadState } from './thread-state.js';

const DAY_MS = 86_400_000;
/** 4 January 1970 was a Sunday. */
const SUNDAY_MS = 3 * DAY_MS;

/** Until when people of the team answer today, or when they are back; as a sentence. */
export function useHours(hours: PublicConfig['support_hours']): string {
  return hoursText(hours, useStore(language), useTexts(), now());
}

/** The same for any moment; empty where nobody ever answers. */
function hoursText(hours: PublicConfig['support_hours'], shown: Language, texts: Texts, at: Date): string {
  if (hours.weekdays.length === 0) return '';
  const { opens, closes, time_zone: zone } = hours;
  const place = COMPANY.time_zone_name[shown] ?? (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
  const back = nextOpening(hours, at);
  if (back === null) return fill(texts.hours.open, { closes, place });
  if (back.days === 0) return fill(texts.hours.today, { opens, place });
  return fill(texts.hours.later, { day: dayName(back.weekday, shown), opens, place });
}

/** How many days until somebody is there again; null while somebody is. */
function nextOpening(
  hours: PublicConfig['support_hours'],
  at: Date,
): { readonly days: number; readonly weekday: number } | null {
  const { weekday, time } = localTime(at, hours.time_zone);
  const today = hours.weekdays.includes(weekday);
  if (today && time >= hours.opens && time < hours.closes) return null;
  if (today && time < hours.opens) return { days: 0, weekday };
  for (let days = 1; days <= 7; days += 1) {
    const next = (weekday + days) % 7;
    if (hours.weekdays.includes(next)) return { days, weekday: next };
  }
  return null;
}

function localTime(at: Date, zone: string): { readonly weekday: number; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday'));
  return { weekday, time: `${part('hour')}:${part('minute')}` };
}

function dayName(weekday: number, shown: Language): string {
  return new Intl.DateTimeFormat(shown, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(SUNDAY_MS + weekday * DAY_MS),
  );
}

/** A turn that failed after its message was taken. */
export function ProblemNote({
  problem,
}: {
  readonly problem: { readonly code: string; readonly detail: string };
}) {
  const texts = useTexts();
  return (
    <p class="problem" role="alert">
      <Icon name="alert" />
      <span>
        {texts.problem} {errorText(texts, problem)}
      </span>
    </p>
  );
}

/** A connection that comes back within this time is not worth a word. */
const LATE_MS = 1_200;

/** Says when the page is cut off from the server, or open elsewhere. */
export function LineNotice({ line }: { readonly line: LineState | 'none' }) {
  const texts = useTexts();
  const offline = useStore(isOffline);
  const broken = line === 'waiting' || line === 'connecting';
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!broken) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [broken]);
  const words = offline
    ? texts.lineOffline
    : line === 'replaced'
      ? texts.lineReplaced
      : broken && late
        ? texts.lineWaiting
        : null;
  return (
    <div class="line-place" role="status">
      {words && (
        <p class="line">
          {broken && !offline ? <span class="spinner" /> : <Icon name={offline ? 'offline' : 'alert'} />}
          {words}
        </p>
      )}
    </div>
  );
}

/** What is going on, in plain words, while an answer is made. It is read out when it changes. */
export function ActivityLine({ state }: { readonly state: ThreadState }) {
  const texts = useTexts();
  const toolActivity = useToolActivity();
  const { activity, preview, typing } = state;
  const going = typing
    ? fill(texts.typing, typing)
    : activity && preview === ''
      ? words(texts.activity, activity, toolActivity)
      : null;
  return (
    <div class="activity-place" role="status">
      {going !== null && (
        <p class="activity">
          <span class="activity__dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="activity__words">{going}…</span>
        </p>
      )}
    </div>
  );
}

function words(
  texts: Texts['activity'],
  { kind, name }: Activity,
  toolActivity: ReturnType<typeof useToolActivity>,
): string {
  if (kind === 'agent') return new Map(Object.entries(texts.agents)).get(name) ?? texts.other;
  if (kind === 'tool') return toolActivity(name) ?? texts.other;
  return texts[kind];
}

/** The answer as it is written. Screen readers get the whole message when it is there. */
export function Preview({
  text,
  linkHosts,
}: {
  readonly text: string;
  readonly linkHosts: readonly string[];
}) {
  if (text === '') return null;
  return (
    <div class="message message--hub message--preview" aria-hidden="true">
      <div class="message__body">
        <PlainText text={text} hosts={linkHosts} />
        <span class="caret" />
      </div>
    </div>
  );
}

/** Says that a person answers, or that one is waited for. A change is read out. */
export function OwnerBanner({
  state,
  hours,
}: {
  readonly state: ThreadState;
  readonly hours: PublicConfig['support_hours'];
}) {
  const texts = useTexts();
  const { owner, operator, number, returnedToHub } = state;
  const when = useHours(hours);
  const named = number !== null && <small>{fill(texts.requestNumber, { number })}</small>;
  return (
    <div class="owner-place" role="status">
      {owner === 'hub' && returnedToHub && (
        <div class="owner owner--hub">
          <Logo />
          <p class="owner__words">
            <strong>{texts.returnedToHub}</strong>
          </p>
        </div>
      )}
      {owner === 'operator' && operator && (
        <div class="owner owner--person">
          <Avatar name={operator.name} />
          <p class="owner__words">
            <strong>{fill(texts.operatorTitle, { name: operator.name })}</strong>
            <span>{texts.operatorText}</span>
            {named}
          </p>
        </div>
      )}
      {owner === 'operator' && !operator && (
        <div class="owner owner--waiting">
          <span class="owner__sign" aria-hidden="true">
            <Icon name="person" />
          </span>
          <p class="owner__words">
            <strong>{texts.waitingTitle}</strong>
            <span>{when || texts.waitingText}</span>
            {named}
          </p>
        </div>
      )}
    </div>
  );
}
