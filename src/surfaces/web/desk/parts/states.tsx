import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button, Icon, Spinner } from '../../shared/components/controls.js';
import type { ApiError } from '../../shared/problem.js';
import { useCommand } from '../lib/commands.js';
import { errorText } from '../lib/desk-context.js';
import type { Loaded } from '../lib/use-data.js';
import { useTexts } from '../texts.js';

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
  const texts = useTexts();
  return error === null ? null : <Notice tone="bad">{errorText(error, texts)}</Notice>;
}

/** What was read, or that it is on its way, or why it is not there. An old answer stays while a new one fails. */
export function Show<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const texts = useTexts();
  if (loaded.data !== null) return <>{children(loaded.data)}</>;
  if (loaded.error !== null) {
    return (
      <div class="empty">
        <Failure error={loaded.error} />
        {loaded.error.code !== 'not_found' && (
          <Button kind="outline" icon="refresh" onClick={loaded.reload}>
            {texts.app.retry}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div class="empty">
      <Spinner label={texts.app.loading} />
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
  const texts = useTexts();
  return (
    <div class="form__buttons">
      <Button kind="quiet" onClick={onClose}>
        {texts.app.cancel}
      </Button>
      <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy}>
        {confirm}
      </Button>
    </div>
  );
}

/** A list on one side and what is chosen from it on the other; on a small screen one of them at a time. */
export function MasterDetail({
  title,
  open,
  list,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly list: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`split${open ? ' split--open' : ''}`}>
      <section class="split__list" aria-label={title}>
        {list}
      </section>
      <div class="split__detail" role="group" aria-label={title} tabIndex={0}>
        {children}
      </div>
    </div>
  );
}

/** The search field of a list; `/` goes to it. What stands beside it, such as a button to empty it, are its children. */
export function SearchBox({
  label,
  value,
  onInput,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly children?: ComponentChildren;
}) {
  const input = useRef<HTMLInputElement>(null);
  useCommand('/', () => input.current?.focus());
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {children}
    </search>
  );
}
