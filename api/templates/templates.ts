import type { Context } from '../../commands/runtime/command.js';
import { changeTemplate } from '../../commands/templates/change-template.js';
import type { ChangedContents } from '../../commands/templates/changed-contents.js';
import { compileLanguages } from '../../commands/templates/compile-languages.js';
import { createTemplate } from '../../commands/templates/create-template.js';
import { deleteTemplate } from '../../commands/templates/delete-template.js';
import { changedDivisions, sourcesIn, variableWarnings } from '../../commands/templates/template-warnings.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import type { TemplateDetails } from '../../domain/templates/template.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadTemplate } from '../../log/aggregates/templates/load-template.js';
import { templates } from '../../projections/templates/projection.js';
import type { TemplateQueries } from '../../projections/templates/queries.js';
import { type Cursors, countedQuery, pageOf, pagingQuery, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { createTemplateRequest, templateResource, templateSummary, templateVersion, updateTemplateRequest } from './schemas.js';

const common = { tag: 'templates', limit: 'general' } as const;
const params = record({ id: text });

/** A template with all its fields, and the variables that it reads. */
async function shown({ content, id, name, channel, version, created_at, updated_at }: TemplateDetails, context: Context) {
  const { subject = null, preheader = null, html = null, mjml = null, message = null, title = null, action_url = null } = content;
  const { from = null, reply_to = null, whatsapp_template = null, translations = {} } = content;
  const { variables } = await compileLanguages(content, context);
  const fields = { subject, preheader, html, mjml, message, title, action_url, from, reply_to, whatsapp_template, translations };
  return { id, name, channel, ...fields, variables: [...variables], version, created_at, updated_at };
}

/** A template that was stored, with what its author should look at. */
async function stored({ after, isAnew }: ChangedContents<TemplateDetails>, context: Context) {
  const body = await shown(after, context);
  const custom = await loadCustomFields(context.log, context.cause.account);
  const warnings = [...variableWarnings(body.variables, custom.keys()), ...(isAnew ? changedDivisions(sourcesIn(after.content)) : [])];
  return warnings.length > 0 ? { ...body, warnings } : body;
}

/** Reads of templates. A single template is read from the log. */
export function templateResourceRoutes(services: Services, queries: TemplateQueries, cursors: Cursors): AnyRoute[] {
  return [
    listTemplatesRoute(queries, cursors),
    getTemplateRoute(services),
    listTemplateVersionsRoute(services, queries, cursors),
    createTemplateRoute,
    updateTemplateRoute,
    deleteTemplateRoute,
  ];
}

const listTemplatesRoute = (queries: TemplateQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/templates',
    operationId: 'listTemplates',
    summary: 'List the templates',
    description: 'Without their content.',
    access: 'read',
    query: record({ ...timedPagingQuery(), ...countedQuery, channel: optional(channelSchema) }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(templateSummary) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(templates.name);
      const { range, pageOfItems, total } = cursors.read(request, 'templates');
      const found = await queries.templates(request.caller.account, request.query.channel, range);
      const page = pageOfItems(found, ({ id, name, channel, version, created_at, updated_at }) => ({
        ...{ id, name, channel, version, created_at, updated_at },
      }));
      const counted = await total((all) => queries.count(request.caller.account, request.query.channel, all));
      return { status: 200, body: { ...page, ...counted } };
    },
  });

const getTemplateRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/templates/:id',
    operationId: 'getTemplate',
    summary: 'Read a template',
    access: 'read',
    params,
    responses: { 200: { description: 'The template.', schema: templateResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, ruleContext }) {
      const found = await loadTemplate(log, caller.account, id);
      return { status: 200, body: await shown(found, ruleContext()), headers: etag(found.version) };
    },
  });

const listTemplateVersionsRoute = ({ log }: Services, queries: TemplateQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/templates/:id/versions',
    operationId: 'listTemplateVersions',
    summary: 'List the versions of a template',
    description: 'Without their content: `POST /v1/templates/:id/render` renders any of them.',
    access: 'read',
    params,
    query: record(pagingQuery),
    responses: { 200: { description: 'Newest first.', schema: pageOf(templateVersion) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      await request.consistent(templates.name);
      await loadTemplate(log, request.caller.account, request.params.id);
      const { range, pageOfItems } = cursors.read(request, 'template-versions');
      const found = await queries.versions(request.params.id, range);
      return { status: 200, body: pageOfItems(found, ({ version, name, created_at }) => ({ version, name, created_at })) };
    },
  });

const createTemplateRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/templates',
  operationId: 'createTemplate',
  summary: 'Create a template',
  description:
    'The fields are Liquid: `{{ contact.first_name | default: "there" }}`. All problems are listed, each with its field and line. A variable that nobody has is a warning.',
  access: 'write',
  body: createTemplateRequest,
  responses: { 201: { description: 'The template.', schema: templateResource } },
  errors: ['conflict'],
  async handle({ body, execute, ruleContext }) {
    const { output } = await execute(createTemplate, body);
    return { status: 201, body: await stored({ after: output, isAnew: false }, ruleContext()), headers: etag(output.version) };
  },
});

const updateTemplateRoute = route({
  ...common,
  method: 'PATCH',
  path: '/v1/templates/:id',
  operationId: 'updateTemplate',
  summary: 'Update a template',
  description: 'Makes a new version. Null removes a field. `html` takes the place of `mjml`, and `mjml` that of `html`.',
  access: 'write',
  params,
  body: updateTemplateRequest,
  responses: { 200: { description: 'The template after the change.', schema: templateResource } },
  errors: ['not_found', 'version_conflict', 'conflict'],
  async handle({ params: { id }, body, headers, execute, ruleContext }) {
    const { output } = await execute(changeTemplate, { template_id: id, change: body, expected: ifMatch(headers) });
    const { after } = output;
    return { status: 200, body: await stored(output, ruleContext()), headers: etag(after.version) };
  },
});

const deleteTemplateRoute = route({
  ...common,
  method: 'DELETE',
  path: '/v1/templates/:id',
  operationId: 'deleteTemplate',
  summary: 'Delete a template',
  description: 'No message can be made from it any more. Messages that were made from it stay as they are. Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The template is deleted.' } },
  errors: ['not_found', 'conflict'],
  async handle({ params: { id }, execute }) {
    await execute(deleteTemplate, { template_id: id });
    return { status: 204 };
  },
});
