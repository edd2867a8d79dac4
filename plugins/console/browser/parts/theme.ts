import {signal} from '@preact/signals';

type Theme = 'light' | 'dark';
const storageKey = 'orch.console.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

function wanted(): Theme {
  const kept = localStorage.getItem(storageKey);
  return kept === 'light' || kept === 'dark' ? kept : dark.matches ? 'dark' : 'light';
}

/** What the user's system says, unless he has chosen here. */
export const theme = signal<Theme>(wanted());
theme.subscribe((value) => (document.documentElement.dataset['theme'] = value));
dark.addEventListener('change', () => (theme.value = wanted()));

export function otherTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(storageKey, theme.value);
}
