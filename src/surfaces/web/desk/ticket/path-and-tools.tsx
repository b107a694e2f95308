import { useRef, useState } from 'preact/hooks';
import type { Turn } from '../../shared/api-types.js';
import { Badge, Button } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { safeUrl } from '../../shared/inline-marks.js';
import { useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { stepsOf } from '../lib/turn-steps.js';
import { useAction } from '../lib/use-data.js';
import { dollars, duration, term } from '../lib/values.js';
import { ArgumentList } from '../parts/arguments.js';
import { Failure } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useTexts } from '../texts.js';

/** The only place that this page sends a conversation's reader to. */
const STUDIO_HOSTS = ['smith.langchain.com'];

/** For each answer of the hub: where it went and why, which tools it called, what that cost. The newest first. */
export function PathAndTools({
  turns,
  before,
}: {
  readonly turns: readonly Turn[];
  /** How many earlier ones are left off. */
  readonly before: number;
}) {
  const texts = useTexts();
  if (turns.length === 0) return <p>{texts.panel.noTurns}</p>;
  return (
    <ol class="turns">
      {turns
        .map((turn, at) => ({ turn, number: before + at + 1 }))
        .reverse()
        .map(({ turn, number }) => (
          <li key={turn.turn_id} class="turn">
            <TurnItem turn={turn} number={number} />
          </li>
        ))}
    </ol>
  );
}

function TurnItem({ turn, number }: { readonly turn: Turn; readonly number: number }) {
  const texts = useTexts();
  return (
    <>
      <h4 class="turn__title">
        {fill(texts.panel.turn, { number })} · <Time at={turn.created_at} />
      </h4>
      <TurnBody turn={turn} />
    </>
  );
}

/** Why an answer is what it is, beside it: folded away until somebody wants to know. */
export function AnswerWhy({ turn, ticketId }: { readonly turn: Turn; readonly ticketId: string }) {
  const texts = useTexts();
  const { config } = useDesk();
  const reason = turn.route.at(-1)?.why;
  return (
    <details class="why">
      <summary>
        {texts.panel.why}
        {reason !== undefined && <span class="why__reason"> {reason}</span>}
      </summary>
      <TurnBody turn={turn} />
      {config.studio && <StudioButton ticketId={ticketId} />}
    </details>
  );
}

/** Opens the conversation in LangGraph Studio. */
function StudioButton({ ticketId }: { readonly ticketId: string }) {
  const texts = useTexts();
  const { api } = useDesk();
  /** A browser opens a window only at once; Studio may take longer to take the conversation. */
  const tab = useRef<Window | null>(null);
  const show = useAction(
    async (id: string, key) => {
      const url = safeUrl((await api.inStudio(id, key)).url, STUDIO_HOSTS);
      if (url !== null && tab.current !== null) tab.current.location.href = url;
    },
    (error) => error !== null && tab.current?.close(),
  );
  const open = (): void => {
    tab.current = window.open('', '_blank');
    if (tab.current !== null) tab.current.opener = null;
    void show.run(ticketId);
  };
  return (
    <>
      <Button kind="quiet" icon="link" busy={show.busy} onClick={open}>
        {texts.panel.studio}
      </Button>
      <Failure error={show.error} />
    </>
  );
}

/** Where a turn went and for what reason, what it looked up or did, and what that took. */
function TurnBody({ turn }: { readonly turn: Turn }) {
  const texts = useTexts();
  const shown = useStore(language);
  const by =
    turn.provider === 'offline'
      ? texts.suggestion.offline
      : fill(texts.suggestion.model, { name: turn.provider });
  const refused = turn.tool_calls.filter(({ ok }) => !ok).length;
  return (
    <>
      <Way turn={turn} />
      {turn.guardrails.length > 0 && (
        <ul class="guarded" aria-label={texts.guardrail.title}>
          {turn.guardrails.map(({ agent, fault, outcome }, at) => (
            <li key={at}>
              <strong>{term(texts.agent, agent)}:</strong> {texts.guardrail.fault[fault]}{' '}
              {texts.guardrail.outcome[outcome]}
            </li>
          ))}
        </ul>
      )}
      {refused > 0 && <p class="path__why">{fill(texts.panel.refused, { count: refused })}</p>}
      <p class="turn__cost">
        {fill(texts.suggestion.by, { provider: by })} ·{' '}
        {fill(texts.panel.took, { time: duration(turn.total_ms, shown) })} ·{' '}
        {fill(texts.panel.calls, { count: turn.usage.llm_calls })} · {dollars(turn.usage.cost_usd, shown)}
      </p>
    </>
  );
}

/** The way of a turn as a drawing that can be gone through step by step. */
function Way({ turn }: { readonly turn: Turn }) {
  const texts = useTexts();
  const steps = stepsOf(turn);
  /** The step that is looked at; null shows the whole way. */
  const [at, setAt] = useState<number | null>(null);
  const [count, last] = [steps.length, steps.length - 1];
  return (
    <>
      {count > 1 && (
        <p class="way__bar">
          <Button kind="quiet" disabled={at === 0} onClick={() => setAt(Math.max(0, (at ?? count) - 1))}>
            {texts.way.back}
          </Button>
          <Button kind="quiet" onClick={() => setAt(at === null ? 0 : at === last ? null : at + 1)}>
            {at === null ? texts.way.replay : at === last ? texts.way.whole : texts.way.next}
          </Button>
          <span class="path__why" role="status">
            {at !== null && fill(texts.way.step, { number: at + 1, count })}
          </span>
        </p>
      )}
      <ol class="path">
        {steps.map((step, index) => (
          <li
            key={index}
            class={`path__step path__step--${step.kind}${at !== null && index > at ? ' path__step--ahead' : ''}`}
            aria-current={index === at ? 'step' : undefined}
          >
            {step.kind === 'tool' ? (
              <ToolCallItem call={step.call} after={step.after} />
            ) : (
              <>
                <span class="path__place">
                  <strong>{term(texts.agent, step.to)}</strong>
                  <After ms={step.after} />
                </span>
                <span class="path__why">{step.why}</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** How long after the customer's message a step was taken; nothing where that was not noted. */
function After({ ms }: { readonly ms: number | null }) {
  const texts = useTexts();
  const shown = useStore(language);
  return ms === null ? null : (
    <span class="path__when">{fill(texts.way.after, { time: duration(ms, shown) })}</span>
  );
}

function ToolCallItem({
  call,
  after,
}: {
  readonly call: Turn['tool_calls'][number];
  readonly after: number | null;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  const toolLabel = useToolLabel();
  const why =
    call.code === undefined ? undefined : Object.entries(texts.errors).find(([code]) => code === call.code);
  return (
    <details class="call">
      <summary>
        <span class="call__name">{toolLabel(call.tool)}</span>
        <After ms={after} />
        <Badge tone={call.ok ? 'good' : 'bad'}>{call.ok ? texts.panel.ok : texts.panel.failed}</Badge>
      </summary>
      <p class="call__by">
        {term(texts.agent, call.agent)}
        {call.ms !== null && ` · ${fill(texts.panel.took, { time: duration(call.ms, shown) })}`}
      </p>
      {!call.ok && why !== undefined && <p class="call__by">{why[1]}</p>}
      <ArgumentList args={call.args} />
    </details>
  );
}
