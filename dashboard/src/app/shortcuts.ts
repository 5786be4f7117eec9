import { useEffect, useRef } from 'react';

export type Shortcut = 'palette' | 'keys';

/** What a key is typed into, which keeps it. */
const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';
const OVERLAYS = '[role="dialog"], [role="alertdialog"]';

/**
 * The keys that work everywhere: Ctrl-K or Cmd-K for the palette, `?` for the list of keys, and `/`, which leads to the first field that filters
 * the page. The last two not while something is typed, nor over a dialog.
 */
export function useShortcuts(onShortcut: (shortcut: Shortcut) => void): void {
  const latest = useRef(onShortcut);
  useEffect(() => {
    latest.current = onShortcut;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        latest.current('palette');
        return;
      }
      const isTyping = event.target instanceof Element && event.target.closest(FIELDS);
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector(OVERLAYS)) return;
      if (event.key === '?') latest.current('keys');
      else if (event.key === '/') document.querySelector<HTMLInputElement>('#main [data-filter]')?.select();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
