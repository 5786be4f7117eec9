import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';
/** What a person chose: `system` follows the device. */
export type ThemeChoice = Theme | 'system';

const KEY = 'theme';
const BRAND_KEY = 'brand';
const system = matchMedia('(prefers-color-scheme: dark)');
const changed = new EventTarget();

const chosen = (): ThemeChoice => {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : 'system';
};
const current = (): Theme => {
  const choice = chosen();
  return choice === 'system' ? (system.matches ? 'dark' : 'light') : choice;
};

/** Applies what was chosen earlier, and the accent of the account that was used last. Called before the first paint. */
export function applyTheme(): void {
  const choice = chosen();
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  showBrand(localStorage.getItem(BRAND_KEY));
}

function choose(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  applyTheme();
  changed.dispatchEvent(new Event('change'));
}

/** Makes the color of the account's brand the accent, from which `tokens.css` derives what is readable; null for the one of the program. */
export function applyBrand(color: string | null): void {
  if (color === null) localStorage.removeItem(BRAND_KEY);
  else localStorage.setItem(BRAND_KEY, color);
  showBrand(color);
}

function showBrand(color: string | null): void {
  if (color !== null && CSS.supports('color', color)) document.documentElement.style.setProperty('--brand', color);
  else document.documentElement.style.removeProperty('--brand');
}

const subscribe = (listener: () => void): (() => void) => {
  changed.addEventListener('change', listener);
  system.addEventListener('change', listener);
  return () => {
    changed.removeEventListener('change', listener);
    system.removeEventListener('change', listener);
  };
};

/** The theme in use, and how to choose another. */
export const useTheme = (): readonly [Theme, (choice: ThemeChoice) => void] => [useSyncExternalStore(subscribe, current), choose];

/** What was chosen, which may be to follow the device. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, chosen);
