import type { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { type Answer, openServer, type ServerTestOptions, type TestServer } from '../../support/server.js';

export const ANA = 'ana.souza@example.com';
export const JOAO = 'joao.cardoso@example.com';

/** A server, and calls as its operator Olga. */
export interface DeskWorld {
  readonly server: TestServer;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Ana asks for a person. @returns the ticket */
  escalated(text?: string): Promise<{ readonly ticketId: string; readonly threadId: string }>;
  /** João wants to cancel a reservation that an operator has to agree to. */
  awaitingApproval(): Promise<{
    readonly ticketId: string;
    readonly threadId: string;
    readonly pendingId: string;
  }>;
}

/** Opens a server. */
export async function openDeskWorld(options: ServerTestOptions = {}): Promise<DeskWorld> {
  const server = await openServer(options);
  const say = async (email: string, threadId: string, text: string) =>
    (await server.post(`/api/threads/${threadId}/messages`, await server.token(email), { text })).body;
  return {
    server,
    // Signed in anew each time, because the clock of a test may run ahead of a token's end.
    get: async (path, headers) => server.get(path, await server.operator('Olga'), headers),
    post: async (path, body = {}, headers = {}) =>
      server.post(path, await server.operator('Olga'), body, headers),
    async escalated(text = 'I want to talk to a human about my refund') {
      const threadId = await server.thread(await server.token(ANA));
      const reply = await say(ANA, threadId, text);
      expect(reply.escalated, JSON.stringify(reply)).toBe(true);
      return { ticketId: String(reply.ticket_id), threadId };
    },
    async awaitingApproval() {
      const threadId = await server.thread(await server.token(JOAO));
      await say(JOAO, threadId, 'cancel my reservation res_042');
      const reply = await say(JOAO, threadId, 'yes');
      const pending = reply.pending as { readonly id: string; readonly kind: string };
      expect(pending.kind).toBe('approval');
      return { ticketId: String(reply.ticket_id), threadId, pendingId: pending.id };
    },
  };
}

/** The body is what the documented schema says: nothing is missing and nothing is there that it does not name. */
export function fits<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.parse(body);
  expect(parsed).toEqual(body);
  return parsed;
}
