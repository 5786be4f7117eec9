import type { Checkpoint, Position } from '../../domain/kernel/ports.js';

/** What lies in a data folder. */
export const LOG_FILE = 'events.db';
/** Data keys: outside the log and its backups. */
export const KEYS_FILE = 'keys.db';
/** Read models, one file a projection and generation: can be deleted and are built again. */
export const VIEWS_FOLDER = 'views';
export const CATALOG_FILE = 'catalog.db';

export const positionText = (position: number): Position => String(position).padStart(20, '0');
export const positionNumber = (position: Checkpoint): number => (position === 'start' ? 0 : Number(position));
