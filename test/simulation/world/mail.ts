/** What Postmark shows where it brings mail. Its mail comes in fields, so no parser with timers of its own reads it. */
export const MAIL_CREDENTIALS = { POSTMARK_WEBHOOK_USER: 'mx', POSTMARK_WEBHOOK_PASSWORD: 'mail-of-the-simulation' } as const;
/** What brings it, under the name of its receipts. */
export const MAIL_CARRIER = 'postmark';
/** Where the simulated carrier gets mail. */
export const INBOUND_ADDRESS = 'inbox@in.heliograph.example';
