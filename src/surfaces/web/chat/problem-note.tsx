import { Icon } from '../shared/components/icon.js';
import { useTexts } from '../shared/i18n.js';
import { errorWords, TEXTS } from './texts.js';

/** A turn that failed after its message was taken. */
export function ProblemNote({
  problem,
}: {
  readonly problem: { readonly code: string; readonly detail: string };
}) {
  const texts = useTexts(TEXTS);
  return (
    <p class="problem" role="alert">
      <Icon name="alert" />
      <span>
        {texts.problem} {errorWords(texts, problem)}
      </span>
    </p>
  );
}
