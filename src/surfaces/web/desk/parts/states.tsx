import type { ComponentChildren } from 'preact';
import { Button } from '../../shared/components/button.js';
import { Spinner } from '../../shared/components/card.js';
import { Icon } from '../../shared/components/icon.js';
import type { ApiError } from '../../shared/problem.js';
import { errorText } from '../lib/desk-context.js';
import type { Loaded } from '../lib/use-data.js';
import { useWords } from '../texts.js';

/** Nothing is here, why, and what to do. */
export function Empty({
  text,
  children,
}: {
  readonly text: readonly string[];
  readonly children?: ComponentChildren;
}) {
  const [title = '', hint = ''] = text;
  return (
    <div class="empty">
      <p class="empty__title">{title}</p>
      {hint !== '' && <p class="empty__hint">{hint}</p>}
      {children}
    </div>
  );
}

/** Something an operator must know, read out at once. */
export function Notice({
  tone,
  children,
}: {
  readonly tone: 'bad' | 'info' | 'good' | 'sun';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice notice--${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={tone === 'good' ? 'check' : 'alert'} />
      <div>{children}</div>
    </div>
  );
}

/** A refusal in words; nothing where there was none. */
export function Failure({ error }: { readonly error: ApiError | null }) {
  const words = useWords();
  return error === null ? null : <Notice tone="bad">{errorText(error, words)}</Notice>;
}

/** What was read, or that it is on its way, or why it is not there. An old answer stays while a new one fails. */
export function Show<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const words = useWords();
  if (loaded.data !== null) return <>{children(loaded.data)}</>;
  if (loaded.error !== null) {
    return (
      <div class="empty">
        <Failure error={loaded.error} />
        <Button kind="outline" icon="refresh" onClick={loaded.reload}>
          {words.app.retry}
        </Button>
      </div>
    );
  }
  return (
    <div class="empty">
      <Spinner label={words.app.loading} />
    </div>
  );
}

/** The two ends of a window: leave it, or do it. */
export function FormButtons({
  confirm,
  busy,
  danger = false,
  onClose,
}: {
  readonly confirm: string;
  readonly busy: boolean;
  readonly danger?: boolean;
  readonly onClose: () => void;
}) {
  const words = useWords();
  return (
    <div class="form__buttons">
      <Button kind="quiet" onClick={onClose}>
        {words.app.cancel}
      </Button>
      <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy}>
        {confirm}
      </Button>
    </div>
  );
}
