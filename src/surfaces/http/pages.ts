import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Context } from 'hono';
import type { App } from '../../core/app.js';
import type { CompanyProfile } from '../../core/domain/company.js';
import type { Translated } from '../../core/domain/taxonomy.js';
import type { HubEnv } from './client.js';
import { createRouter, type HubRouter } from './router.js';

/** One file of the built pages, ready to be sent. */
interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** The same smaller, made once it is asked for; null where that saves nothing. */
  readonly packed: Readonly<Record<Encoding, () => Promise<Uint8Array<ArrayBuffer>>>> | null;
}

type Encoding = 'br' | 'gzip';

/** Below so many bytes a packet is saved by nothing. */
const WORTH_PACKING = 1_024;
const PACKED_TYPES = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/;
const pack = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};

/** What every page gets of the company whose hub serves it. */
interface PageFacts {
  readonly company: CompanyProfile;
  /** False where the hub looks at no customer's account. */
  readonly accounts: boolean;
  /** How questions end for those who have no buttons, in every language of the company. */
  readonly answer_in_words: readonly string[];
  /** Names of the tools, by tool. */
  readonly tools: App['toolNames'];
  /** Names of the tools' arguments, by argument. */
  readonly arguments: Readonly<Record<string, Translated>>;
  /** What the records of each entity are called, by entity. */
  readonly entities: App['entityNames'];
  /** Titles of the skills, by id. */
  readonly skills: Readonly<
    Record<string, { readonly title: string; readonly titles: Readonly<Record<string, string>> }>
  >;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const NAMES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/desk': 'desk.html',
  '/docs': 'docs.html',
};
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * The built pages, read once: only what was there at the start is ever served, so no path leads anywhere else. Files whose
 * name is a hash of what is in them are kept by browsers for ever, the others are asked for again each time.
 * @param facts written into the head of each page
 * @param dir where the pages were built; undefined serves none
 */
export function pageRoutes(dir: string | undefined, facts: PageFacts): HubRouter {
  const router = createRouter();
  const pages = dir === undefined ? new Map<string, Page>() : readPages(dir, facts);
  const { logo } = facts.company.brand;
  if (logo !== null) pages.set(logoName(logo), pageOf(logoName(logo), readFileSync(logo)));
  const serve = async (c: Context<HubEnv>): Promise<Response> => {
    const page = pages.get(NAMES[c.req.path] ?? c.req.path.slice(1));
    if (page === undefined) return c.notFound();
    const encoding = page.packed === null ? null : encodingOf(c.req.header('accept-encoding'));
    const etag = encoding === null ? page.etag : page.etag.replace(/"$/, `-${encoding}"`);
    const headers = { ...page.headers, etag, ...(page.packed === null ? {} : { vary: 'accept-encoding' }) };
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
    if (encoding === null || page.packed === null) return c.body(page.bytes, 200, headers);
    return c.body(await page.packed[encoding](), 200, { ...headers, 'content-encoding': encoding });
  };
  for (const path of Object.keys(NAMES)) router.get(path, serve);
  for (const name of pages.keys()) router.get(`/${name}`, serve);
  router.get('/desk/', (c) => c.redirect('/desk', 308));
  router.get('/docs/', (c) => c.redirect('/docs', 308));
  return router;
}

function readPages(dir: string, facts: PageFacts): Map<string, Page> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile() && TYPES[extname(file.name)] !== undefined)
      .map((file) => {
        const path = join(file.parentPath, file.name);
        const name = relative(dir, path).split(sep).join('/');
        return [name, pageOf(name, filled(name, readFileSync(path), facts))];
      }),
  );
}

/** The facts stand in the head of each page, so that it has its name and its words before it has asked for anything. */
function filled(name: string, content: Buffer, { company, ...labels }: PageFacts): Buffer {
  if (extname(name) !== '.html') return content;
  const facts = {
    name: company.name,
    languages: company.languages,
    currency: company.currency,
    time_zone: company.timeZone,
    time_zone_name: company.timeZoneName,
    welcome: company.welcome,
    brand: {
      color: company.brand.color,
      logo: company.brand.logo === null ? null : `/${logoName(company.brand.logo)}`,
    },
    issue_types: Object.fromEntries(company.issueTypes.map(({ id, label }) => [id, label])),
    teams: Object.fromEntries(company.teams.map(({ id, label }) => [id, label])),
    ...labels,
  };
  const values = { company: company.name, facts: JSON.stringify(facts) };
  const text = content.toString('utf8');
  return Buffer.from(
    text.replace(/%(company|facts)%/g, (_, key: keyof typeof values) => escaped(values[key])),
  );
}

/** Where the company's own picture is served, whatever its file is called. */
function logoName(file: string): string {
  return `brand/logo${extname(file)}`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (char) => entities[char] ?? char);
}

function pageOf(name: string, content: Buffer): Page {
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  return {
    bytes: new Uint8Array(content),
    etag,
    packed:
      content.length < WORTH_PACKING || !PACKED_TYPES.test(type)
        ? null
        : { br: once(() => pack.br(content)), gzip: once(() => pack.gzip(content)) },
    headers: {
      'content-type': type,
      'cache-control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  };
}

/** What the client takes, the smaller first; null where it takes neither. */
function encodingOf(accepted = ''): Encoding | null {
  const taken = new Set(
    accepted
      .split(',')
      .map((one) => one.trim().toLowerCase().split(';'))
      .filter(([, quality = '']) => !/q=0(?:\.0*)?$/.test(quality.trim()))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((one) => taken.has(one)) ?? null;
}

function once(make: () => Promise<Uint8Array>): () => Promise<Uint8Array<ArrayBuffer>> {
  let made: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return () => {
    made ??= make().then((bytes) => new Uint8Array(bytes));
    return made;
  };
}
