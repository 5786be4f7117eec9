import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const changed = new EventTarget();

const stored = (): Theme | null => {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : null;
};
const current = (): Theme => stored() ?? (system.matches ? 'dark' : 'light');

/** Applies what was chosen earlier. Called before the first paint. */
export function applyTheme(): void {
  const theme = stored();
  if (theme) document.documentElement.dataset.theme = theme;
}

function choose(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
  changed.dispatchEvent(new Event('change'));
}

const subscribe = (listener: () => void): (() => void) => {
  changed.addEventListener('change', listener);
  system.addEventListener('change', listener);
  return () => {
    changed.removeEventListener('change', listener);
    system.removeEventListener('change', listener);
  };
};

/** The theme in use, which is the system's until the person chooses one, and how to choose. */
export const useTheme = (): readonly [Theme, (theme: Theme) => void] => [useSyncExternalStore(subscribe, current), choose];
