import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface Options {
  /** The keys of all rows. */
  readonly keys: readonly string[];
  readonly body: RefObject<HTMLElement | null>;
  readonly selected: ReadonlySet<string> | undefined;
  readonly onSelect: ((keys: ReadonlySet<string>) => void) | undefined;
  readonly onOpen: (index: number) => void;
}

export interface RowKeys {
  readonly all: readonly string[];
  /** The row that has, or had, the focus; null before the first and after it has left the list. */
  readonly activeIndex: number | null;
  readonly setActive: (key: string) => void;
  /** Selects a row or not; with `upTo` all between it and the one before. */
  readonly toggle: (index: number, upTo: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Rows that a key moves by. */
const PAGE = 10;

/** Moves the focus between the rows of a table by keys, and selects them. */
export function useRowKeys({ keys, body, selected, onSelect, onOpen }: Options): RowKeys {
  const [active, setActive] = useState<string | null>(null);
  const anchor = useRef<string | null>(null);
  // The row to focus may have to be drawn first.
  const wanted = useRef<number | null>(null);
  const found = active === null ? -1 : keys.indexOf(active);
  const activeIndex = found < 0 ? null : found;

  const rowAt = (index: number): HTMLElement | null => body.current?.querySelector(`[data-index="${index}"]`) ?? null;
  const move = (index: number): void => {
    const to = Math.max(0, Math.min(index, keys.length - 1));
    const key = keys[to];
    if (key === undefined) return;
    wanted.current = to;
    setActive(key);
    focusWanted();
  };
  const focusWanted = (): void => {
    const row = wanted.current === null ? null : rowAt(wanted.current);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  };
  useEffect(focusWanted);

  const toggle = (index: number, upTo: boolean): void => {
    const key = keys[index];
    if (key === undefined || !onSelect) return;
    const next = new Set(selected);
    const from = anchor.current === null ? -1 : keys.indexOf(anchor.current);
    const range = upTo && from >= 0 ? keys.slice(Math.min(from, index), Math.max(from, index) + 1) : [key];
    const adds = !next.has(key);
    for (const one of range) {
      if (adds) next.add(one);
      else next.delete(one);
    }
    anchor.current = key;
    onSelect(next);
  };

  const at = activeIndex ?? -1;
  const moves = new Map<string, () => number>([
    ['ArrowDown', () => at + 1],
    ['j', () => at + 1],
    ['ArrowUp', () => at - 1],
    ['k', () => at - 1],
    ['PageDown', () => at + PAGE],
    ['PageUp', () => at - PAGE],
    ['Home', () => 0],
    ['End', () => keys.length - 1],
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const to = moves.get(event.key);
    const isOnRow = event.target === rowAt(at);
    if (to) move(to());
    else if (event.key === 'Enter' && isOnRow) onOpen(at);
    else if ((event.key === ' ' || event.key === 'x') && isOnRow && onSelect) toggle(at, event.shiftKey);
    else return;
    event.preventDefault();
  };
  useStart(keys.length > 0, () => move(at < 0 ? 0 : at));
  return { all: keys, activeIndex, setActive, toggle, onKeyDown };
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || (target instanceof HTMLInputElement && target.type !== 'checkbox'));

/** `j` and `k` lead into the table also from the page, as long as nothing else has the focus. */
function useStart(hasRows: boolean, start: () => void): void {
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (!hasRows) return;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement?.tagName === 'MAIN';
      if (!isFree || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !/^[jk]$/.test(event.key)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [hasRows]);
}
