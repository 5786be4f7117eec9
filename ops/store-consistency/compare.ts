import { isAfter } from '../../domain/kernel/ports.js';
import type { FoundKeys, FoundLog, FoundViews } from '../../engines/sqlite/installation.js';

/** What a start found; null where there is none. */
export interface StoreInventory {
  readonly log: FoundLog | null;
  readonly keys: FoundKeys | null;
  readonly views: FoundViews | null;
}

/** Why a start is refused. Each is a loss that only an operator can accept. */
export type StoreLoss = 'log_gone' | 'keys_gone' | 'keys_foreign' | 'keys_older';

/** Why the read models are made again. */
export type Rebuild = 'views_foreign' | 'views_ahead' | 'views_damaged' | 'log_older';

export type Comparison =
  /** Nothing was ever stored here. */
  | { readonly kind: 'new' }
  | { readonly kind: 'refused'; readonly loss: StoreLoss }
  | {
      readonly kind: 'together';
      /** Null: the read models go on where they are, or are built if there are none. */
      readonly rebuild: Rebuild | null;
      /** Whether the log ends before a position that the keys know of: events were lost. */
      readonly logIsOlder: boolean;
    };

/**
 * Compares log, keys and read models. The log and the keys cannot be made from anything else: where one is gone, or belongs to another
 * installation, the start is refused. Read models can. Files without an identity are from an older release: they are adopted.
 */
export function compareStores({ log, keys, views }: StoreInventory): Comparison {
  if (log === null || log.identity === null) return hadLog(keys, views) ? { kind: 'refused', loss: 'log_gone' } : { kind: 'new' };
  const loss = lossOf(log, keys);
  if (loss !== null) return { kind: 'refused', loss };
  const logIsOlder = keys !== null && isAfter(keys.logHead, log.head);
  return { kind: 'together', rebuild: views && rebuildOf(log, views, logIsOlder), logIsOlder };
}

function lossOf(log: FoundLog, keys: FoundKeys | null): StoreLoss | null {
  // Keys of this log without a row: an operator has accepted the loss, and none was made since.
  if (keys === null || (keys.made === 0 && keys.identity !== log.identity)) return 'keys_gone';
  if (keys.identity !== null && keys.identity !== log.identity) return 'keys_foreign';
  return keys.made < log.keys ? 'keys_older' : null;
}

function rebuildOf(log: FoundLog, views: FoundViews, logIsOlder: boolean): Rebuild | null {
  if (views.damaged !== null) return 'views_damaged';
  if (views.identity !== null && views.identity !== log.identity) return 'views_foreign';
  if (isAfter(views.highest, log.head)) return 'views_ahead';
  return logIsOlder ? 'log_older' : null;
}

/** Whether there was a log once. The first start makes keys before its first event, and may end between the two. */
function hadLog(keys: FoundKeys | null, views: FoundViews | null): boolean {
  if (views && (views.identity !== null || views.highest !== 'start')) return true;
  if (!keys) return false;
  return keys.marked ? keys.identity !== null || keys.logHead !== 'start' : keys.made > KEYS_OF_EMPTY_LOG;
}

/** The row that checks the master key. */
const KEYS_OF_EMPTY_LOG = 1;
