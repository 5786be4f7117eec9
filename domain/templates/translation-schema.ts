import { annotate, boundedText, lineOf, mapOf, named, partial, record } from '../kernel/schema.js';
import { whatsappTemplateSchema } from '../messages/whatsapp-template.js';

/** The fields of a content of a campaign or journey that can be different in each language. */
export const translatedFields = {
  subject: boundedText(lineOf(998)),
  preheader: annotate(boundedText(lineOf(998)), { description: 'What mail programs show beside the subject of an email; hidden in the HTML.' }),
  message: boundedText({ minLength: 1, maxLength: 100_000 }),
  html: boundedText({ minLength: 1, maxLength: 200_000 }),
  title: boundedText({ minLength: 1, maxLength: 200 }),
  action_url: boundedText(lineOf(2_048)),
  from: boundedText(lineOf(500)),
  reply_to: boundedText(lineOf(500)),
  whatsapp_template: annotate(whatsappTemplateSchema, {
    description:
      'The template of a WhatsApp message that the recipient sees, with the values of its variables in Liquid; `message` is what history shows.',
  }),
};

const translation = named('ContentTranslation', partial(record(translatedFields)));

/** The same content in other languages. */
export const translationsSchema = annotate(mapOf(translation), {
  description:
    'The same in other languages, by language tag: `{"de": {"subject": "…", "html": "…"}}`. A translation has all texts that the default has; links and senders may be left out. The `locale` of the contact picks: of `pt-BR`, then `pt`, then the default.',
});
