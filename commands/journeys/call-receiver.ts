/** The call of a webhook node: signed and retried like other webhooks, and recorded with the enrollment. */
import type { ActiveEnrollment } from '../../domain/journeys/enrollment.js';
import type { Answers } from '../../domain/journeys/interpreter.js';
import type { WebhookNode } from '../../domain/journeys/nodes/webhook.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { openReceivers } from '../../log/aggregates/journeys/load-journey.js';
import { hashId } from '../../log/runtime/ids.js';
import type { Context } from '../runtime/command.js';
import { contactValues } from '../templates/scope.js';
import type { JourneyContext } from './journey-context.js';

interface CallContext extends JourneyContext {
  readonly enrollment: ActiveEnrollment;
  readonly contact: FoundContact;
}

/** Posts to the receiver of a node. A failed call is made again by the schedule of webhooks; after its last one the node has failed. */
export async function callReceiver(node: WebhookNode, visit: number, attempt: number, about: CallContext, context: Context): Promise<Answers['act']> {
  const { journey, version, enrollment, contact } = about;
  const receiver = ownField(await openReceivers(context.log, version), node.id);
  if (!receiver || typeof receiver !== 'object') return { outcome: 'no_receiver', failed: true };
  const delivery_id = hashId('whd', enrollment.id, node.id, visit);
  const body = {
    event: 'journey.webhook',
    event_id: hashId('evt', enrollment.id, node.id, visit),
    account_id: context.cause.account,
    occurred_at: enrollment.place.since,
    ...(context.cause.test && { test: true }),
    data: {
      journey: { id: journey.id, name: version.definition.name },
      enrollment_id: enrollment.id,
      node_id: node.id,
      contact: await contactValues(context, contact.unified),
      trigger: { type: enrollment.trigger.type, event: enrollment.trigger.name, properties: enrollment.properties },
      data: node.data ?? {},
    },
  };
  const calls = context.ports.journeys.calls;
  const called = await calls.post({ account: context.cause.account, delivery_id, attempt, url: receiver.url, headers: receiver.headers ?? {}, body });
  if (called === 'ok') return { outcome: 'delivered' };
  const delay = calls.retryDelaysMs[attempt - 1];
  if (delay === undefined) return { outcome: called, failed: true };
  return { retry_at: new Date(Date.parse(context.now) + delay).toISOString() };
}
