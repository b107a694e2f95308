import { showTexts } from '../shared/i18n.js';
import '../shared/styles/base.css';
import './styles/desk.css';
import { render } from 'preact';
import { createApi } from '../shared/api.js';
import { tint } from '../shared/brand.js';
import { COMPANY } from '../shared/company.js';
import { createSession } from '../shared/session.js';
import { DeskApp } from './desk-app.js';
import { takeToken } from './lib/location.js';

const session = createSession('operator');

/** The company's sign-in leads here with a token in the address. */
function signInByAddress(): boolean {
  const token = takeToken();
  if (token !== null) session.open(token);
  return token !== null;
}

signInByAddress();
// Where the page is open already only the address changes: whoever has come begins anew.
addEventListener('hashchange', () => {
  if (signInByAddress()) location.reload();
});

const root = document.getElementById('app');
if (root) {
  await showTexts();
  tint(COMPANY.brand.color);
  render(<DeskApp api={createApi(session)} session={session} />, root);
}
