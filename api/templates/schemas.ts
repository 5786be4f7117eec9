import Type from 'typebox';
import { partialKey, partialSource } from '../../commands/templates/store-partial.js';
import { sourceFields, templateName } from '../../commands/templates/template-input.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import { languageTagInput } from '../../domain/kernel/languages.js';
import { annotate, list, mapOf, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { whatsappTemplateSchema } from '../../domain/messages/whatsapp-template.js';

const version = Type.Integer({ minimum: 1, description: 'Number of the version, from 1. A version never changes.' });
const shownSource = nullable(Type.String());

const summary = { id: text, name: text, channel: channelSchema, version, created_at: time, updated_at: time };

const sourceText = optional(Type.String());
const templateTranslation = named(
  'TemplateTranslation',
  record({
    subject: sourceText,
    preheader: sourceText,
    html: sourceText,
    mjml: sourceText,
    message: sourceText,
    title: sourceText,
    action_url: sourceText,
    from: sourceText,
    reply_to: sourceText,
    whatsapp_template: optional(whatsappTemplateSchema),
  }),
);

export const templateSummary = named('TemplateSummary', record(summary));
export const templateResource = named(
  'Template',
  record({
    id: text,
    name: text,
    channel: channelSchema,
    subject: shownSource,
    preheader: shownSource,
    html: nullable(Type.String({ description: 'With `mjml`, what that was compiled to.' })),
    mjml: shownSource,
    message: shownSource,
    title: shownSource,
    action_url: shownSource,
    from: shownSource,
    reply_to: shownSource,
    whatsapp_template: nullable(whatsappTemplateSchema),
    translations: annotate(mapOf(templateTranslation), {
      description: 'The same in other languages, by language tag. With `mjml`, `html` is what that was compiled to.',
    }),
    variables: list(Type.String({ description: 'Paths of the variables that the template reads.' })),
    warnings: optional(
      Type.Array(Type.String(), {
        description:
          'When it is stored: variables that nobody has, with the nearest known name, and divisions whose result is another one than before.',
      }),
    ),
    version,
    created_at: time,
    updated_at: time,
  }),
);
export const templateVersion = named('TemplateVersion', record({ version, name: text, created_at: time }));

export const createTemplateRequest = named('CreateTemplateRequest', record({ name: templateName, channel: channelSchema, ...sourceFields }));
export const updateTemplateRequest = named('UpdateTemplateRequest', record({ name: optional(templateName), ...sourceFields }));

const values = (description: string) => optional(Type.Record(Type.String(), Type.Unknown(), { description }));
export const renderRequest = named(
  'RenderTemplateRequest',
  record({
    contact_id: optional(Type.String({ minLength: 1, maxLength: 64, description: 'The contact whose fields are `contact.*`.' })),
    data: values('Values of `data.*`.'),
    values: values('Further values for a preview, such as `event` or `campaign`, or a `contact` who does not exist.'),
    version: optional(Type.Integer({ minimum: 1, description: 'The version to render. Default: the latest.' })),
    locale: optional(languageTagInput('Language tag of the reader, which picks the translation. Default: the `locale` of the contact.')),
  }),
);
export const renderedTemplate = named(
  'RenderedTemplate',
  record({
    version,
    language: nullable(Type.String({ description: 'The language of the translation that is shown; null for the default.' })),
    subject: shownSource,
    html: shownSource,
    message: shownSource,
    title: shownSource,
    action_url: shownSource,
    from: shownSource,
    reply_to: shownSource,
    whatsapp_template: nullable(whatsappTemplateSchema),
    missing_variables: list(Type.String({ description: 'Paths of variables without a value.' })),
    warnings: list(Type.String({ description: 'What is missing in which field, and filters that cannot take their value.' })),
  }),
);

export const templateVariable = named(
  'TemplateVariable',
  record({
    name: Type.String({ description: 'The path. A star stands for any name.' }),
    description: text,
    example: Type.Unknown(),
    available: named('VariableAvailability', oneOf('all', 'contact', 'campaign', 'journey', 'event')),
  }),
);

export const partialResource = named('TemplatePartial', record({ key: partialKey, source: Type.String(), version, updated_at: time }));
export const partialSummary = named('TemplatePartialSummary', record({ key: partialKey, version, updated_at: time }));
export const storePartialRequest = named('StoreTemplatePartialRequest', record({ key: partialKey, source: partialSource }));
