import { Icon, type IconName } from '../../shared/components/controls.js';

/** A tool beside the field: in words where there is room for them, as a drawing with a tip on a phone. */
export function ToolButton({
  icon,
  label,
  title = label,
  busy = false,
  onClick,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly busy?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="button button--quiet tool"
      title={title}
      disabled={busy}
      aria-busy={busy ? 'true' : undefined}
      onClick={onClick}
    >
      {busy ? <span class="spinner" /> : <Icon name={icon} />}
      <span class="tool__words">{label}</span>
    </button>
  );
}
