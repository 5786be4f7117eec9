import { journeyDefinitionFields, journeySettingsSchema } from '../../domain/journeys/definition.js';
import { journeyTemplates } from '../../domain/journeys/journey-templates.js';
import { MAX_NODES, nodeSchema } from '../../domain/journeys/nodes.js';
import { notFound } from '../../domain/kernel/errors.js';
import { annotate, anyRecord, documentedAs, list, named, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { type AnyRoute, route } from '../http/route.js';
import { journeyRouteDefaults } from './journeys.js';

const neededField = named('JourneyTemplateField', record({ key: text, label: text, type: named('JourneyTemplateFieldType', oneOf('date')) }));
const journeyTemplateSummary = named(
  'JourneyTemplate',
  record({
    key: text,
    name: text,
    description: text,
    custom_fields: annotate(list(neededField), { description: 'Fields that it reads: bodies of `POST /v1/custom-fields`.' }),
  }),
);
const journeyTemplateBody = named(
  'JourneyTemplateBody',
  record({
    name: journeyDefinitionFields.name,
    nodes: documentedAs(list(anyRecord), list(nodeSchema, { maxItems: MAX_NODES })),
    settings: optional(documentedAs(anyRecord, journeySettingsSchema)),
  }),
);

/** Journeys to begin with. */
export function journeyTemplateRoutes(): AnyRoute[] {
  return [listJourneyTemplatesRoute, getJourneyTemplateRoute];
}

const listJourneyTemplatesRoute = route({
  ...journeyRouteDefaults,
  method: 'GET',
  path: '/v1/journey-templates',
  operationId: 'listJourneyTemplates',
  summary: 'List journeys to begin with',
  access: 'read',
  responses: { 200: { description: 'What there is.', schema: named('JourneyTemplateList', record({ data: list(journeyTemplateSummary) })) } },
  async handle() {
    const data = journeyTemplates.map(({ key, description, custom_fields, journey }) => ({ key, name: journey.name, description, custom_fields }));
    return { status: 200, body: { data } };
  },
});

const getJourneyTemplateRoute = route({
  ...journeyRouteDefaults,
  method: 'GET',
  path: '/v1/journey-templates/:key',
  operationId: 'getJourneyTemplate',
  summary: 'Read a journey to begin with',
  description: 'The answer is a body of `POST /v1/journeys`, to be used as it is or changed before.',
  access: 'read',
  params: record({ key: text }),
  responses: { 200: { description: 'A body of `POST /v1/journeys`.', schema: journeyTemplateBody } },
  errors: ['not_found'],
  async handle({ params: { key } }) {
    const found = journeyTemplates.find((journeyTemplate) => journeyTemplate.key === key);
    if (!found) throw notFound('journey template', key);
    return { status: 200, body: found.journey };
  },
});
