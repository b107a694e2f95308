import { createHash } from 'node:crypto';
import EmailReplyParser from 'email-reply-parser';
import { convert } from 'html-to-text';
import PostalMime, { addressParser, type Email } from 'postal-mime';
import type { MailAttachment, MailSource, ReceivedMail } from '../../core/ports/mail.js';

/** Nobody writes more by hand; the patterns that find quotations take their time with long lines. */
const TEXT_CHARS = 100_000;
const LINE_CHARS = 2_000;
const RECIPIENTS = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to'];
const REPORT_TYPES = /^(?:message\/delivery-status|message\/rfc822|text\/rfc822-headers)$/;
/** What mail programs put around the mail that is answered. */
const QUOTATIONS = [
  'blockquote',
  '.gmail_quote',
  '.gmail_quote_container',
  '.gmail_signature',
  '.moz-cite-prefix',
  '.moz-signature',
  '.yahoo_quoted',
  '#divRplyFwdMsg',
  '#Signature',
];
/** Signatures of telephones and programs in Portuguese, which the library does not know. */
const SENT_FROM = /^(?:enviad[oa] (?:do|da|pelo|pela|de|a partir) .{1,60}|obter o outlook para .{1,40})$/im;

/** Reads a mail. What cannot be read is left out; it never throws for what a sender wrote. */
export async function readMail({ bytes, whole }: MailSource): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    maxNestingDepth: 50,
  }).catch(() => PostalMime.parse(headersOnly(bytes)));
  const headers = mail.headers.map(({ key, value }) => ({ name: key, value }));
  const isReport = headers.some(
    ({ name, value }) => name === 'content-type' && /multipart\/report/i.test(value),
  );
  const bounce = isReport ? bounceOf(mail) : null;
  const hash = createHash('sha256').update(bytes).digest('hex');
  return {
    messageId: idsIn(mail.messageId ?? '')[0] ?? `${hash.slice(0, 32)}@no-message-id.invalid`,
    from: senderOf(mail),
    recipients: RECIPIENTS.flatMap((name) =>
      mail.headers.filter(({ key }) => key === name).flatMap(({ value }) => addressesIn(value)),
    ),
    subject: mail.subject?.replace(/\s+/g, ' ').trim().slice(0, 200) || null,
    references: [...idsIn(mail.inReplyTo ?? ''), ...[...idsIn(mail.references ?? '')].reverse()].slice(0, 40),
    text: writtenAnew(mail),
    headers,
    attachments: mail.attachments
      .filter(({ mimeType }) => !isReport || !REPORT_TYPES.test(mimeType))
      .map(toAttachment),
    bounce,
    whole,
  };
}

/** With more than one sender, or more than one header that says who it is, servers and programs would differ about it. */
function senderOf(mail: Email): string | null {
  const headers = mail.headers.filter(({ key }) => key === 'from');
  const [only, ...others] = headers.flatMap(({ value }) => addressParser(value));
  if (headers.length !== 1 || others.length > 0 || only?.address === undefined) return null;
  const address = only.address.trim().toLowerCase();
  return /^[^\s@<>"(),;:\\]{1,64}@[a-z0-9.-]{1,253}$/.test(address) ? address : null;
}

function addressesIn(value: string): readonly string[] {
  return addressParser(value, { flatten: true })
    .slice(0, 100)
    .flatMap(({ address }) => (address ? [address.toLowerCase()] : []));
}

function idsIn(value: string): readonly string[] {
  return [...value.matchAll(/<([^<>\s]{3,250})>/g)].map(([, id = '']) => id);
}

function writtenAnew({ text, html }: Email): string {
  const plain = text?.trim() ? text : textOf(html ?? '');
  const bounded = plain
    .slice(0, TEXT_CHARS)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.slice(0, LINE_CHARS))
    .join('\n');
  return new EmailReplyParser().read(bounded).getVisibleText().replace(SENT_FROM, '').trim();
}

function textOf(html: string): string {
  return convert(html.slice(0, TEXT_CHARS * 5), {
    wordwrap: false,
    limits: { maxInputLength: TEXT_CHARS * 5, maxDepth: 100 },
    selectors: [
      ...QUOTATIONS.map((selector) => ({ selector, format: 'skip' })),
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
    ],
  });
}

function bounceOf({ attachments }: Email): ReceivedMail['bounce'] {
  const contentOf = (type: RegExp): string =>
    attachments
      .filter(({ mimeType }) => type.test(mimeType))
      .map(({ content }) => textIn(content).slice(0, TEXT_CHARS))
      .join('\n');
  const report = contentOf(/^message\/delivery-status$/);
  if (!/^action:\s*failed/im.test(report)) return null;
  const status = /^status:\s*([245]\.\d{1,3}\.\d{1,3})/im.exec(report)?.[1];
  const original = contentOf(/^(?:message\/rfc822|text\/rfc822-headers)$/);
  const messageId = /^message-id:\s*<([^<>\s]{3,250})>/im.exec(original)?.[1] ?? null;
  return { messageId, why: status ?? 'failed' };
}

function toAttachment({ filename, mimeType, content }: Email['attachments'][number]): MailAttachment {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  return { name: filename ?? '', type: mimeType, content: bytes };
}

function textIn(content: Email['attachments'][number]['content']): string {
  return typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString();
}

/** A mail whose parts cannot be told apart still says who sent it. */
function headersOnly(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 100_000)).toString('latin1');
  return `${head.split(/\r?\n\r?\n/, 1)[0] ?? ''}\r\n\r\n`;
}
