import {render} from 'preact';
import {loadFacts} from './api/facts.js';
import {followLinks} from './api/location.js';
import {resume} from './api/session.js';
import './parts/theme.js';
import {App} from './views/app.js';

const root = document.querySelector<HTMLElement>('#console')!;
addEventListener('click', followLinks);

try {
  await loadFacts();
  await resume();
  render(<App />, root);
} catch (error) {
  root.textContent = `The console cannot begin: ${(error as Error).message}`;
}
