import Type from 'typebox';
import { list, named, record, text } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { findSegment } from '../../log/aggregates/segments/load-segment.js';
import { contacts } from '../../projections/contacts/projection.js';
import { customEvents } from '../../projections/events/projection.js';
import { messages } from '../../projections/messages/projection.js';
import { type SegmentMemberQueries, segmentMemberQueries } from '../../projections/segments/member-queries.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { mergedIntoHeader } from '../contacts/contacts.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const contactSegments = named('ContactSegments', record({ contact_id: text, data: list(named('ContactSegment', record({ id: text, name: text }))) }));

/** The segments of one contact. */
export const contactSegmentsRoute = (services: Services): AnyRoute => listContactSegmentsRoute(services, segmentMemberQueries(services));

const listContactSegmentsRoute = ({ log }: Services, live: SegmentMemberQueries) =>
  route({
    tag: 'contacts',
    limit: 'general',
    method: 'GET',
    path: '/v1/contacts/:id/segments',
    operationId: 'listContactSegments',
    summary: 'List the segments of a contact',
    description:
      'The segments that the contact is in now, by their names; of a segment whose new rules are being built, by those before. `GET /v1/segments/:id/explain` says why it is in one of them, or not in another.',
    access: 'read',
    params: record({
      id: Type.String({
        minLength: 1,
        description: 'Contact id. The id of a merged contact returns the segments of the contact that it is merged into.',
      }),
    }),
    responses: { 200: { description: 'All of its segments.', schema: contactSegments } },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller: { account }, params: { id }, consistent }) {
      for (const projection of [contacts, customEvents, messages, segmentMembers]) await consistent(projection.name);
      const { root } = await findContact(log, account, id);
      const ids = await live.segmentsOf(root.id);
      const found = await Promise.all(ids.map((segment) => findSegment(log, account, segment)));
      const data = found.flatMap((segment) => (segment ? [{ id: segment.id, name: segment.name }] : []));
      data.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      return { status: 200, body: { contact_id: root.id, data }, ...mergedIntoHeader(id === root.id ? null : root.id) };
    },
  });
