import { createHash } from 'node:crypto';
import { parseUrl } from '../../domain/kernel/urls.js';

/** Host name and port. An invalid URL, which acceptance refuses, has a lane of its own. */
const hostOf = (url: string): string => parseUrl(url)?.host ?? '(invalid)';

/** What the lane of a webhook is the keyed hash of. Not the host alone: that would be the key of an address. */
export const laneText = (url: string): string => `webhook-host:${hostOf(url)}`;

/** The lane of messages that were accepted before lanes were recorded; their URL is in the log unsealed. */
export const legacyLane = (url: string): string => createHash('sha256').update(laneText(url)).digest('base64url').slice(0, 26);
