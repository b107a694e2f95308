import { showTexts } from '../shared/i18n.js';
import '../shared/styles/base.css';
import './styles/chat.css';
import { render } from 'preact';
import { ChatApp } from './chat-app.js';
import { createChatModel } from './chat-model.js';
import { connectEmbed } from './embed-bridge.js';

const root = document.getElementById('app');
if (root) {
  await showTexts();
  const model = createChatModel();
  const embed = connectEmbed(model);
  render(<ChatApp model={model} embed={embed} />, root);
}
