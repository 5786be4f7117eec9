import type { Checkpoint, Position } from '../../domain/kernel/ports.js';

/** Files of a data folder. */
export const LOG_FILE = 'events.db';
/** Data keys: outside the log and its backups. */
export const KEYS_FILE = 'keys.db';
/** Read models, one file per projection and generation. They can be deleted and are rebuilt. */
export const VIEWS_FOLDER = 'views';
export const CATALOG_FILE = 'catalog.db';

export const positionText = (position: number): Position => String(position).padStart(20, '0');
export const positionNumber = (position: Checkpoint): number => (position === 'start' ? 0 : Number(position));
