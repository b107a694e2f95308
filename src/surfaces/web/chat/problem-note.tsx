import { Icon } from '../shared/components/icon.js';
import { errorWords, useTexts } from './texts.js';

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
        {texts.problem} {errorWords(texts, problem)}
      </span>
    </p>
  );
}
