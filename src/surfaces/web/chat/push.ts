import { COMPANY } from '../shared/company.js';
import { language } from '../shared/i18n.js';
import { canNotify, createNotices } from '../shared/notices.js';
import type { ChatModel } from './chat-model.js';

/** How the customer wants to be notified of answers. */
export const notices = createNotices('chat', () => worker());

/** The address that the worker may be loaded from, and no other: the page demands that scripts' addresses are vouched for. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}
const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
const vouched = trustedTypes?.createPolicy('hub-worker', {
  createScriptURL(url) {
    if (!url.startsWith('/push.js?')) throw new TypeError(`No script is loaded from ${url}.`);
    return url;
  },
});

const canPush = canNotify && 'serviceWorker' in navigator && 'PushManager' in window;

/** The worker that shows what comes while no page is open; undefined where there is none yet. */
function worker(): Promise<ServiceWorkerRegistration | undefined> {
  return canPush ? navigator.serviceWorker.getRegistration('/') : Promise.resolve(undefined);
}

/** Subscribes the browser to notifications of answers, where it allows that, for as long as the customer wants them. */
export interface Push {
  /**
   * To be called whenever the choice, the customer or the language may have changed. After a sign-out there are no more.
   * @param text what the browser says then
   */
  keep(text: string): Promise<void>;
}

/** @param model whose session says whose browser it is */
export function createPush(model: ChatModel): Push {
  /** The last subscription that was sent to the hub: whose, for which address, in which language. */
  let kept = '';
  const tell = (endpoint: string, on: boolean): Promise<unknown> =>
    model.api.post('/api/push', { endpoint, on });
  const leave = async (): Promise<void> => {
    kept = '';
    const subscription = await (await worker())?.pushManager.getSubscription();
    if (!subscription) return;
    // An endpoint that is ended is called in vain once, and then forgotten: nothing depends on this request.
    void tell(subscription.endpoint, false).catch(() => {});
    await subscription.unsubscribe();
  };
  return {
    async keep(text) {
      const config = model.config.get();
      const who =
        model.session.token() ?? (model.conversation.get()?.state.get().threadId ? 'visitor' : null);
      if (!canPush || config === null || config === 'failed') return;
      if (!notices.choice.get().browser || (who === null && kept !== '')) return leave();
      const wanted = [who, language.get(), text].join(' ');
      if (who === null || wanted === kept || Notification.permission !== 'granted') return;
      kept = wanted;
      try {
        const query = new URLSearchParams({ title: COMPANY.name, text, language: language.get() });
        const url = `/push.js?${query}`;
        await navigator.serviceWorker.register(vouched?.createScriptURL(url) ?? url);
        const { pushManager } = await navigator.serviceWorker.ready;
        const subscription =
          (await pushManager.getSubscription()) ??
          (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: config.push_key }));
        await tell(subscription.endpoint, true);
      } catch {
        // A browser without a push service tells as long as a page is open.
        kept = '';
      }
    },
  };
}

/** Somebody pressed the notification: shows the conversation with the answer, the latest where none is unread. */
export function openAnswered(model: ChatModel): void {
  if (location.hash !== '#/answered') return;
  const stop = model.list.subscribe(({ phase, threads }) => {
    if (phase !== 'ready') return;
    stop();
    const answered = threads.find(({ unread }) => unread > 0) ?? threads[0];
    if (answered !== undefined && location.hash === '#/answered') model.openThread(answered.thread_id);
  });
}
