import { accounts } from './accounts/projection.js';
import type { AnyProjection } from './kernel.js';
import { messages } from './messages/projection.js';
import { suppressions } from './suppressions/projection.js';
import { webhookDeliveries } from './webhooks/projection.js';

/** Every read model. A new capability adds a line. */
export const projections: readonly AnyProjection[] = [accounts, messages, suppressions, webhookDeliveries];
