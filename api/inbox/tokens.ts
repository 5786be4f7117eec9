import Type from 'typebox';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import type { InboxAccess } from './access.js';
import { inboxToken } from './schemas.js';

const DEFAULT_TTL_SECONDS = 3_600;

export const inboxTokenRoute = ({ log, clock }: Services, { tokens }: InboxAccess): AnyRoute =>
  route({
    method: 'POST',
    path: '/v1/inbox/tokens',
    operationId: 'createInboxToken',
    tag: 'inbox',
    limit: 'general',
    access: 'write',
    summary: 'Issue a token for the inbox of a contact',
    description:
      'For the browser of the contact: it opens the inbox of this contact and nothing else. Send it as `Authorization: Bearer`, or as `?token=` to the stream. Issue it on your server, to a contact that is signed in there. It cannot be revoked, so keep it short.',
    body: record({
      contact_id: text,
      ttl_seconds: optional(Type.Integer({ minimum: 60, maximum: 86_400, default: DEFAULT_TTL_SECONDS, description: 'How long it is valid.' })),
    }),
    responses: { 201: { description: 'The token.', schema: inboxToken } },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller, body: { contact_id, ttl_seconds: expires_in = DEFAULT_TTL_SECONDS } }) {
      const { root } = await findContact(log, caller.account, contact_id);
      const expires = Math.floor(clock.now() / 1_000) + expires_in;
      const token = tokens.sign({ account: caller.account, contact_id: root.id, expires });
      return { status: 201, body: { token, contact_id: root.id, expires_in, expires_at: new Date(expires * 1_000).toISOString() } };
    },
  });
