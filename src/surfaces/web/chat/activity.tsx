import { PlainText } from '../shared/components/plain-text.js';
import { useToolActivity } from '../shared/labels.js';
import type { Texts } from './texts.js';
import { useTexts } from './texts.js';
import type { Activity, ThreadState } from './thread-state.js';

/** What is going on, in plain words, while an answer is made. It is read out when it changes. */
export function ActivityLine({ state }: { readonly state: ThreadState }) {
  const texts = useTexts();
  const toolActivity = useToolActivity();
  const { activity, preview } = state;
  return (
    <div class="activity-place" role="status">
      {activity && preview === '' && (
        <p class="activity">
          <span class="activity__dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="activity__words">{words(texts.activity, activity, toolActivity)}…</span>
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
export function Preview({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <div class="message message--hub message--preview" aria-hidden="true">
      <div class="message__body">
        <PlainText text={text} />
        <span class="caret" />
      </div>
    </div>
  );
}
