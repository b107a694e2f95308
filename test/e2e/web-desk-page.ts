import type { Locator, Page } from 'playwright-core';
import type { TestServer } from '../support/server.js';

/** The desk on a page. */
export interface DeskPage {
  readonly page: Page;
  readonly rows: Locator;
  /** Where a reply or a note is written. */
  readonly field: Locator;
  /** Signs in as the demo's operator. */
  signIn(name: string): Promise<void>;
  /** Opens a place, such as `#/approvals`. */
  open(hash: string): Promise<void>;
  /** Waits for a message on the open ticket. */
  said(words: string | RegExp): Promise<void>;
}

/** The desk on a page. */
export function deskOn(page: Page, at: Pick<TestServer, 'url'>): DeskPage {
  return {
    page,
    rows: page.locator('.row'),
    field: page.locator('.composer__field'),
    async signIn(name) {
      await page.goto(`${at.url}/desk`);
      await page.locator('input[name=name]').fill(name);
      await page
        .locator('form', { has: page.locator('input[name=name]') })
        .locator('button')
        .click();
      await page.locator('.bar__nav').waitFor();
    },
    async open(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    },
    async said(words) {
      await page.locator('.msg', { hasText: words }).last().waitFor();
    },
  };
}

/** A conversation that a customer has over HTTP. @returns its ids */
export async function customerSays(
  at: TestServer,
  email: string,
  ...texts: readonly string[]
): Promise<{ readonly threadId: string; readonly ticketId: string; readonly token: string }> {
  const token = await at.token(email);
  const threadId = await at.thread(token);
  let ticketId = '';
  for (const text of texts) {
    const { status, body, text: said } = await at.post(`/api/threads/${threadId}/messages`, token, { text });
    if (status !== 200) throw new Error(`${text}: ${status} ${said}`);
    ticketId = String(body['ticket_id']);
  }
  return { threadId, ticketId, token };
}

/** An operator's call over HTTP, as a colleague at another desk makes it. */
export async function colleague(at: TestServer, name: string) {
  const token = await at.operator(name);
  return async (path: string, body: unknown = {}): Promise<void> => {
    const answer = await at.post(path, token, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  };
}
