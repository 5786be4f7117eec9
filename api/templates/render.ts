import { ofTranslation } from '../../commands/templates/compile-languages.js';
import { compileTemplate } from '../../commands/templates/compile-template.js';
import { commonValues, loadContactValues, localeOf, withLocale } from '../../commands/templates/scope.js';
import { variablesOfChannel } from '../../commands/templates/variables.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import { invalid } from '../../domain/kernel/errors.js';
import { list, named, optional, record, text } from '../../domain/kernel/schema.js';
import { contentInLanguage, languageFor } from '../../domain/templates/translations.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadTemplate } from '../../log/aggregates/templates/load-template.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { renderedTemplate, renderRequest, templateVariable } from './schemas.js';

const common = { tag: 'templates', limit: 'general' } as const;

/** Previews, and what templates can read. */
export function renderRoutes(services: Services): AnyRoute[] {
  return [listTemplateVariablesRoute(services), renderTemplateRoute(services)];
}

const renderTemplateRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/templates/:id/render',
    operationId: 'renderTemplate',
    summary: 'Render a template',
    description:
      'A preview: nothing is sent. It is in the language that the reader gets: that of `locale`, else of the contact, else the default. A variable without a value is an empty text, and a warning.',
    access: 'either',
    params: record({ id: text }),
    body: renderRequest,
    responses: { 200: { description: 'The fields of the message.', schema: renderedTemplate } },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller: { account }, params: { id }, body, ruleContext }) {
      const context = ruleContext();
      const { content, channel, version } = await loadTemplate(log, account, id, { version: body.version });
      const contact = body.contact_id === undefined ? {} : { contact: await loadContactValues(context, body.contact_id) };
      const pages =
        channel === 'email' ? context.ports.templates.recipientPages({ account, address_key: 'preview', channel, message_id: null }) : null;
      const values = { ...(await commonValues(context)), ...pages, ...body.values, ...contact, data: body.data ?? {} };
      const language = languageFor(content, body.locale ?? localeOf(values));
      const compiled = await compileTemplate(contentInLanguage(content, language), context);
      if (compiled.problems.length > 0) throw invalid(ofTranslation(language, compiled.problems));
      const rendered = compiled.render(body.locale === undefined ? values : withLocale(values, body.locale));
      if ('problems' in rendered) throw invalid(ofTranslation(language, rendered.problems));
      const { subject = null, html = null, message = null, title = null, action_url = null, whatsapp_template = null } = rendered.content;
      const { from = null, reply_to = null } = rendered.content;
      const missing = [...new Set(rendered.warnings.flatMap(({ code, name }) => (code === 'missing_variable' ? [name] : [])))];
      const warnings = rendered.warnings.map(({ field, message }) => `${field}: ${message}`);
      const fields = { subject, html, message, title, action_url, from, reply_to, whatsapp_template };
      return { status: 200, body: { version, language, ...fields, missing_variables: missing, warnings } };
    },
  });

const listTemplateVariablesRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/templates/variables',
    operationId: 'listTemplateVariables',
    summary: 'List the variables of templates',
    description: 'With the custom fields of the account.',
    access: 'read',
    query: record({ channel: optional(channelSchema) }),
    responses: { 200: { description: 'The variables.', schema: named('TemplateVariableList', record({ data: list(templateVariable) })) } },
    async handle({ caller, query: { channel } }) {
      const fields = await loadCustomFields(log, caller.account);
      return { status: 200, body: { data: variablesOfChannel(channel, fields.values()) } };
    },
  });
