import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { parseConfig } from '../../src/config/config.js';
import { createHttpApp } from '../../src/surfaces/http/http-app.js';
import type { HubRouter } from '../../src/surfaces/http/router.js';
import { createHttpDeps } from '../../src/surfaces/http/server.js';
import { type MailSurface, openMailSurface } from '../../src/surfaces/mail/mail-surface.js';
import { type Hub, type HubOptions, openHub } from './hub.js';

/** A mail as a server took it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: Email;
  /** The value of a header; null where there is none. */
  header(name: string): string | null;
}

/** A real mail server on the loopback. */
export interface MailServer {
  readonly url: string;
  /** What it took, oldest first. */
  readonly taken: TakenMail[];
  /** What it answers instead of taking a mail; undefined: it takes them. */
  refuses: { readonly code: number } | undefined;
  /** True: it breaks off after it has taken a mail, before it says so. */
  drops: boolean;
  close(): Promise<void>;
}

/** Opens a mail server. */
async function openMailServer(): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        if (server.refuses)
          return done(Object.assign(new Error('not taken'), { responseCode: server.refuses.code }));
        void PostalMime.parse(raw).then((mail) => {
          taken.push({
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            to: session.envelope.rcptTo.map(({ address }) => address),
            raw,
            mail,
            header: (name) => mail.headers.find(({ key }) => key === name.toLowerCase())?.value ?? null,
          });
          if (server.drops) done(Object.assign(new Error('later'), { responseCode: 451 }));
          else done();
        });
      });
    },
  });
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as { readonly port: number };
  const server: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    refuses: undefined,
    drops: false,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
  return server;
}

/** A mail as somebody writes it. */
export interface WrittenMail {
  readonly from: string;
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  /** Further header lines: those before From. */
  readonly head?: readonly string[];
  readonly messageId?: string;
}

/** What the own mail server writes over a mail whose sender it has verified. */
export const verifiedBy = (domain: string, server = 'mx.help.example.com'): string =>
  `Authentication-Results: ${server}; dkim=pass header.d=${domain} header.s=s1; spf=pass smtp.mailfrom=${domain}`;
export const RECEIVED =
  'Received: from out.example.com by mx.help.example.com (Postfix) with ESMTPS id 1; Wed, 11 Mar 2026 15:00:00 +0000';
let written = 0;

/** The bytes of a mail. */
export function writeMail({
  from,
  to = SUPPORT,
  subject,
  text = '',
  head = [],
  messageId,
}: WrittenMail): string {
  written += 1;
  const lines = [
    ...head,
    `From: ${from}`,
    `To: ${to}`,
    ...(subject === undefined ? [] : [`Subject: ${subject}`]),
    `Message-ID: ${messageId ?? `<mail-${written}@out.example.com>`}`,
    ...(text.startsWith('Content-Type:') ? ['MIME-Version: 1.0', text] : ['', text]),
  ];
  return lines.join('\r\n').replace(/\r?\n/g, '\r\n');
}

/** A body of several parts, as `text` of a mail; each part begins with its own headers. */
export function withParts(type: string, ...parts: readonly string[]): string {
  const boundary = 'part-of-a-test';
  const head = `Content-Type: ${type}; boundary="${boundary}"`;
  return [head, '', ...parts.flatMap((part) => [`--${boundary}`, part]), `--${boundary}--`, ''].join('\n');
}

/** A hub with mail, whose mails leave when the test says so. */
export interface MailHub {
  readonly hub: Hub;
  readonly door: MailSurface;
  readonly server: MailServer;
  /** The routes of its server, without a socket. */
  readonly http: HubRouter;
  /** Takes a mail in. @returns the mails that were sent meanwhile */
  take(mail: WrittenMail | string): Promise<readonly TakenMail[]>;
  /** Sends what is due. @returns the mails that were taken meanwhile */
  deliver(): Promise<readonly TakenMail[]>;
  close(): Promise<void>;
}

/** What the tests send from. */
export const SUPPORT = 'support@help.example.com';

/** Opens a hub whose mails go to a mail server of its own. */
export async function openMailHub(options: HubOptions = {}): Promise<MailHub> {
  const server = await openMailServer();
  const env = {
    HUB_SMTP_URL: server.url,
    HUB_MAIL_FROM: `CultPass Support <${SUPPORT}>`,
    HUB_PUBLIC_URL: 'https://help.example.com',
    HUB_DEMO: '1',
    HUB_MAIL_AUTH_SERVER: 'mx.help.example.com',
    ...options.env,
  };
  const hub = await openHub({ ...options, env });
  const config = parseConfig({ HUB_DATA_DIR: hub.dataDir, HUB_MODEL_PROVIDER: 'offline', ...env });
  const door = await openMailSurface(hub.app, config);
  if (door === null) throw new Error('There is no mail.');
  return {
    hub,
    door,
    server,
    http: createHttpApp(createHttpDeps(hub.app, config)),
    async take(mail) {
      const before = server.taken.length;
      const raw = typeof mail === 'string' ? mail : writeMail(mail);
      await door.take({ bytes: Buffer.from(raw), whole: true });
      return server.taken.slice(before);
    },
    async deliver() {
      const before = server.taken.length;
      await door.deliver();
      return server.taken.slice(before);
    },
    async close() {
      await hub.close();
      await server.close();
    },
  };
}
