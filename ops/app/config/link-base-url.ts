import type { Config } from './config.js';

/** The base URL of links in messages, or null (no links) if there is no public URL and the port is not fixed. */
export const linkBaseUrl = ({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string | null =>
  publicUrl ?? (port === 0 ? null : `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`);
