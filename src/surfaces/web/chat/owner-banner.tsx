import type { PublicConfig } from '../shared/api-types.js';
import { Avatar } from '../shared/components/card.js';
import { Icon, Logo } from '../shared/components/icon.js';
import { fill } from '../shared/message.js';
import { useHours } from './support-hours.js';
import { useTexts } from './texts.js';
import type { ThreadState } from './thread-state.js';

/** Says that a person answers, or that one is waited for. A change is read out. */
export function OwnerBanner({
  state,
  hours,
}: {
  readonly state: ThreadState;
  readonly hours: PublicConfig['support_hours'];
}) {
  const texts = useTexts();
  const { owner, operator, handedBack } = state;
  const when = useHours(hours);
  return (
    <div class="owner-place" role="status">
      {owner === 'hub' && handedBack && (
        <div class="owner owner--hub">
          <Logo />
          <p class="owner__words">
            <strong>{texts.handedBack}</strong>
          </p>
        </div>
      )}
      {owner === 'operator' && operator && (
        <div class="owner owner--person">
          <Avatar name={operator.name} />
          <p class="owner__words">
            <strong>{fill(texts.operatorTitle, { name: operator.name })}</strong>
            <span>{texts.operatorText}</span>
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
            <span>
              {when && `${when} `}
              {texts.waitingText}
            </span>
          </p>
        </div>
      )}
    </div>
  );
}
