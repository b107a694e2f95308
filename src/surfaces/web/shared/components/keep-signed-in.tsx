import { useId } from 'preact/hooks';
import { SHARED } from '../i18n.js';
import type { Session } from '../session.js';
import { useStore } from '../store.js';

/** Asks whether this device keeps the sign-in, and says what that means where others use it too. */
export function KeepSignedIn({ session }: { readonly session: Session }) {
  const texts = SHARED.use().keep;
  const id = useId();
  const isKept = useStore(session.keep);
  return (
    <div class="field keep">
      <label class="choices__check">
        <input
          type="checkbox"
          aria-describedby={id}
          checked={isKept}
          onChange={({ currentTarget }) => session.keep.set(currentTarget.checked)}
        />
        <span>{texts.label}</span>
      </label>
      <p class="field__hint" id={id}>
        {texts.hint}
      </p>
    </div>
  );
}
