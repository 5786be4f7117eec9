import { type ChannelName, channelSchema, isChannel } from '../../kernel/channels.js';
import { annotate, anyRecord, named, oneOf, optional, record, type Static } from '../../kernel/schema.js';
import { category } from '../../messages/accepted-fields.js';
import { isObject, type RuleProblem, step } from '../../segments/shape.js';
import { type ContentField, contentFields, missingSubject, templateChannelProblems } from '../../templates/template-fields.js';
import { translatedFields, translationsSchema } from '../../templates/translation-schema.js';
import { missingTexts, readTranslations, translationPath, withLanguageTags } from '../../templates/translations.js';
import { type PartContext, problem, unknownReference } from '../part-problems.js';
import { inQuotes, type JourneyNames, nameOf, shortened } from '../texts.js';
import type { NodeDescriptor, UncheckedNode } from './descriptor.js';
import { base, nextNode, onFailure, reference, type WithDefaults } from './fields.js';
import { onlyNext } from './ways.js';

const defaults = { category: 'marketing', on_failure: 'continue', on_capped: 'skip' } as const;

const schema = named(
  'JourneySend',
  record({
    ...base('send'),
    channel: channelSchema,
    template_id: optional(annotate(reference, { description: 'A template of the channel. Without it the text is in the node.' })),
    subject: optional(translatedFields.subject),
    preheader: optional(translatedFields.preheader),
    html: optional(translatedFields.html),
    message: optional(translatedFields.message),
    title: optional(translatedFields.title),
    action_url: optional(translatedFields.action_url),
    from: optional(translatedFields.from),
    reply_to: optional(translatedFields.reply_to),
    whatsapp_template: optional(translatedFields.whatsapp_template),
    translations: optional(translationsSchema),
    data: optional(annotate(anyRecord, { description: 'Variables of the template: `data.*`.' })),
    category: optional(annotate(category, { default: defaults.category })),
    send_time: optional(
      annotate(named('JourneySendTime', oneOf('best_hour')), {
        description:
          'Waits for the best hour of the contact within a day: the local hour at which it engages most on the channel, or else that of the account, or else 17:00, outside quiet hours. One in ten is sent at another hour.',
      }),
    ),
    on_failure: onFailure,
    on_capped: optional(
      annotate(named('JourneyCapPolicy', oneOf('skip', 'wait')), {
        default: defaults.on_capped,
        description: 'What the frequency cap does to the message.',
      }),
    ),
    next: nextNode,
  }),
);
type SendInput = Static<typeof schema>;
export type SendNode = WithDefaults<SendInput, typeof defaults>;

/** Sends a message to the contact. */
export const sendDescriptor: NodeDescriptor<'send', SendInput, SendNode> = {
  kind: 'send',
  title: 'Send',
  group: 'act',
  form: { schema },
  apart: [],
  ways: onlyNext,
  complete: (given) => withLanguageTags({ ...defaults, ...given }),
  describe,
  problems,
  references: ({ template_id }) => ({ template: template_id }),
};

const channelTexts: Readonly<Record<SendNode['channel'], string>> = {
  sms: 'an SMS',
  email: 'an email',
  whatsapp: 'a WhatsApp message',
  rcs: 'an RCS message',
  push: 'a push message',
  in_app: 'an in-app message',
};

function describe({ channel, template_id, subject, title, message, category, send_time }: SendNode, names: JourneyNames): string {
  const text = subject ?? title ?? message;
  const content =
    template_id !== undefined ? ` with ${nameOf('template', template_id, names)}` : text === undefined ? '' : ` ${inQuotes(shortened(text))}`;
  const when = send_time === 'best_hour' ? ' at the best hour of the contact' : '';
  return `Send ${channelTexts[channel]}${content}${when}${category === 'transactional' ? ' (transactional)' : ''}`;
}

function problems(node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] {
  const { channel, template_id } = node;
  const given = contentFields.filter((name) => node[name] !== undefined);
  if (typeof template_id === 'string' && template_id !== '') {
    const others = (['whatsapp_template', 'translations'] as const).filter((name) => node[name] !== undefined);
    const both = [...given, ...others].map((name) => problem(`${pointer}/${name}`, 'not_allowed', 'Give a template or a text, not both.'));
    const ofTemplate = catalog.templates.get(template_id);
    if (ofTemplate === undefined) return [...both, unknownReference(`${pointer}/template_id`, 'template', template_id)];
    if (ofTemplate === channel || typeof channel !== 'string') return both;
    const message = `This template is for ${ofTemplate}, the message for ${channel.slice(0, 64)}.`;
    return [...both, problem(`${pointer}/template_id`, 'channel_template_mismatch', message)];
  }
  if (typeof channel !== 'string' || !isChannel(channel)) return [];
  const names = new Set<ContentField>(given.filter((name) => name !== 'mjml'));
  const found = templateChannelProblems(channel, names).map(({ field, code, message }) => problem(`${pointer}/${field}`, code, message));
  const noSubject = missingSubject(channel, names.has('subject')).map(({ field, code, message }) => problem(`${pointer}/${field}`, code, message));
  return [...found, ...noSubject, ...translationProblems(node, channel, pointer)];
}

/** Tags that are none, fields that the channel does not have, and texts that only the default has. */
function translationProblems({ mjml: _, ...node }: UncheckedNode, channel: ChannelName, pointer: string): RuleProblem[] {
  if (!isObject(node.translations)) return [];
  const translations = new Map(Object.entries(node.translations).flatMap(([name, one]) => (isObject(one) ? [[name, one] as const] : [])));
  const foreign = [...translations].flatMap(([language, translation]) => {
    const names = new Set<ContentField>(contentFields.filter((name) => name !== 'mjml' && translation[name] !== undefined));
    const ofChannel = templateChannelProblems(channel, names).filter(({ code }) => code !== 'required');
    return ofChannel.map((one) => ({ ...one, field: translationPath(language, one.field) }));
  });
  const given = Object.fromEntries(translations);
  const place = (field: string): string => {
    const [, name = '', text = ''] = /^translations\.?(.*?)(?:\.(\w+))?$/.exec(field) ?? [];
    return ['translations', name, text].flatMap((part) => (part === '' ? [] : [step(part)])).join('');
  };
  return [...readTranslations(given).problems, ...foreign, ...missingTexts({ ...node, translations: given })].map(({ field, code, message }) =>
    problem(pointer + place(field), code, message),
  );
}
