import { useEffect } from 'preact/hooks';
import { createNotices } from '../shared/notices.js';
import { onScreen } from '../shared/on-screen.js';
import type { ChatModel } from './chat-model.js';
import { panelShown } from './embed-bridge.js';
import { useTexts } from './texts.js';

const COUNT = /^\(\d+\) /;

/** How the customer wants to be told of answers. */
export const notices = createNotices('chat');

/**
 * Tells of what is answered while the page lies behind another, or its panel is put away: in the title, and as the customer has
 * asked for it. A look at the page ends the count.
 * @param isFramed the title of a frame is seen nowhere: there the page's button counts
 */
export function useArrivals(model: ChatModel, isFramed: boolean): void {
  const { answered } = useTexts();
  useEffect(() => {
    let unread = 0;
    const show = (count: number): void => {
      unread = count;
      const title = document.title.replace(COUNT, '');
      document.title = count === 0 ? title : `(${count}) ${title}`;
    };
    model.onMessage = (role) => {
      if ((onScreen.get() && panelShown.get()) || (role !== 'hub' && role !== 'operator')) return;
      // Nothing of the answer itself: others may see the screen.
      notices.tell(answered, 'hub.chat');
      if (!isFramed) show(unread + 1);
    };
    return onScreen.subscribe((visible) => {
      if (visible && !isFramed) show(0);
    });
  }, [model, isFramed, answered]);
}
