import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { convert } from 'html-to-text';
import { languageAmong, primaryOf } from '../core/domain/language.js';
import { HubError } from '../core/errors.js';

/** A page of a site, and what became of it. */
export interface SitePage {
  /** As the sitemap names it. */
  readonly address: string;
  /** Absolute path of the article; null where none was written. */
  readonly file: string | null;
  /** Why none was written, or null. */
  readonly skipped: 'not_in_folder' | 'no_text' | 'other_language' | 'there_already' | null;
}

const MOST_PAGES = 50_000;
/** What of a page is no part of what it says. */
const AROUND = [
  'nav',
  'header',
  'footer',
  'aside',
  'form',
  'script',
  'style',
  'noscript',
  'img',
  'button',
  'h1',
];

/**
 * Writes an article for each page of a site that was saved to a folder: its `sitemap.xml` says which pages there are and which
 * of them are the same in another language. An article that is there is left as it is.
 * @param site absolute path of the folder, which holds pages by their addresses: `/help/returns` is `help/returns`, `help/returns.html`
 * or `help/returns/index.html`
 * @param to absolute path of the company's `articles`
 * @param languages of the company; a page that says none is of the first
 * @throws HubError `usage` where there is no sitemap or it names no page
 */
export function importSite(site: string, to: string, languages: readonly string[]): readonly SitePage[] {
  const pages = pagesOf(join(site, 'sitemap.xml'), site);
  if (pages.length === 0)
    throw new HubError('usage', `${join(site, 'sitemap.xml')} names no page.`, { site });
  mkdirSync(to, { recursive: true });
  return pages.map(({ address, first }): SitePage => {
    const none = (skipped: SitePage['skipped']): SitePage => ({ address, file: null, skipped });
    const path = fileOf(site, address);
    if (path === null) return none('not_in_folder');
    const html = readFileSync(path, 'utf8');
    const [, given] = /<html\b[^>]*\blang\s*=\s*["']?([\w-]+)/i.exec(html) ?? [];
    const language = given === undefined ? languages[0] : languageAmong(given, languages);
    if (language === undefined) return none('other_language');
    const { title, text } = articleOf(html);
    if (title === '' || text === '') return none('no_text');
    const file = join(to, `${nameOf(first ?? address, languages)}.${language}.md`);
    if (existsSync(file)) return none('there_already');
    writeFileSync(file, `# ${title}\n\n${text}\n`);
    return { address, file, skipped: null };
  });
}

/** The pages of a sitemap, those of the sitemaps that it names too, each with its first other language. */
function pagesOf(sitemap: string, site: string, seen = new Set<string>()) {
  if (!existsSync(sitemap)) throw new HubError('usage', `There is no ${sitemap}.`, { sitemap });
  seen.add(sitemap);
  const xml = readFileSync(sitemap, 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '');
  const found: { readonly address: string; readonly first: string | null }[] = [];
  const entries = [...xml.matchAll(/<(url|sitemap)>([\s\S]*?)<\/\1>/g)].slice(0, MOST_PAGES);
  for (const [, kind, entry = ''] of entries) {
    const [, loc = ''] = /<loc>\s*([\s\S]*?)\s*<\/loc>/.exec(entry) ?? [];
    const address = plain(loc);
    const [alternate] = [...entry.matchAll(/<xhtml:link\b[^>]*\bhref\s*=\s*["']([^"']+)/g)];
    const inner = kind === 'sitemap' ? fileOf(site, address) : null;
    if (inner !== null && !seen.has(inner)) found.push(...pagesOf(inner, site, seen));
    if (kind === 'url' && address !== '')
      found.push({ address, first: alternate?.[1] === undefined ? null : plain(alternate[1]) });
  }
  return found;
}

function plain(xml: string): string {
  return convert(xml.replace(/^<!\[CDATA\[([\s\S]*)\]\]>$/, '$1'), { wordwrap: false }).trim();
}

/** Where the page of an address was saved; null where it was not, or the address leads out of the folder. */
function fileOf(site: string, address: string): string | null {
  if (!URL.canParse(address, 'http://site')) return null;
  let path: string;
  try {
    path = decodeURIComponent(new URL(address, 'http://site').pathname);
  } catch {
    return null;
  }
  const stem = resolve(site, `.${path}`);
  if (path.includes('\0') || relative(site, stem).split(sep)[0] === '..') return null;
  const candidates = [stem, `${stem.replace(/[\\/]$/, '')}.html`, join(stem, 'index.html')];
  return candidates.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile()) ?? null;
}

function articleOf(html: string): { readonly title: string; readonly text: string } {
  const room = ['main', 'article', 'body'].find((tag) => new RegExp(`<${tag}[\\s>]`, 'i').test(html));
  const [, heading] = /<h1\b[^>]*>([\s\S]*?)<\/h1>/i.exec(html) ?? [];
  const [, title] = /<title\b[^>]*>([\s\S]*?)<\/title>/i.exec(html) ?? [];
  const text = convert(html, {
    wordwrap: false,
    ...(room === undefined ? {} : { baseElements: { selectors: [room] } }),
    selectors: [
      ...AROUND.map((selector) => ({ selector, format: 'skip' })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      { selector: 'table', format: 'dataTable' },
      ...['h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  const line = convert(heading ?? title ?? '', { wordwrap: false }).replaceAll(/\s+/g, ' ');
  return { title: line.trim(), text: text.replaceAll(/\n{3,}/g, '\n\n').trim() };
}

/** The path of a page in one word, without its language. */
function nameOf(address: string, languages: readonly string[]): string {
  const own = languages.flatMap((one) => [one.toLowerCase(), primaryOf(one).toLowerCase()]);
  const parts = new URL(address, 'http://site').pathname
    .toLowerCase()
    .replace(/(?:\/index)?\.html?$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== 'index' && !own.includes(part));
  return (
    parts
      .join('-')
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 80) || 'home'
  );
}
