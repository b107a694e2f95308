import type { OfferedAction } from '../../shared/api-types.js';
import { useToolLabel } from '../../shared/labels.js';
import type { ApiError } from '../../shared/problem.js';
import { Failure, Notice } from '../parts/states.js';
import { useTexts } from '../texts.js';

/** What an action is given. */
export type ActionField = OfferedAction['fields'][number];

/** What a field is chosen from; null where it is written. */
export const idsOf = ({ records, options }: ActionField): readonly string[] | null =>
  records?.map(({ id }) => id) ?? options;

/** False where the rules refuse it, and where all that has to be chosen is refused or not there. */
export const isPossible = ({ refused, fields }: OfferedAction): boolean =>
  refused === null &&
  fields.every(
    (field) => !field.required || (idsOf(field)?.some((id) => !Object.hasOwn(field.refused, id)) ?? true),
  );

/** Why it is not possible, where that is one reason; null where there is nothing to choose, or it is several. */
export function whyNot({ refused, fields }: OfferedAction): string | null {
  const reasons = new Set(fields.flatMap((field) => Object.values(field.refused)));
  return refused ?? (reasons.size === 1 ? ([...reasons][0] ?? null) : null);
}

/** A longer reason stands below the list, where there is room for it. */
const SHORT_REASON = 90;

/** A choice with the reason why it cannot be chosen, where that is short. */
export const becauseOf = (label: string, reason: string | null | undefined): string =>
  reason && reason.length <= SHORT_REASON ? `${label}: ${reason}` : label;

/**
 * What the rules refuse now, each with its rule in the company's words to customers.
 * @param nothing what there is nothing to do it to
 */
export function Refused({
  refused,
  nothing = [],
}: {
  readonly refused: readonly (readonly [string, string])[];
  readonly nothing?: readonly string[];
}) {
  const texts = useTexts();
  if (refused.length + nothing.length === 0) return null;
  return (
    <details class="act__refused">
      <summary>{texts.act.whyNot}</summary>
      {refused.length > 0 && <p class="act__quoted">{texts.act.quoted}</p>}
      <dl>
        {refused.map(([label, reason]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>“{reason}”</dd>
          </div>
        ))}
        {nothing.length > 0 && (
          <div>
            <dt>{nothing.join(' · ')}</dt>
            <dd>{texts.act.noRecord}</dd>
          </div>
        )}
      </dl>
    </details>
  );
}

/** What is not possible of the actions, with the reason of each. */
export function RefusedActions({ offered }: { readonly offered: readonly OfferedAction[] }) {
  const toolLabel = useToolLabel();
  const hindered = offered.filter((one) => !isPossible(one));
  const without = hindered.filter((one) => whyNot(one) === null && hasNothing(one));
  return (
    <Refused
      refused={hindered.flatMap((one) => {
        const reason = whyNot(one);
        return reason === null ? [] : [[toolLabel(one.tool), reason] as const];
      })}
      nothing={without.map(({ tool }) => toolLabel(tool))}
    />
  );
}

/** True where something has to be chosen and there is nothing to choose. */
const hasNothing = ({ fields }: OfferedAction): boolean =>
  fields.some((field) => field.required && idsOf(field)?.length === 0);

/** Which rule stands against it, in the company's own words. */
export function Refusal({ error }: { readonly error: ApiError | null }) {
  return error?.code === 'policy_denied' ? (
    <Notice tone="bad">{error.message}</Notice>
  ) : (
    <Failure error={error} />
  );
}
