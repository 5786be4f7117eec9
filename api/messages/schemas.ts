import Type from 'typebox';
import { channelNames } from '../../domain/kernel/channels.js';
import { nullable, oneOf } from '../../domain/kernel/schema.js';
import { statusNames } from '../../domain/messages/status.js';

const maybeText = nullable(Type.String());
const maybeTime = nullable(Type.String({ format: 'date-time' }));

export const acceptedMessage = Type.Object({
  id: Type.String(),
  status: oneOf(...statusNames),
  status_reason: maybeText,
  channel: oneOf(...channelNames),
  to: Type.String(),
  contact_id: maybeText,
  segments: nullable(Type.Integer()),
  encoding: maybeText,
  created_at: Type.String({ format: 'date-time' }),
  scheduled_at: maybeTime,
  dry_run: Type.Optional(Type.Boolean()),
});

export const messageResource = Type.Object({
  id: Type.String(),
  batch_id: maybeText,
  channel: oneOf(...channelNames),
  to: Type.String(),
  from: maybeText,
  subject: Type.Optional(Type.String()),
  message: Type.String(),
  category: oneOf('transactional', 'marketing'),
  status: oneOf(...statusNames),
  status_reason: maybeText,
  contact_id: maybeText,
  campaign_id: maybeText,
  journey_id: maybeText,
  enrollment_id: maybeText,
  node_id: maybeText,
  carrier: nullable(Type.Object({ name: Type.String(), message_id: maybeText, code: maybeText })),
  segments: nullable(Type.Integer()),
  encoding: maybeText,
  attempts: Type.Integer(),
  engagement: Type.Object({ opened_at: maybeTime, clicked_at: maybeTime, read_at: maybeTime, opens: Type.Integer(), clicks: Type.Integer() }),
  webhook_url: maybeText,
  tags: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  scheduled_at: maybeTime,
  sent_at: maybeTime,
  delivered_at: maybeTime,
  failed_at: maybeTime,
  version: Type.Integer(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
});

const itemProblem = Type.Object({ index: Type.Integer(), field: Type.String(), code: Type.String(), message: Type.String() });

export const acceptedBatch = Type.Object({
  batch_id: Type.String(),
  received: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  messages: Type.Optional(
    Type.Array(Type.Object({ index: Type.Integer(), id: Type.String(), status: oneOf(...statusNames), status_reason: Type.Optional(Type.String()) })),
  ),
  errors: Type.Array(itemProblem),
});

export const batchResource = Type.Object({
  batch_id: Type.String(),
  received: Type.Integer(),
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  counts: Type.Object(Object.fromEntries(statusNames.map((status) => [status, Type.Integer()]))),
});

export const messageEvent = Type.Object({
  id: Type.String(),
  type: Type.String({ description: 'What happened, in the past tense: `MessageSent`.' }),
  status: oneOf(...statusNames),
  sequence: Type.Integer(),
  occurred_at: Type.String({ format: 'date-time' }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'What is known of it, with the carrier’s raw receipt as `raw`.' }),
});
