import type { AuditEntry } from '../../shared/api-types.js';
import { Badge } from '../../shared/components/card.js';
import { useToolLabel } from '../../shared/labels.js';
import { term } from '../lib/term.js';
import { ArgumentList, Doer } from '../parts/arguments.js';
import { Time } from '../parts/time.js';
import { useWords } from '../texts.js';

const TONES = { done: 'good', refused: 'sun', failed: 'bad' } as const;

/** What was asked for and on which terms, as one list. */
function flat({ args, terms, ...rest }: AuditEntry['details']): AuditEntry['details'] {
  const parts = [args, terms].filter((part) => typeof part === 'object' && part !== null);
  return Object.assign({}, ...parts, rest);
}

/** What was changed or refused on a ticket, by whom, when. The newest first. */
export function AuditTrail({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const words = useWords();
  const toolLabel = useToolLabel();
  if (entries.length === 0) return <p>{words.panel.noAudit}</p>;
  return (
    <ol class="audit">
      {[...entries].reverse().map((entry) => (
        <li key={entry.audit_key}>
          <details class="call">
            <summary>
              <span class="call__name">{toolLabel(entry.action)}</span>
              <Badge tone={TONES[entry.outcome] ?? 'plain'}>{term(words.outcome, entry.outcome)}</Badge>
            </summary>
            <p class="call__by">
              <Doer id={entry.actor} /> · <Time at={entry.created_at} />
            </p>
            <ArgumentList args={flat(entry.details)} />
          </details>
        </li>
      ))}
    </ol>
  );
}
