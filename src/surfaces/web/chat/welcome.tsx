import type { ComponentChildren } from 'preact';
import { COMPANY } from '../shared/company.js';
import { Button } from '../shared/components/controls.js';
import { language } from '../shared/i18n.js';
import { fill } from '../shared/message.js';
import { useStore } from '../shared/store.js';
import { useTexts } from './texts.js';

/** What an empty conversation says, and things that can be asked with one press. */
export function Welcome({
  name,
  demo,
  onChoose,
  onSignIn,
  children,
}: {
  readonly name: string;
  readonly demo: boolean;
  readonly onChoose: (text: string) => void;
  readonly onSignIn: (() => void) | null;
  /** What stands before the things to ask. */
  readonly children: ComponentChildren;
}) {
  const texts = useTexts();
  const shown = useStore(language);
  const choose = (text: string): void => {
    onChoose(text);
    document.getElementById('composer')?.focus();
  };
  const first = name.split(/\s+/)[0] ?? '';
  const { text, starters } = COMPANY.welcome ?? {};
  return (
    <section class="hello">
      <Scene />
      <h2 class="hello__title">{first === '' ? texts.greeting : fill(texts.greetingTo, { name: first })}</h2>
      <p class="hello__text">{text?.[shown] ?? texts.greetingText}</p>
      {children}
      <ul class="hello__ideas" aria-label={texts.suggestionsLabel}>
        {(starters?.[shown] ?? []).map((idea) => (
          <li key={idea}>
            <button type="button" class="idea" onClick={() => choose(idea)}>
              {idea}
            </button>
          </li>
        ))}
      </ul>
      {onSignIn && (
        <p class="hello__sign-in">
          {demo ? texts.visitor.demo : texts.visitor.welcome}{' '}
          <Button kind="quiet" icon="person" onClick={onSignIn}>
            {texts.signIn.signIn}
          </Button>
        </p>
      )}
    </section>
  );
}

/** A row of tiles as on the house fronts of São Luís, and the sun of the sign above it. */
function Scene() {
  return (
    <svg class="scene" viewBox="0 0 240 84" aria-hidden="true" focusable="false">
      <path class="scene__sun" d="M76 60a44 44 0 0 1 88 0z" />
      {[0, 1, 2, 3, 4, 5].map((at) => (
        <g key={at} transform={`translate(${at * 40} 60)`}>
          <path class={at % 2 === 0 ? 'scene__tile' : 'scene__tile scene__tile--other'} d="M0 0h40v24H0z" />
          <path
            class="scene__leaf"
            d="M0 24a20 20 0 0 1 20-24 20 20 0 0 1 20 24 26 26 0 0 0-20-9 26 26 0 0 0-20 9z"
          />
        </g>
      ))}
    </svg>
  );
}
