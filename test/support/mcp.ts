import {
  Client,
  type ElicitResult,
  InMemoryTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { OutsideCaller } from '../../src/core/capabilities.js';
import { ANONYMOUS, SCOPES } from '../../src/core/domain/customer.js';
import { createMcpServerFactory } from '../../src/surfaces/mcp/server.js';
import type { Hub } from './hub.js';

/** How a client speaks: as programs of 2025 do, or in the newest version. */
export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

export interface McpOptions {
  /** The customer; a visitor where absent. */
  readonly as?: string;
  readonly caller?: Partial<OutsideCaller>;
  readonly era?: Era;
  readonly local?: boolean;
  /** Answers what the server asks the user, and what it calls agreeing; the client cannot ask where absent. */
  readonly elicit?: (question: string, yes: string) => ElicitResult | Promise<ElicitResult>;
}

/** A real client of the SDK that talks to the real server in this process. */
export interface McpTalk {
  readonly client: Client;
  /** What the user was asked. */
  readonly questions: readonly string[];
  /** Everything that the server has sent. */
  readonly sent: readonly JSONRPCMessage[];
  /** Calls a tool and takes its structured content. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** The text block, which every client sees. */
  readonly text: string;
}

/** A client with the version and the capabilities that a test wants; not connected. */
export function makeClient({ era = 'legacy', elicit }: McpOptions, questions: string[] = []): Client {
  const client = new Client(
    { name: 'test client', version: '1.0.0' },
    {
      capabilities: elicit ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (elicit) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      const { confirm } = 'requestedSchema' in params ? params.requestedSchema.properties : {};
      return elicit(params.message, confirm?.title ?? '');
    });
  }
  return client;
}

/** Connects a client to the hub. */
export async function connectMcp(hub: Hub, options: McpOptions = {}): Promise<McpTalk> {
  const identity = options.as === undefined ? ANONYMOUS : await hub.app.signIn(options.as);
  const caller = { identity, scopes: SCOPES, channel: 'mcp' as const, ...options.caller };
  const factory = createMcpServerFactory(hub.app, {
    company: hub.app.company,
    caller: () => caller,
    local: options.local ?? false,
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  const send = theirs.send.bind(theirs);
  theirs.send = (message, sendOptions) => {
    sent.push(message);
    return send(message, sendOptions);
  };
  const served = serveStdio(factory, { transport: theirs as Transport });
  const questions: string[] = [];
  const client = makeClient(options, questions);
  await client.connect(ours);
  return { ...talkOf(client), questions, sent, close: () => closeBoth(client, served) };
}

/** What tests do with a connected client. */
export function talkOf(client: Client): Pick<McpTalk, 'client' | 'call'> {
  return {
    client,
    async call(name, args = {}) {
      const {
        isError = false,
        structuredContent,
        content,
      } = await client.callTool({ name, arguments: { ...args } });
      const [block] = content;
      return {
        isError,
        data: (structuredContent ?? {}) as ToolAnswer['data'],
        text: block?.type === 'text' ? block.text : '',
      };
    },
  };
}

async function closeBoth(client: Client, served: { close(): Promise<void> }): Promise<void> {
  await client.close();
  await served.close();
}
