import { deviceStorage } from './storage.js';
import { createStore } from './store.js';

/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'hub.theme';
const kept = deviceStorage.get(KEY);

/** The theme that was chosen. */
export const theme = createStore<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');

/** Shows and keeps a theme. */
export function chooseTheme(next: Theme): void {
  deviceStorage.set(KEY, next === 'system' ? null : next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.set(next);
}

/** True where the page is dark now, whoever decided it. */
export function isDark(): boolean {
  const chosen = theme.get();
  return chosen === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}
