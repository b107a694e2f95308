import { createStore, type Store } from './store.js';

/** True while the page is on a screen: not in a tab behind another, nor in a window that is put away. */
export const onScreen: Store<boolean> = createStore(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => onScreen.set(document.visibilityState === 'visible'));
