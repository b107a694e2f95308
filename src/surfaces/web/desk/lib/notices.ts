import { deviceStorage } from '../../shared/storage.js';
import { createStore } from '../../shared/store.js';
import { go } from './location.js';

/** How an operator wants to be told of a customer's words besides on the page. */
export interface NoticeChoice {
  readonly sound: boolean;
  readonly browser: boolean;
}

const KEY = 'hub.desk.notices';
const kept = deviceStorage.get(KEY) ?? '';

/** Both are off until the operator asks for them. */
export const noticeChoice = createStore<NoticeChoice>({
  sound: kept.includes('sound'),
  browser: kept.includes('browser'),
});
noticeChoice.subscribe(({ sound, browser }) =>
  deviceStorage.set(KEY, [sound ? 'sound' : '', browser ? 'browser' : ''].join(' ')),
);

/** Turns the notices of the browser on, if the operator allows them there. */
export async function askForNotices(on: boolean): Promise<void> {
  const allowed = on && 'Notification' in window && (await Notification.requestPermission()) === 'granted';
  noticeChoice.update((before) => ({ ...before, browser: allowed }));
}

/** Tells of words that came while the operator looked elsewhere. @param ticketId opens with a press on the notice */
export function notify(text: string, ticketId: string): void {
  const { sound, browser } = noticeChoice.get();
  if (sound) beep();
  if (!browser || document.visibilityState === 'visible') return;
  const notice = new Notification(document.title, { body: text, tag: ticketId });
  notice.addEventListener('click', () => {
    window.focus();
    go('tickets', ticketId);
    notice.close();
  });
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
