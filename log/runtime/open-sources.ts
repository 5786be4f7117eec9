import { ERASED } from '../../domain/kernel/erased.js';
import type { StoredText } from '../../domain/kernel/stored-text.js';
import type { EventLog } from './event-log.js';

interface WithSource {
  readonly source: StoredText;
}

/** The same with its source opened: `<erased>` where the key is destroyed. */
export type OpenSource<T extends WithSource> = Omit<T, 'source'> & { readonly source: string };

/** Opens the sources of what states and documents hold, with one call for all boxes. */
export async function openSources<T extends WithSource>(log: Pick<EventLog, 'openBoxes'>, items: readonly T[]): Promise<OpenSource<T>[]> {
  const boxes = items.flatMap(({ source }) => (typeof source === 'string' ? [] : [source.box]));
  const opened = (boxes.length > 0 ? await log.openBoxes(boxes) : []).values();
  return items.map((item) => {
    const source = typeof item.source === 'string' ? item.source : opened.next().value?.source;
    return { ...item, source: typeof source === 'string' ? source : ERASED };
  });
}
