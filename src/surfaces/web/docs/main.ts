import '../shared/styles/tokens.css';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import SwaggerUi, { type Plugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

// The reference of the HTTP API: Swagger UI over the server's own document, with requests that can be tried. Nothing is
// loaded from elsewhere and nothing is sent elsewhere; a token that is typed in is gone with the page.

const ours = (): Plugin => ({
  wrapComponents: {
    // A link inside a button is none for those who cannot see it. The address follows what is opened all the same.
    DeepLink: (_original, { React }) =>
      function Name({ text }) {
        return React.createElement('span', null, text);
      },
    // There is one server: the one that serves this page.
    ServersContainer: () => () => null,
    // Descriptions as text with `code` in it: the viewer's own writes HTML, which the pages' policy forbids.
    Markdown: (_original, { React }) =>
      function Description({ source }) {
        const pieces = String(source ?? '').split('`');
        const shown = pieces.map((piece, at) =>
          at % 2 === 1 ? React.createElement('code', { key: at }, piece) : piece,
        );
        return React.createElement(
          'div',
          { className: 'markdown' },
          React.createElement('p', null, ...shown),
        );
      },
  },
});

// The theme that was chosen on another page, else the device's: boot.ts has written down which.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => {
  const { classList, dataset } = document.documentElement;
  classList.toggle(
    'dark-mode',
    dataset['theme'] === 'dark' || (dataset['theme'] !== 'light' && dark.matches),
  );
};
follow();
dark.addEventListener('change', follow);

SwaggerUi({
  url: '/openapi.json',
  dom_id: '#app',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  syntaxHighlight: false,
  plugins: [ours],
});
