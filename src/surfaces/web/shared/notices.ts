import { createStore, deviceStorage, type Store } from './store.js';

/** True while the page is on a screen: not in a tab behind another, nor in a window that is put away. */
export const onScreen: Store<boolean> = createStore(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => onScreen.set(document.visibilityState === 'visible'));

/** True while the browser knows that it has no network; a broken line to the server is known later. */
export const isOffline: Store<boolean> = createStore(!navigator.onLine);
for (const name of ['online', 'offline']) addEventListener(name, () => isOffline.set(!navigator.onLine));

/** How a person wants to be notified, besides on the page, while another page or window is in front. */
interface NoticeChoice {
  readonly sound: boolean;
  readonly browser: boolean;
}

/** Sounds and notifications of the browser for one page. */
export interface Notices {
  /** Both are off until they are asked for; kept on this device. */
  readonly choice: Store<NoticeChoice>;
  /** Turns the notifications on, if the browser lets it, or off. */
  ask(on: boolean): Promise<void>;
  /**
   * Tells of something new.
   * @param tag a newer notification takes the place of the one with the same tag
   * @param onPress called when somebody presses the notification, and the page is before them
   */
  notify(text: string, tag: string, onPress?: () => void): void;
}

/** A browser shows the notifications of no frame of another site. */
export const canNotify = 'Notification' in window && window.parent === window;

/**
 * @param name of the page: where the choice is kept
 * @param worker of the page, where it has one: what it shows takes the place of what it showed while no page was open
 */
export function createNotices(
  name: string,
  worker: () => Promise<ServiceWorkerRegistration | undefined> = async () => undefined,
): Notices {
  const key = `hub.${name}.notices`;
  const kept = deviceStorage.get(key) ?? '';
  const choice = createStore<NoticeChoice>({
    sound: kept.includes('sound'),
    browser: kept.includes('browser'),
  });
  choice.subscribe(({ sound, browser }) =>
    deviceStorage.set(key, [sound ? 'sound' : '', browser ? 'browser' : ''].join(' ')),
  );
  return {
    choice,
    async ask(on) {
      const browser = on && canNotify && (await Notification.requestPermission()) === 'granted';
      choice.update((before) => ({ ...before, browser }));
    },
    notify(text, tag, onPress) {
      const { sound, browser } = choice.get();
      if (sound) beep();
      if (!browser || !canNotify || document.visibilityState === 'visible') return;
      void worker().then((registration) => {
        if (registration) return registration.showNotification(document.title, { body: text, tag });
        const notice = new Notification(document.title, { body: text, tag });
        notice.addEventListener('click', () => {
          window.focus();
          onPress?.();
          notice.close();
        });
      });
    },
  };
}

const BEEP_S = 0.18;

function beep(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + BEEP_S);
  tone.frequency.value = 740;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + BEEP_S);
  tone.addEventListener('ended', () => void audio.close());
}
