import type { Checkpoint, Position } from '../../domain/kernel/ports.js';

/** Files of a data folder. */
export const LOG_FILE = 'events.db';
/** Data keys: outside the log and its backups. */
export const KEYS_FILE = 'keys.db';
/** Read models, one file per projection and generation. They can be deleted and are rebuilt. */
export const VIEWS_FOLDER = 'views';
export const CATALOG_FILE = 'catalog.db';
/** Snapshots of long streams. */
export const SNAPSHOTS_FILE = 'snapshots.db';
/** In the folder of the log and in that of the read models: a process that changes them writes a byte, and others watch. */
export const CHANGES_FILE = 'changes';

export const rowPositionText = (position: number): Position => String(position).padStart(20, '0');
export const positionNumber = (position: Checkpoint): number => (position === 'start' ? 0 : Number(position));
