import type { Locator, Page } from 'playwright-core';
import type { TestServer } from '../support/server.js';

/** The parts of the chat that tests use. */
export interface ChatPage {
  readonly page: Page;
  readonly composer: Locator;
  readonly messages: Locator;
  signIn(email: string): Promise<void>;
  say(text: string): Promise<void>;
  /** Waits for an answer of the hub that contains the words. */
  answered(words: string | RegExp): Promise<void>;
}

/** The chat on a page. */
export function chatOn(page: Page, at: Pick<TestServer, 'url'>): ChatPage {
  const composer = page.locator('#composer');
  return {
    page,
    composer,
    messages: page.getByRole('log').locator('.message'),
    async signIn(email) {
      await page.goto(`${at.url}/`);
      await page.locator('.hello__sign-in button').click();
      await page.getByLabel('E-mail').fill(email);
      await page.locator('form.form button[type=submit]').click();
      await page.locator('.hello__sign-in').waitFor({ state: 'detached' });
    },
    async say(text) {
      await composer.fill(text);
      await composer.press('Enter');
    },
    async answered(words) {
      await page.locator('.message--hub:not(.message--preview)', { hasText: words }).last().waitFor();
    },
  };
}

/** The id of the conversation that is open. */
export function threadOf(page: Page): string {
  return decodeURIComponent(/#\/t\/(.+)$/.exec(page.url())?.[1] ?? '');
}

/** What operators do, over HTTP. */
export async function deskOf(at: TestServer, name = 'Marina Duarte') {
  const token = await at.operator(name);
  const ticketOf = async (threadId: string): Promise<string> => {
    const { tickets } = (await at.get('/api/desk/tickets?view=all&limit=100', token)).body as {
      readonly tickets: readonly { readonly ticket_id: string; readonly thread_id: string }[];
    };
    const found = tickets.find((ticket) => ticket.thread_id === threadId);
    if (!found) throw new Error(`no ticket of ${threadId}`);
    return found.ticket_id;
  };
  return {
    async act(threadId: string, action: string, body: unknown = {}): Promise<void> {
      const answer = await at.post(`/api/desk/tickets/${await ticketOf(threadId)}/${action}`, token, body);
      if (answer.status >= 300) throw new Error(`${action}: ${answer.status} ${answer.text}`);
    },
    async decide(decision: 'approve' | 'reject', reason?: string): Promise<void> {
      const { approvals } = (await at.get('/api/desk/approvals', token)).body as {
        readonly approvals: readonly { readonly id: string }[];
      };
      const answer = await at.post(`/api/desk/approvals/${approvals[0]?.id}`, token, { decision, reason });
      if (answer.status >= 300) throw new Error(`${decision}: ${answer.status} ${answer.text}`);
    },
  };
}
