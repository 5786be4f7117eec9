export type { components, paths } from './api.js';
export { Heliograph, type HeliographOptions } from './client.js';
export { HeliographError, type Problem } from './errors.js';
export type { Answer, CallOptions, Input, Item } from './types.js';
export { verifyWebhook, type Webhook, WebhookError, type WebhookEvent } from './webhooks.js';
