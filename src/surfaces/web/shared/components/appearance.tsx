import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../api.js';
import { chooseTheme, theme } from '../brand.js';
import { chooseLanguage, LANGUAGES, language, SHARED } from '../i18n.js';
import { canNotify, type Notices } from '../notices.js';
import { useStore } from '../store.js';
import { IconButton, type IconName } from './controls.js';

/** Each language in its own words: "English", "Português". */
const NAMES = Object.fromEntries(
  LANGUAGES.map((tag) => {
    const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag.split('-')[0] ?? tag) ?? tag;
    return [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)];
  }),
);

/** One of a few, as a row of radio buttons. */
export function Choices<T extends string>({
  legend,
  options,
  value,
  onChoose,
}: {
  readonly legend: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChoose: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      <div class="choices__row">
        {(Object.entries(options) as [T, string][]).map(([option, label]) => (
          <label class="choices__option" key={option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A button that opens a small panel; Escape or a press elsewhere closes it. */
function Menu({
  label,
  icon = 'settings',
  children,
}: {
  readonly label: string;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  // As soon as it is seen it can be closed.
  useLayoutEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    const onEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', onEscape);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', onEscape);
    };
  }, [open]);
  return (
    <div class="menu" ref={root}>
      <IconButton
        icon={icon}
        label={label}
        buttonRef={button}
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      />
      <div class="menu__panel" id={panelId} hidden={!open}>
        {children}
      </div>
    </div>
  );
}

/** Language and theme, and what else a page puts below them. */
export function AppearanceMenu({ children }: { readonly children?: ComponentChildren }) {
  const texts = SHARED.use().appearance;
  return (
    <Menu label={texts.open}>
      <div class="menu__stack">
        <Choices
          legend={texts.language}
          options={NAMES}
          value={useStore(language)}
          onChoose={chooseLanguage}
        />
        <Choices legend={texts.theme} options={texts.themes} value={useStore(theme)} onChoose={chooseTheme} />
        {children}
      </div>
    </Menu>
  );
}

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

/** Asks how a person wants to be notified while another page or window is in front. */
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
