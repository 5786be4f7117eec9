import Type from 'typebox';
import { formDefinition, formStatusSchema } from '../../domain/forms/definition.js';
import type { FormDetails } from '../../domain/forms/form.js';
import { submissionStatuses } from '../../domain/forms/submission.js';
import { languageSchema } from '../../domain/kernel/languages.js';
import { annotate, anyRecord, count, flag, list, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';

const version = Type.Integer({ minimum: 1, description: 'Number of the version, from 1. A version never changes.' });

export const formResource = named(
  'Form',
  record({
    id: text,
    ...formDefinition.properties,
    language: annotated(nullable(languageSchema), 'In which the form is written. Null: in that of the account, in forms from before they had one.'),
    translations: annotate(formDefinition.properties.texts, { description: 'The texts of the page in other languages.' }),
    texts: annotate(formDefinition.properties.texts, { description: 'The former name of `translations`.' }),
    url: Type.String({ description: 'Address of the page, once the form is live.' }),
    embed_url: Type.String({ description: 'The `src` of a script element.' }),
    version,
    created_at: time,
    updated_at: time,
  }),
);

export const shownResource = ({ id, definition, version: of, created_at, updated_at }: FormDetails, publicUrl: string) => {
  const url = `${publicUrl}/f/${definition.slug}`;
  const { language = null, texts: translations } = definition;
  return { id, ...definition, language, translations, url, embed_url: `${url}/embed.js`, version: of, created_at, updated_at };
};

export const formSummary = named(
  'FormSummary',
  record({ id: text, name: text, slug: text, status: formStatusSchema, version, created_at: time, updated_at: time }),
);
export const formVersionSummary = named('FormVersion', record({ version, name: text, status: formStatusSchema, created_at: time }));

export const submissionStatusSchema = named('FormSubmissionStatus', oneOf(...submissionStatuses));
export const submissionResource = named(
  'FormSubmission',
  record({
    id: text,
    form_id: text,
    form_version: version,
    contact_id: Type.String({ description: 'The contact of the submission; it may be merged since.' }),
    contact_created: flag,
    status: submissionStatusSchema,
    fields: annotated(anyRecord, 'By the key of the field. Empty once the contact is erased.'),
    consent: nullable(Type.Boolean({ description: 'Whether the box was ticked; null if the form had none.' })),
    language: text,
    ip: nullable(text),
    user_agent: nullable(text),
    page: nullable(text),
    duplicate_of: nullable(Type.String({ description: 'A submission with the same fields less than a minute before.' })),
    not_applied: optional(annotated(list(text), 'The names of what the contact did not take: nobody knows who sent it. `fields` has the values.')),
    erased: flag,
    created_at: time,
    confirmed_at: nullable(time),
  }),
);

function annotated<S extends object>(schema: S, description: string): S {
  return { ...schema, description };
}

const day = Type.String({ format: 'date' });
export const formStats = named(
  'FormStats',
  record({
    from: day,
    to: day,
    total: named('FormCounts', record({ views: count, starts: count, submissions: count, duplicates: count, confirmed: count, dropped: count })),
    days: list(
      named('FormDay', record({ day, views: count, starts: count, submissions: count, duplicates: count, confirmed: count, dropped: count })),
    ),
  }),
);
