import { accounts } from './accounts/projection.js';
import { contacts } from './contacts/projection.js';
import { customEvents } from './events/projection.js';
import type { AnyProjection } from './kernel.js';
import { lists } from './lists/projection.js';
import { messages } from './messages/projection.js';
import { parked } from './parked/projection.js';
import { suppressions } from './suppressions/projection.js';
import { webhookDeliveries } from './webhooks/projection.js';

/** Every read model. A new capability adds a line. */
export const projections: readonly AnyProjection[] = [accounts, contacts, messages, suppressions, lists, customEvents, webhookDeliveries, parked];
