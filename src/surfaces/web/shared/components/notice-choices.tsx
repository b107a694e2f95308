import { SHARED } from '../i18n.js';
import { canNotify, type Notices } from '../notices.js';
import { useStore } from '../store.js';

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
