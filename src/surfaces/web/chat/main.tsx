import { showTexts } from '../shared/i18n.js';
import '../shared/styles/base.css';
import './styles/chat.css';
import { render } from 'preact';
import { tint } from '../shared/brand.js';
import { COMPANY } from '../shared/company.js';
import { ChatApp } from './chat-app.js';
import { createChatModel } from './chat-model.js';
import { connectEmbed } from './embed-bridge.js';

const root = document.getElementById('app');
if (root) {
  await showTexts();
  tint(COMPANY.brand.color);
  const model = createChatModel();
  const embed = connectEmbed(model);
  render(<ChatApp model={model} embed={embed} />, root);
}
