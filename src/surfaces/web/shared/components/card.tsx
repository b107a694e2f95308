import type { ComponentChildren } from 'preact';

/** A small word with a colour; the word alone must say it. */
export function Badge({
  children,
  tone = 'plain',
}: {
  readonly children: ComponentChildren;
  readonly tone?: 'plain' | 'good' | 'bad' | 'info' | 'sun' | 'accent';
}) {
  return <span class={`badge badge--${tone}`}>{children}</span>;
}

/** Two letters of a name. */
export function Avatar({ name }: { readonly name: string }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('');
  return (
    <span class="avatar" aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  );
}

/** Something is on its way. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <span class="busy" role="status">
      <span class="spinner" />
      <span class="visually-hidden">{label}</span>
    </span>
  );
}
