import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../shared/components/icon.js';
import { useCommand } from '../lib/commands.js';

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

/** The search field of a list; `/` goes to it. */
export function SearchBox({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
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
    </search>
  );
}
