import { randomBytes } from 'node:crypto';

/** The master key of the server that specs share: they make the same links as the service. */
export const sharedMaster = randomBytes(32);

/** For mail that other servers hand to it. */
export const sharedMailUser = 'mx:open:sesame';

/** The settings of the server that specs share, so that few need one of their own. */
export const sharedSettings = {
  HELIOGRAPH_MASTER_KEY: sharedMaster.toString('base64'),
  SMTP_WEBHOOK_USER: 'mx',
  SMTP_WEBHOOK_PASSWORD: 'open:sesame',
} as const;
