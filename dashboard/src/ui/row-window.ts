import { defaultRangeExtractor, useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import { createContext, type RefObject, useContext, useEffect, useLayoutEffect, useState } from 'react';

/** What scrolls, for tables in a dialog or drawer; null where the window does. */
export const ScrollContext = createContext<RefObject<HTMLElement | null> | null>(null);

interface Options {
  readonly count: number;
  readonly keyOf: (index: number) => string | number;
  /** The row that stays in the document even out of sight, because it has the focus. */
  readonly kept: number | null;
  readonly body: RefObject<HTMLElement | null>;
  readonly hasMore?: boolean;
  readonly isLoadingMore?: boolean;
  readonly onEndReached?: () => void;
}

interface RowWindow {
  /** Pixels of all rows. */
  readonly height: number;
  readonly items: readonly { readonly index: number; readonly start: number }[];
  readonly measure: (element: HTMLElement | null) => void;
}

/** Pixels of a row until it is measured. */
const ROW = 45;
/** Rows before the end at which more are asked for. */
const AHEAD = 15;

/** Which rows are in sight of the window, or of the dialog that the table stands in. */
export function useRowWindow({ count, keyOf, kept, body, hasMore, isLoadingMore, onEndReached }: Options): RowWindow {
  const scroller = useContext(ScrollContext);
  const scrollMargin = useOffset(body, scroller);
  const options = {
    count,
    getItemKey: keyOf,
    estimateSize: () => ROW,
    overscan: 8,
    scrollMargin,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const shown = defaultRangeExtractor(range);
      return kept === null || kept >= count || shown.includes(kept) ? shown : [...shown, kept].sort((a, b) => a - b);
    },
  };
  const inWindow = useWindowVirtualizer<HTMLElement>({ ...options, enabled: scroller === null });
  const inElement = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    enabled: scroller !== null,
    getScrollElement: () => scroller?.current ?? null,
  });
  const rows = scroller ? inElement : inWindow;
  const items = rows.getVirtualItems();

  const last = items.at(-1)?.index ?? -1;
  const isAtEnd = hasMore === true && !isLoadingMore && last >= count - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for once for each number of rows
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, count]);

  return {
    height: rows.getTotalSize(),
    items: items.map(({ index, start }) => ({ index, start: start - scrollMargin })),
    measure: rows.measureElement,
  };
}

/** Pixels between the start of what scrolls and the first row. */
function useOffset(body: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null> | null): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (!body.current) return;
      const { top } = body.current.getBoundingClientRect();
      const frame = scroller?.current;
      setOffset(Math.round(frame ? top - frame.getBoundingClientRect().top + frame.scrollTop : top + window.scrollY));
    };
    measure();
    // What stands above the table may grow or shrink.
    const observer = new ResizeObserver(measure);
    observer.observe(scroller?.current ?? document.body);
    return () => observer.disconnect();
  });
  return offset;
}
