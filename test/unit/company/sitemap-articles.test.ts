import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { importSite } from '../../../src/company/sitemap-articles.js';
import { markdownArticle } from '../../../src/core/article-markdown.js';
import { makeTempDir } from '../../support/hub.js';

const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true, force: true }));
const site = join(room, 'site');
const to = join(room, 'company', 'articles');
const put = (path: string, text: string): void => {
  mkdirSync(join(site, path, '..'), { recursive: true });
  writeFileSync(join(site, path), text);
};
const page = (lang: string, title: string, body: string) =>
  `<!doctype html><html lang="${lang}"><head><title>${title} | Velo</title><style>p{}</style></head><body><nav>Shop Cart</nav><main><h1>${title}</h1>${body}</main><footer>Imprint</footer></body></html>`;
const ENGLISH = '<xhtml:link rel="alternate" hreflang="en" href="https://velo.example/en/help/returns"/>';
const url = (address: string, more = '') => `<url><loc>https://velo.example${address}</loc>${more}</url>`;

it('[BYO-31] pages of a saved site become articles, the same one in each language, and nothing around them does', () => {
  put(
    'sitemap.xml',
    `<?xml version="1.0"?><sitemapindex><sitemap><loc>https://velo.example/help.xml</loc></sitemap></sitemapindex>`,
  );
  put(
    'help.xml',
    `<urlset>${url('/en/help/returns', ENGLISH)}${url('/pt-br/ajuda/devolucoes', ENGLISH)}${url('/faq/')}${url('/fr/aide')}${url('/gone')}${url('/../../secret')}${url('/empty')}${url('/%2e%2e/%2e%2e%2fsecret')}</urlset>`,
  );
  writeFileSync(join(room, 'secret'), page('en', 'Secret', '<p>Not of the site.</p>'));
  put(
    'en/help/returns.html',
    page(
      'en',
      'Returns &amp; refunds',
      '<p>Send it <a href="/label">back</a> within 30 days.</p><h2>What it costs</h2><ul><li>Bags: free</li><li>Bikes: €20</li></ul>',
    ),
  );
  put('pt-br/ajuda/devolucoes/index.html', page('pt-BR', 'Devoluções', '<p>Devolva em 30 dias.</p>'));
  put('faq/index.html', page('en-GB', 'Questions', '<p>Ask us.</p>'));
  put('fr/aide.html', page('fr', 'Aide', '<p>Bonjour.</p>'));
  put('empty.html', page('en', 'Nothing', ''));
  const done = importSite(site, to, ['en', 'pt-BR']);
  expect(done.map(({ skipped }) => skipped)).toEqual([
    ...[null, null, null, 'other_language', 'not_in_folder'],
    ...['not_in_folder', 'no_text', 'not_in_folder'],
  ]);
  expect(readdirSync(to).sort()).toEqual(['faq.en.md', 'help-returns.en.md', 'help-returns.pt-BR.md']);
  const article = markdownArticle(readFileSync(join(to, 'help-returns.en.md'), 'utf8'), 'help-returns.en.md');
  expect(article).toEqual({
    article_id: 'help-returns-en',
    title: 'Returns & refunds',
    content: 'Send it back within 30 days.\n\nWhat it costs\n\n- Bags: free\n- Bikes: €20',
    tags: [],
    language: 'en',
  });
  writeFileSync(join(to, 'faq.en.md'), '# Ours\n\nOur own words.\n');
  expect(importSite(site, to, ['en', 'pt-BR']).every(({ file }) => file === null)).toBe(true);
  expect(readFileSync(join(to, 'faq.en.md'), 'utf8')).toContain('Our own words.');
  expect(() => importSite(join(room, 'none'), to, ['en'])).toThrow(/sitemap\.xml/);
});
