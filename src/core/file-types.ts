/** What kinds of files there are, by the ending of their names. None that a browser or a program would run. */
export const FILE_KINDS = [
  'png',
  'jpg',
  'gif',
  'webp',
  'heic',
  'pdf',
  'txt',
  'csv',
  'docx',
  'xlsx',
  'odt',
  'ods',
] as const;
type FileKind = (typeof FILE_KINDS)[number];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
const MEDIA_TYPES: Readonly<Record<FileKind, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  odt: `${OPEN}.text`,
  ods: `${OPEN}.spreadsheet`,
};

/** Raster pictures, which every browser draws and none runs. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** True where a page may show it; everything else is only saved. */
export function isPicture(type: string): boolean {
  return PICTURES.has(type);
}

const NAME_CHARS = 80;

/**
 * A sender's name for a file, as people may read it and a disk may keep it: without folders, control characters, tricks of
 * direction, and signs that mean something to a system.
 */
export function shownName(name: string): string {
  const base = name.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const plain = base
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*%]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const chars = [...plain];
  if (chars.length <= NAME_CHARS) return plain;
  const ending = /\.\w{1,5}$/.exec(plain)?.[0] ?? '';
  return `${chars.slice(0, NAME_CHARS - ending.length - 1).join('')}…${ending}`;
}

/** A file that may be kept, as it is called from now on. */
interface KnownFile {
  readonly kind: FileKind;
  readonly name: string;
  readonly type: string;
}

/**
 * What a file is: its first bytes say it, and its name must not say otherwise. A picture under the name of another picture
 * gets the right ending.
 * @returns null where it is nothing of the list, or holds something else than its name says
 */
export function knownFile(name: string, content: Uint8Array): KnownFile | null {
  const shown = shownName(name);
  const found = kindOf(content);
  const ending = /\.(\w{1,5})$/.exec(shown)?.[1]?.toLowerCase() ?? null;
  const said = ending === 'jpeg' || ending === 'jfif' ? 'jpg' : ending === 'heif' ? 'heic' : ending;
  if (found === null) return null;
  const type = (kind: FileKind): string => MEDIA_TYPES[kind];
  if (found === 'text') {
    if (said !== 'txt' && said !== 'csv') return null;
    return { kind: said, name: shown, type: type(said) };
  }
  if (said === found) return { kind: found, name: shown, type: type(found) };
  const isOtherPicture = isPicture(type(found)) && FILE_KINDS.some((kind) => kind === said && isImage(kind));
  if (ending !== null && !isOtherPicture) return null;
  const stem = ending === null ? shown : shown.slice(0, -ending.length - 1);
  return { kind: found, name: `${stem === '' ? 'file' : stem}.${found}`, type: type(found) };
}

function isImage(kind: FileKind): boolean {
  return MEDIA_TYPES[kind].startsWith('image/');
}

const SIGNATURES: readonly (readonly [FileKind, RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['heic', /^.{4}ftyp(?:heic|heix|hevc|heim|heis|mif1|msf1)/s],
  ['pdf', /^%PDF-\d/],
];

function kindOf(content: Uint8Array): FileKind | 'text' | null {
  const head = Buffer.from(content.subarray(0, 64)).toString('latin1');
  for (const [kind, signature] of SIGNATURES) if (signature.test(head)) return kind;
  if (head.startsWith('PK\x03\x04')) return archiveOf(content);
  return isText(content) ? 'text' : null;
}

/** Where a document of an office program says what it is: its list of parts, or its first part. Macros are not kept. */
const HEAD_BYTES = 200;
const MACROS = /vbaProject\.bin|macroEnabled|Basic\/script-lc\.xml|Scripts\//;

function archiveOf(content: Uint8Array): FileKind | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  if (MACROS.test(bytes)) return null;
  const first = bytes.slice(30, HEAD_BYTES);
  for (const kind of ['odt', 'ods'] as const)
    if (first.startsWith(`mimetype${MEDIA_TYPES[kind]}`)) return kind;
  if (!bytes.includes('[Content_Types].xml')) return null;
  if (bytes.includes('word/document.xml')) return 'docx';
  return bytes.includes('xl/workbook.xml') ? 'xlsx' : null;
}

/** Bytes that no text has, in UTF-8 or in an older Western encoding. */
function isText(content: Uint8Array): boolean {
  return !content.some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 27) || byte === 127);
}

/** A file that belongs to a message of a conversation. */
export interface AttachedFile {
  /** Nobody can guess it. */
  readonly fileId: string;
  /** As people may read it: see `shownName` in src/core/file-types.ts. */
  readonly name: string;
  /** What its first bytes are, never what its sender says. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

/** Who puts a file on a conversation: its customer, or an operator. */
export type Uploader = 'customer' | `operator:${string}`;

/** A file as it comes from a client, before its message. */
export interface FileInput {
  /** As its sender calls it; may hold anything. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Made up where absent. The same id once more changes nothing. */
  readonly fileId?: string;
}

/** Of files that were attached to the conversation before, in the order in which they are shown. */
export type FileIds = readonly string[];

/** Under what name an operator's files are kept. */
export function uploaderOf({ operatorId }: { readonly operatorId: string }): Uploader {
  return `operator:${operatorId}`;
}

/** What stands as the content of a message that is nothing but files. */
export function namesOf(files: readonly AttachedFile[]): string {
  return files.map(({ name }) => name).join(', ');
}

/** True for a message that says nothing besides its files. */
export function isFilesOnly({
  content,
  files = [],
}: {
  readonly content: string;
  readonly files?: readonly AttachedFile[];
}): boolean {
  return files.length > 0 && content === namesOf(files);
}
