import '../shared/styles/base.css';
import './styles/docs.css';
import { render } from 'preact';
import { DocsApp } from './docs-app.js';

const root = document.getElementById('app');
if (root) render(<DocsApp />, root);
