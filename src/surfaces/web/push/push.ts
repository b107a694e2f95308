// The service worker of web push: says in one sentence that there is an answer while no page of the chat shows it, and
// brings the chat back when that is pressed. A push carries nothing; the sentence comes from the page that registered this
// script, in the address of the script.

/** The part of a service worker's world that is used here; the pages' types know none. */
interface Worker {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}
interface Page {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
}
interface WorkerEvent {
  readonly notification?: Notification;
  waitUntil(work: Promise<unknown>): void;
}

const worker = self as unknown as Worker;
const said = new URL(worker.location.href).searchParams;

const chats = async (): Promise<readonly Page[]> => {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => new URL(url).pathname === '/');
};

async function show(): Promise<void> {
  if ((await chats()).some(({ visibilityState }) => visibilityState === 'visible')) return;
  await worker.registration.showNotification(said.get('title') ?? '', {
    body: said.get('text') ?? '',
    lang: said.get('language') ?? '',
    icon: '/icon.svg',
    // One notification, however many answers wait.
    tag: 'hub.chat',
  });
}

async function bringBack(): Promise<void> {
  const [open] = await chats();
  await (open === undefined ? worker.clients.openWindow('/#/answered') : open.focus());
}

// A sentence in another language is another script: it counts at once.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('push', (event) => event.waitUntil(show()));
worker.addEventListener('notificationclick', (event) => {
  event.notification?.close();
  event.waitUntil(bringBack());
});
