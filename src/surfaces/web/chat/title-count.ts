import { onScreen } from '../shared/on-screen.js';
import type { ChatModel } from './chat-model.js';

const COUNT = /^\(\d+\) /;

/** Counts in the title what has been answered while the page lies behind another; a look at the page ends the count. */
export function countInTitle(model: ChatModel): void {
  let unread = 0;
  const show = (count: number): void => {
    unread = count;
    const title = document.title.replace(COUNT, '');
    document.title = count === 0 ? title : `(${count}) ${title}`;
  };
  model.onMessage = (role) => {
    if (!onScreen.get() && (role === 'hub' || role === 'operator')) show(unread + 1);
  };
  onScreen.subscribe((visible) => {
    if (visible) show(0);
  });
}
