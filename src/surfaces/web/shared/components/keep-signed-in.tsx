import { useId } from 'preact/hooks';
import { SHARED } from '../i18n.js';
import { canNotify, type Notices } from '../notices.js';
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

/** Asks how somebody wants to be told of what comes while they look elsewhere. */
export function NoticeChoices({ notices, legend }: { readonly notices: Notices; readonly legend: string }) {
  const texts = SHARED.use().notices;
  const { sound, browser } = useStore(notices.choice);
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      <label class="choices__check">
        <input
          type="checkbox"
          checked={sound}
          onChange={({ currentTarget: { checked } }) =>
            notices.choice.update((before) => ({ ...before, sound: checked }))
          }
        />
        <span>{texts.sound}</span>
      </label>
      {canNotify && (
        <label class="choices__check">
          <input
            type="checkbox"
            checked={browser}
            onChange={({ currentTarget }) =>
              // Refused by the browser, it is unchecked again.
              void notices.ask(currentTarget.checked).then(() => {
                currentTarget.checked = notices.choice.get().browser;
              })
            }
          />
          <span>{texts.browser}</span>
        </label>
      )}
    </fieldset>
  );
}
