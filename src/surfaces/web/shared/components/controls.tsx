import type { ComponentChildren, JSX, Ref } from 'preact';
import { useId } from 'preact/hooks';
import { COMPANY } from '../company.js';

/** Drawings on a grid of 24 by 24, made for these pages. */
const PATHS = {
  alert: [
    'M12 8v5',
    'M12 16.5v.01',
    'M10.3 4.2 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0z',
  ],
  article: [
    'M6 3.5h8l4.5 4.5v12a.5.5 0 0 1-.5.5H6a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5z',
    'M14 3.5V8h4.5',
    'M8.5 12.5h7',
    'M8.5 16h5',
  ],
  back: ['M19 12H5', 'm11 18-6-6 6-6'],
  check: ['m5 12.5 4.5 4.5L19 7.5'],
  clip: [
    'M20 11.5 12.2 19.3a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-7.7 7.7a1.6 1.6 0 0 1-2.2-2.2l7-7',
  ],
  clock: ['M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z', 'M12 7.5V12l3 2'],
  close: ['M6 6l12 12', 'M18 6 6 18'],
  down: ['m6 9.5 6 6 6-6'],
  edit: ['M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17z', 'm14.5 7.5 3 3'],
  help: [
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
    'M9.7 9.4a2.4 2.4 0 1 1 3.4 2.5c-.8.4-1.1.9-1.1 1.7',
    'M12 16.5v.01',
  ],
  leave: ['M14 4.5H6a.5.5 0 0 0-.5.5v14a.5.5 0 0 0 .5.5h8', 'M10.5 12H20', 'm16.5 8.5 3.5 3.5-3.5 3.5'],
  link: [
    'M14 5h5v5',
    'm19 5-8.5 8.5',
    'M17 14v4.5a.5.5 0 0 1-.5.5h-11a.5.5 0 0 1-.5-.5v-11a.5.5 0 0 1 .5-.5H10',
  ],
  list: ['M4.5 7h15', 'M4.5 12h15', 'M4.5 17h9'],
  offline: [
    'm4 4 16 16',
    'M8.5 14.5a5 5 0 0 1 5-1.3',
    'M5 11a10 10 0 0 1 4-2.4',
    'M12.5 8a10 10 0 0 1 6.5 3',
    'M12 18.5v.01',
  ],
  person: ['M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z', 'M4.5 20.5a7.5 7.5 0 0 1 15 0'],
  plus: ['M12 5v14', 'M5 12h14'],
  refresh: ['M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9', 'M19.5 4.5V9H15'],
  search: ['M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z', 'm16 16 4 4'],
  send: ['M4.5 12 19.5 4.5 15 19.5l-3.5-6z', 'm11.5 13.5 8-9'],
  settings: ['M4 7h9', 'M17 7h3', 'M15 5v4', 'M4 17h3', 'M11 17h9', 'M9 15v4', 'M4 12h16'],
  shield: ['M12 3.5 5 6v5.5c0 4.2 2.8 7.4 7 9 4.2-1.6 7-4.8 7-9V6z', 'm9 12 2.2 2.2L15.2 10'],
  spark: [
    'M12 4v4',
    'M12 16v4',
    'M4 12h4',
    'M16 12h4',
    'm6.5 6.5 2.6 2.6',
    'm14.9 14.9 2.6 2.6',
    'm17.5 6.5-2.6 2.6',
    'm9.1 14.9-2.6 2.6',
  ],
  star: ['m12 4 2.4 5.1 5.6.7-4.1 3.9 1 5.6-4.9-2.8-4.9 2.8 1-5.6L4 9.8l5.6-.7z'],
  stop: ['M7.5 6.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z'],
  'thumb-down': [
    'M8 13.5V4.5h8.6a1.8 1.8 0 0 1 1.8 1.4l1.3 5.8a1.8 1.8 0 0 1-1.8 2.3H14l.6 4a1.8 1.8 0 0 1-3.4 1z',
    'M8 4.5H5a.5.5 0 0 0-.5.5v8a.5.5 0 0 0 .5.5h3',
  ],
  'thumb-up': [
    'M8 10.5v9h8.6a1.8 1.8 0 0 0 1.8-1.4l1.3-5.8a1.8 1.8 0 0 0-1.8-2.3H14l.6-4a1.8 1.8 0 0 0-3.4-1z',
    'M8 19.5H5a.5.5 0 0 1-.5-.5v-8a.5.5 0 0 1 .5-.5h3',
  ],
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing that says nothing by itself: the words beside it, or the label of its button, do. */
export function Drawing({ paths }: { readonly paths: readonly string[] }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

/** A drawing that the pages share; see Drawing. */
export const Icon = ({ name }: { readonly name: IconName }) => <Drawing paths={PATHS[name]} />;

/** The company's own picture, else the sign of the hub: a ticket with a rising sun. */
export function Logo() {
  const { logo } = COMPANY.brand;
  return logo !== null ? (
    <img class="logo" src={logo} alt="" />
  ) : (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        class="logo__ticket"
        d="M5 6h22a3 3 0 0 1 3 3v4a3 3 0 0 0 0 6v4a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4a3 3 0 0 0 0-6V9a3 3 0 0 1 3-3z"
      />
      <path class="logo__sun" d="M9 20a7 7 0 0 1 14 0z" />
      <path class="logo__rays" d="M16 8.5v2.6M9.6 11.2l1.6 1.9M22.4 11.2l-1.6 1.9" />
    </svg>
  );
}

type Native = Omit<JSX.IntrinsicElements['button'], 'children' | 'class' | 'icon' | 'label' | 'ref'>;

interface ButtonProps extends Native {
  readonly kind?: 'primary' | 'outline' | 'quiet' | 'danger' | 'plain';
  readonly icon?: IconName;
  readonly wide?: boolean;
  /** Shows a spinner and takes no presses; the label stays. */
  readonly busy?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly children: ComponentChildren;
}

/** A button with words. */
export function Button({ kind = 'plain', icon, wide, busy, buttonRef, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      ref={buttonRef ?? null}
      class={`button button--${kind}${wide ? ' button--wide' : ''}`}
      disabled={busy || rest.disabled}
      aria-busy={busy ? 'true' : undefined}
    >
      {busy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Native {
  readonly icon: IconName;
  /** What it does, for screen readers and as a tip. */
  readonly label: string;
  readonly kind?: ButtonProps['kind'];
  readonly buttonRef?: Ref<HTMLButtonElement>;
}

/** A button with a drawing only. */
export function IconButton({ icon, label, kind = 'quiet', buttonRef, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      ref={buttonRef ?? null}
      class={`button button--icon button--${kind}`}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
}

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

/** What a control needs to belong to its label, hint and error. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A labelled control; the error is read out with it. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
  readonly children: (control: ControlProps) => ComponentChildren;
}) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      {hint && (
        <p class="field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field__error" id={`${id}-error`} role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
    </div>
  );
}
