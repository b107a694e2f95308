import type { Evidence, RecommendedAction, SkillHandoff } from '../../../../core/domain/skill.js';
import type { Investigation, TicketView } from '../../shared/api-types.js';
import { Badge, Button } from '../../shared/components/controls.js';
import { language } from '../../shared/i18n.js';
import { useSkillLabel, useToolLabel } from '../../shared/labels.js';
import { fill } from '../../shared/message.js';
import { useStore } from '../../shared/store.js';
import { useDesk } from '../lib/desk-context.js';
import { useAction } from '../lib/use-data.js';
import { percent, term } from '../lib/values.js';
import { ArgumentList, ExaminedData, Sentence } from '../parts/arguments.js';
import { Meter } from '../parts/marks.js';
import { Failure, Notice } from '../parts/states.js';
import { Time } from '../parts/time.js';
import { useTexts } from '../texts.js';

/* What skills say of a run is theirs; these are the parts of it that have a place on the page. */

interface InvestigationResult {
  readonly root_cause?: string | null;
  readonly explanation?: string | null;
  readonly impact?: string | null;
  readonly evidence?: readonly Evidence[];
  readonly confidence_score?: number;
  readonly recommended_action?: RecommendedAction | null;
  readonly handoffs?: readonly { readonly choice: string; readonly by: string }[];
  readonly summary?: string;
}

interface Parts {
  readonly result: InvestigationResult | null;
  readonly handoff: SkillHandoff | null;
}

function partsOf({ result, handoff }: Investigation): Parts {
  return { result, handoff } as Parts;
}

/** What skills found out for a ticket, and the choices they leave to a person. The newest first. */
export function Investigations({ ticket }: { readonly ticket: TicketView }) {
  return (
    <>
      {[...ticket.investigations].reverse().map((run) => (
        <Run key={run.run_id} run={run} ticket={ticket} />
      ))}
    </>
  );
}

function Run({ run, ticket }: { readonly run: Investigation; readonly ticket: TicketView }) {
  const texts = useTexts();
  const skillLabel = useSkillLabel();
  const { result, handoff } = partsOf(run);
  const evidence = handoff?.found ?? result?.evidence ?? [];
  const action = result?.recommended_action ?? handoff?.proposal?.recommended_action ?? null;
  return (
    <article class="run">
      <p class="run__head">
        <strong>{skillLabel(run.skill_id)}</strong>{' '}
        <Badge tone={run.status === 'waiting' ? 'sun' : 'plain'}>{term(texts.run, run.status)}</Badge>
      </p>
      {handoff !== null && <Choices handoff={handoff} ticketId={ticket.ticket_id} />}
      <Conclusion result={result} handoff={handoff} />
      {action !== null && <Recommended action={action} done={doneAt(action, ticket)} />}
      {run.error !== null && <Notice tone="bad">{run.error.message}</Notice>}
      <ol class="evidence">
        {evidence.map((item, at) => (
          <li key={at} class="evidence__item">
            <EvidenceItem item={item} />
          </li>
        ))}
      </ol>
      {result?.handoffs?.map(({ choice, by }, at) => (
        <p key={at} class="run__chosen">
          {fill(texts.panel.chosen, { id: choice, by: term(texts.role, by.split(':')[0] ?? '') })}
        </p>
      ))}
    </article>
  );
}

function Conclusion({ result, handoff }: Parts) {
  const texts = useTexts();
  const shown = useStore(language);
  const found = result ?? handoff?.proposal ?? null;
  const cause = found?.root_cause ?? null;
  const confidence = result?.confidence_score ?? handoff?.proposal?.confidence;
  const said = found?.explanation ?? result?.summary ?? null;
  if (cause === null && said === null) return null;
  return (
    <div class="run__cause">
      <h4>{handoff === null ? texts.panel.rootCause : texts.panel.proposal}</h4>
      {/* A cause is called by English words; what it means is said in the reader's language. */}
      {cause !== null && (said === null || shown === 'en') && (
        <p class="run__root">{cause.replaceAll('_', ' ')}</p>
      )}
      {said !== null && (
        <p>
          <Sentence text={said} />
        </p>
      )}
      {confidence !== undefined && (
        <Meter label={texts.panel.confidence} value={confidence} text={percent(confidence, shown)} />
      )}
    </div>
  );
}

/** When what an investigation recommends was done on this ticket; null where it was not. What it found is older than that. */
function doneAt({ action, arguments: args = {} }: RecommendedAction, { audit }: TicketView): string | null {
  const isDeed = ({ action: done, outcome, details }: TicketView['audit'][number]): boolean => {
    const said = JSON.stringify(details);
    return (
      done === action &&
      outcome === 'done' &&
      Object.values(args).every((value) => said.includes(JSON.stringify(value)))
    );
  };
  return audit.find(isDeed)?.created_at ?? null;
}

function Recommended({ action, done }: { readonly action: RecommendedAction; readonly done: string | null }) {
  const texts = useTexts();
  const toolLabel = useToolLabel();
  return (
    <div class="run__advice">
      <h4>{texts.panel.recommended}</h4>
      <p>{toolLabel(action.action)}</p>
      {action.arguments !== undefined && <ArgumentList args={action.arguments} />}
      {done !== null && (
        <Notice tone="good">
          {texts.panel.doneSince} <Time at={done} />
        </Notice>
      )}
    </div>
  );
}

/** The question that the investigation asks an operator, with a button an answer. */
function Choices({ handoff, ticketId }: { readonly handoff: SkillHandoff; readonly ticketId: string }) {
  const texts = useTexts();
  const { api, live } = useDesk();
  const choose = useAction(
    (choice: string, key) => api.choose(ticketId, choice, key),
    () => live.publish({ kind: 'ticket', ticketId }),
  );
  return (
    <div class="choose">
      <p class="choose__question">
        <Sentence text={handoff.question} />
      </p>
      {handoff.advice !== null && (
        <p class="choose__advice">
          {texts.panel.advice}: <Sentence text={handoff.advice} />
        </p>
      )}
      <div class="choose__options">
        {handoff.options.map(({ id, label }) => (
          <Button
            key={id}
            kind="outline"
            disabled={choose.busy}
            aria-label={`${fill(texts.panel.choose, { id })}: ${label}`}
            onClick={() => void choose.run(id)}
          >
            <b class="choose__id">{id}</b>{' '}
            <span class="choose__label">
              <Sentence text={label} />
            </span>
          </Button>
        ))}
      </div>
      {choose.busy && <p role="status">{texts.panel.choosing}</p>}
      <Failure error={choose.error} />
    </div>
  );
}

function EvidenceItem({ item }: { readonly item: Evidence }) {
  const texts = useTexts();
  const shown = useStore(language);
  return (
    <>
      <p class="evidence__name">
        <strong>{item.name}</strong>
        <span>{percent(item.confidence, shown)}</span>
      </p>
      <p>
        <Sentence text={item.finding} />
      </p>
      {item.error !== undefined && item.error.message !== item.finding && (
        <p class="evidence__error">
          <Sentence text={item.error.message} />
        </p>
      )}
      {item.data !== undefined && (
        <details class="evidence__data">
          <summary>{texts.panel.query}</summary>
          <ExaminedData value={item.data} />
        </details>
      )}
    </>
  );
}
