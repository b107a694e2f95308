import type { App } from '../../app/app.js';
import type { MailConfig } from '../../config/config.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { DueMail, Mail } from '../../core/ports/index.js';
import { type Signed, signedToken, withToken } from './reply-address.js';

/** What a mail is written with. */
interface Composing {
  readonly app: Pick<App, 'texts' | 'company'>;
  readonly config: Pick<MailConfig, 'address' | 'imapUrl'> & { readonly publicUrl: string | undefined };
  readonly key: string;
  readonly now: Date;
}

/** Whom it goes to, in which language. */
export interface Recipient {
  readonly address: string;
  readonly language: Language;
  /** The customer's; null of a visitor. */
  readonly name: string | null;
}

const QUOTED_LINES = 20;
const SUBJECT_CHARS = 150;

/** Writes a mail of a conversation: what was said, how to go on, and what it answers. */
export function composeMail({ app, config, key, now }: Composing, due: DueMail, to: Recipient): Mail {
  const texts = app.texts.for(to.language);
  const company = app.company.name;
  const signed = { seq: due.seq, threadId: due.threadId, who: due.customerId ?? to.address };
  const said = due.messages.map(({ role, author, content }) =>
    role === 'operator' ? `${texts.say('mail_answer.by', { name: author })}\n\n${content}` : content,
  );
  const footer = [
    config.imapUrl !== undefined ? texts.say('mail_answer.reply') : null,
    config.publicUrl === undefined ? null : texts.say('mail_answer.page', { url: config.publicUrl }),
    due.reason === 'reply' ? null : texts.say('mail_answer.notice', { reason: due.reason }),
  ];
  const parts = [
    to.name === null ? null : texts.say('mail_answer.greeting', { name: firstName(to.name) }),
    ...said,
    footer.filter((line) => line !== null).join(' '),
    `-- \n${company}`,
    quoted(due, texts.say('mail_answer.wrote')),
  ];
  const notice = due.reason === 'reply' ? null : noticeOf({ config, key, now }, signed, company);
  return {
    to: to.address,
    subject: subjectOf(due.subject, texts.say('mail_answer.subject', { company })),
    text: `${parts.filter((part) => part !== null && part !== '').join('\n\n')}\n`,
    thread: {
      messageId: due.messageId,
      references: due.references,
      replyTo: withToken(config.address, signedToken(key, 'reply', signed, now)),
      headers: { ...headersOf(config.address, due), ...notice?.headers },
      ...(notice ? { list: notice.list } : {}),
    },
  };
}

/** What other machines go by, so that none answers. */
function headersOf(address: string, due: DueMail): Record<string, string> {
  const byPerson = due.messages.some(({ role }) => role === 'operator');
  return {
    'Auto-Submitted': byPerson ? 'no' : due.reason === 'reply' ? 'auto-replied' : 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    'X-Loop': address,
  };
}

/** How a notice is told from other mail, and ended: by mail, and with one click (RFC 8058). */
function noticeOf({ config, key, now }: Omit<Composing, 'app'>, signed: Signed, company: string) {
  const { address, publicUrl, imapUrl } = config;
  const token = signedToken(key, 'unsubscribe', signed, now);
  const byPage = publicUrl === undefined ? [] : [`${publicUrl}/api/mail/unsubscribe?token=${token}`];
  const byMail = imapUrl !== undefined ? [`mailto:${withToken(address, `stop-${token}`)}`] : [];
  const id = `support.${address.slice(address.lastIndexOf('@') + 1)}`;
  const headers: Record<string, string> =
    byPage.length > 0 ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {};
  return { list: { id, name: company, unsubscribe: [...byPage, ...byMail] }, headers };
}

/** The customer's own subject, so that the conversation stays one in their mail program. */
function subjectOf(own: string | null, standard: string): string {
  if (own === null || own.trim() === '') return standard;
  const plain = own
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:(?:re|res|fw|fwd|enc|rv)\s*:\s*)+/i, '')
    .slice(0, SUBJECT_CHARS);
  return `Re: ${plain}`;
}

/**
 * What a visitor had said is not repeated: who they are is not proven, and anybody could have it sent to an address of their
 * choice.
 */
function quoted({ asked, customerId }: DueMail, header: string): string | null {
  if (asked === null || customerId === null) return null;
  const lines = asked.content.split('\n');
  const shown = lines.slice(0, QUOTED_LINES).map((line) => `> ${line}`.trimEnd());
  return [header, ...shown, ...(lines.length > QUOTED_LINES ? ['> …'] : [])].join('\n');
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}
