import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type OpenRemoteAgentsOptions, openRemoteAgents } from '../../../src/adapters/a2a/remote-agents.js';
import type { RemoteAgents, RemoteTry } from '../../../src/core/ports/remote-agents.js';
import { createFixedClock, type FixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';

/** A request as the partner got it. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Answers a request; what it throws away never comes. */
export type Answering = (response: ServerResponse, heard: Heard) => void;

/** Another company's agent: a real server that says what a test has it say. */
export interface Partner {
  readonly url: string;
  readonly heard: readonly Heard[];
  /** What is answered at a path from now on. */
  on(path: string, answering: Answering): void;
  /** What was heard at a path. */
  at(path: string): readonly Heard[];
  close(): Promise<void>;
}

export async function openPartner(): Promise<Partner> {
  const heard: Heard[] = [];
  const routes = new Map<string, Answering>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, path: url.replace(/\?.*$/, ''), headers, text };
      heard.push({ ...one, path: url });
      const answering = routes.get(one.path);
      if (answering === undefined) response.writeHead(404).end('no such place');
      else answering(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    on: (path, answering) => void routes.set(path, answering),
    at: (path) => heard.filter((one) => one.path === path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const CARD = '/.well-known/agent-card.json';

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answering {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** One answer after the other; the last one again and again. */
export function inTurn(...answers: readonly Answering[]): Answering {
  let at = 0;
  return (response, heard) => answers[Math.min(at++, answers.length - 1)]?.(response, heard);
}

export const silence: Answering = () => undefined;

const BOOKING = {
  type: 'object',
  required: ['venue', 'hours'],
  additionalProperties: false,
  properties: { venue: { type: 'string', minLength: 1 }, hours: { type: 'integer', minimum: 1 } },
};
const BOOKED = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } };

/** A card of protocol 1.0 with one skill that is called at its endpoint and one for messages. */
export function cardOf(url: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Parking',
    description: 'Parking near venues.',
    version: '1',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {
      extensions: [
        {
          uri: 'urn:example:calls',
          params: {
            skills: [
              {
                name: 'book_parking',
                description: 'Books a place.',
                endpoint: `${url}/skills/book`,
                method: 'POST',
                input_schema: BOOKING,
                output_schema: BOOKED,
              },
            ],
          },
        },
      ],
    },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      { id: 'book_parking', name: 'Book parking', description: 'Books.', tags: ['parking'] },
      { id: 'advise', name: 'Advise', description: 'Says where to park.', tags: [] },
    ],
    ...more,
  };
}

/** Answers a call of JSON-RPC with a result, or with an error. */
export function rpc(result: unknown, error?: { readonly code: number; readonly message: string }): Answering {
  return (response, { text }) => {
    const { id } = JSON.parse(text) as { readonly id: unknown };
    json({ jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) })(response, {
      method: '',
      path: '',
      headers: {},
      text,
    });
  };
}

/** A task of protocol 1.0. */
export function task(
  state: string,
  text?: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] };
  return {
    id: 'task-1',
    contextId: 'context-1',
    status: { state: `TASK_STATE_${state}`, ...(text === undefined ? {} : { message }) },
    ...more,
  };
}

/** What a test calls with, and what it can look at. */
export interface Caller {
  readonly agents: RemoteAgents;
  readonly clock: FixedClock;
  readonly log: RecordingLog;
  readonly tries: readonly RemoteTry[];
  /** Options that note the tries. */
  readonly noting: { readonly onTry: (entry: RemoteTry) => void };
}

/** Waits that a test can wait for. */
export const SHORT = { backoffMs: 4, maxBackoffMs: 8, pollMs: 5, maxPollMs: 10, circuitPauseMs: 80 };

const folder = mkdtempSync(join(tmpdir(), 'remote-agents-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Writes a file of other agents. */
export function agentFile(content: unknown): string {
  files += 1;
  const file = join(folder, `agents-${files}.yaml`);
  writeFileSync(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

/** The agent `parking` at an address, as an operator would name it. */
function parkingFile(url: string, entry: Record<string, unknown> = {}): string {
  const usual = { allow_http: true, allow_private: true, timeout_ms: 60_000 };
  return agentFile({ agents: [{ name: 'parking', card: url, ...usual, ...entry }] });
}

/** Whoever asks the agent `parking`; its token is `secret`. */
export function openCaller(
  url: string,
  entry: Record<string, unknown> = {},
  options: Partial<OpenRemoteAgentsOptions> & { readonly secret?: string } = {},
): Caller {
  const { secret = 'secret-of-parking', ...more } = options;
  const clock = createFixedClock();
  const log = createRecordingLog();
  const tries: RemoteTry[] = [];
  const agents = openRemoteAgents({
    config: {
      file: parkingFile(url, entry),
      secret: (name) => (name === 'PARKING_TOKEN' ? secret : undefined),
    },
    roster: ['knowledge', 'account'],
    clock,
    ids: createSequentialIds(),
    log,
    timings: SHORT,
    ...more,
  });
  return { agents, clock, log, tries, noting: { onTry: (one) => void tries.push(one) } };
}
