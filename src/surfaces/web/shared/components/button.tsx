import type { ComponentChildren, JSX, Ref } from 'preact';
import { Icon, type IconName } from './icon.js';

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
