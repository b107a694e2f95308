import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { defineConfig, type Plugin } from 'vite';

const web = (path: string): string => fileURLToPath(new URL(`src/surfaces/web/${path}`, import.meta.url));

/** Entries that run as classic scripts: before the first paint, on somebody else's page, or without a page. */
const CLASSIC = ['boot', 'embed', 'push'];

/** Wraps classic entries, so that they leave no name behind, and puts the boot script in front of every page. */
function classicScripts(): Plugin {
  return {
    name: 'classic-scripts',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !CLASSIC.includes(chunk.name)) continue;
        if (chunk.imports.length > 0 || chunk.exports.length > 0) {
          this.error(`${chunk.fileName} runs as a classic script: it can neither import nor export`);
        }
        chunk.code = `(()=>{${chunk.code}})();\n`;
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const boot = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.name === 'boot',
        );
        return boot === undefined
          ? []
          : [{ tag: 'script', attrs: { src: `/${boot.fileName}` }, injectTo: 'head' as const }];
      },
    },
  };
}

/**
 * Parses the ICU messages of the pages' text files, so that the pages need no parser. A text that is filled with nothing
 * but the company's name stays a text.
 */
function parsedTexts(): Plugin {
  const parsed = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const message = new IntlMessageFormat(value, 'en', undefined, { ignoreTag: true }).getAst();
      // 0 is a literal and 1 an argument, in the parser's numbering.
      const isPlain = message.every(
        (part) => part.type === 0 || (part.type === 1 && part.value === 'company'),
      );
      return isPlain ? value : message;
    }
    if (Array.isArray(value)) return value.map(parsed);
    return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, parsed(inner)]));
  };
  return {
    name: 'parsed-texts',
    enforce: 'pre',
    async load(id) {
      if (!/[\\/]web[\\/]\w+[\\/]texts[\\/][\w-]+\.json$/.test(id)) return null;
      return JSON.stringify(parsed(JSON.parse(await readFile(id, 'utf8'))));
    },
  };
}

// Tests build the pages too, and what they look at is what is served: no library's development build.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

/** The pages of src/surfaces/web. Everything they need is in dist/web: nothing comes from elsewhere. */
export default defineConfig({
  root: web(''),
  base: '/',
  cacheDir: fileURLToPath(new URL('node_modules/.vite-web', import.meta.url)),
  publicDir: false,
  plugins: [classicScripts(), parsedTexts()],
  resolve: {
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  server: {
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:3000', '/openapi.json': 'http://127.0.0.1:3000' },
  },
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The pages' content security policy allows no data: addresses in styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: web('index.html'),
        desk: web('desk.html'),
        docs: web('docs.html'),
        boot: web('boot.ts'),
        embed: web('embed/embed.ts'),
        push: web('push/push.ts'),
      },
      output: {
        entryFileNames: ({ name }) =>
          ['embed', 'push'].includes(name) ? `${name}.js` : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
