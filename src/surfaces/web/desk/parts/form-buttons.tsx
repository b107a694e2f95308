import { Button } from '../../shared/components/button.js';
import { useWords } from '../texts.js';

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
