/** A template of messages on one channel. Each change makes a version; a version never changes. */

import type { OwnedAggregate } from '../kernel/aggregate.js';
import type { ChannelName } from '../kernel/channels.js';
import { channelNames } from '../kernel/channels.js';
import { DomainError, invalid, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { ownField } from '../kernel/own-fields.js';
import { count, mapOf, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { storedWhatsappTemplate } from '../messages/whatsapp-template.js';
import { arithmetic } from './arithmetic.js';
import { contentFields, senderFields } from './template-fields.js';
import { translationPath } from './translations.js';

/** The sources of the fields of a message, in Liquid. With `mjml`, `html` is what it was compiled to. */
const sources = {
  subject: optional(text),
  preheader: optional(text),
  html: optional(text),
  mjml: optional(text),
  message: optional(text),
  title: optional(text),
  action_url: optional(text),
  from: optional(text),
  reply_to: optional(text),
  /** With the values of its variables in Liquid. */
  whatsapp_template: optional(storedWhatsappTemplate),
};
const translation = record(sources);

/** The default, and what takes its place for readers of other languages, by language tag. */
export const templateContent = record({
  ...sources,
  translations: optional(mapOf(translation)),
  /** How its filters calculate. Versions without it are from before there were decimals. */
  arithmetic: optional(arithmetic),
});
export type TemplateContent = Static<typeof templateContent>;
export type TemplateTranslation = Static<typeof translation>;

/** Bytes of its JSON in UTF-8: an append must stay below 512 kB. */
export const MAX_CONTENT = 400_000;

// Events

const channel = oneOf(...channelNames);

export const TemplateCreated = eventType('TemplateCreated', record({ template_id: text, name: text, channel, content: templateContent, at: time }), {
  version: 2,
});
/** Has the whole content of the new version. */
export const TemplateUpdated = eventType(
  'TemplateUpdated',
  record({ template_id: text, version: count, name: text, content: templateContent, at: time }),
  { version: 2 },
);
/** Nothing new is made from it. What was made stays. */
export const TemplateDeleted = eventType('TemplateDeleted', record({ template_id: text, at: time }));

export const templateEvents = [TemplateCreated, TemplateUpdated, TemplateDeleted] as const;
export type TemplateEvent = EventOf<(typeof templateEvents)[number]>;

// State

interface TemplateBase {
  readonly id: string;
  readonly name: string;
  readonly channel: ChannelName;
  /** The number of the version, from 1. The event of a version has the revision before. */
  readonly version: number;
  readonly content: TemplateContent;
  readonly created_at: string;
  readonly updated_at: string;
}
/** A template as the API shows it. */
export type TemplateDetails = TemplateBase;
export type Template = { readonly status: 'new' } | (TemplateBase & { readonly status: 'active' }) | (TemplateBase & { readonly status: 'deleted' });

export function evolve(template: Template, event: TemplateEvent): Template {
  if (event.type === 'TemplateCreated') {
    const { template_id: id, name, channel, content, at } = event.data;
    return { status: 'active', id, name, channel, version: 1, content, created_at: at, updated_at: at };
  }
  if (template.status === 'new') return template;
  switch (event.type) {
    case 'TemplateUpdated': {
      const { version, name, content, at } = event.data;
      return { ...template, version, name, content, updated_at: at };
    }
    case 'TemplateDeleted':
      return { ...template, status: 'deleted', updated_at: event.data.at };
    default:
      return event satisfies never;
  }
}

/** Throws if the template was never created. */
export function toTemplateDetails(state: Template): TemplateDetails {
  if (state.status === 'new') throw new Error('The template was never created.');
  const { status: _, ...details } = state;
  return details;
}

// Commands

export type TemplateCommand =
  | { type: 'Create'; template_id: string; name: string; channel: ChannelName; content: TemplateContent; now: string }
  /** `based_on`: the version to which the change was applied. It conflicts with every other version. */
  | { type: 'Update'; template_id: string; name: string; content: TemplateContent; based_on: number; now: string }
  | { type: 'Delete'; template_id: string; now: string };

/** Throws `version_conflict`, `validation_error` where the content is too long, and `not_found` also if the template is deleted. */
export function decide(command: TemplateCommand, template: Template): readonly TemplateEvent[] {
  const { template_id, now: at } = command;
  if (command.type === 'Create') {
    const { name, channel, content } = command;
    if (template.status !== 'new') return [];
    requireLength(content);
    return [{ type: 'TemplateCreated', data: { template_id, name, channel, content, at } }];
  }
  if (template.status === 'new') throw notFound('template', template_id);
  switch (command.type) {
    case 'Update':
      if (template.status === 'deleted') throw notFound('template', template_id);
      return update(command, template);
    case 'Delete':
      return template.status === 'deleted' ? [] : [{ type: 'TemplateDeleted', data: { template_id, at } }];
    default:
      return command satisfies never;
  }
}

function update(command: Extract<TemplateCommand, { type: 'Update' }>, template: TemplateBase): readonly TemplateEvent[] {
  const { template_id, name, content, based_on, now: at } = command;
  if (name === template.name && isSameContent(content, template.content)) return [];
  if (based_on !== template.version) {
    const message = `The template is at version ${template.version}, not ${based_on}. Read it again, then change it.`;
    throw new DomainError('version_conflict', message, { expected: based_on, actual: template.version });
  }
  requireLength(content);
  return [{ type: 'TemplateUpdated', data: { template_id, version: template.version + 1, name, content, at } }];
}

function isSameContent({ translations: these = {}, ...one }: TemplateContent, { translations: those = {}, ...other }: TemplateContent): boolean {
  const languages = Object.entries(these);
  const areSame = languages.every(([language, translation]) => isSameContent(translation, ownField(those, language) ?? {}));
  const haveSameTemplate = JSON.stringify(one.whatsapp_template) === JSON.stringify(other.whatsapp_template);
  const haveSameTexts = [...contentFields, ...senderFields].every((field) => one[field] === other[field]);
  return areSame && languages.length === Object.keys(those).length && haveSameTemplate && haveSameTexts;
}

function requireLength(content: TemplateContent): void {
  const received = bytesOf(JSON.stringify(content));
  if (received <= MAX_CONTENT) return;
  const message = `All fields of a template have at most ${MAX_CONTENT} bytes together, with those of its translations; these have ${received}.`;
  const sizes = [['', content] as const, ...Object.entries(content.translations ?? {})].flatMap(([language, fields]) =>
    contentFields.map((field) => ({ field: language === '' ? field : translationPath(language, field), length: fields[field]?.length ?? 0 })),
  );
  const [longest] = sizes.toSorted((a, b) => b.length - a.length);
  throw invalid([{ field: longest?.field ?? '', code: 'message_too_long', message, details: { limit: MAX_CONTENT, received } }]);
}

/** Bytes in UTF-8. */
function bytesOf(json: string): number {
  let bytes = 0;
  for (let i = 0; i < json.length; i++) {
    const unit = json.charCodeAt(i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}

// Stream

export const templateStream = (id: string): string => `template-${id}`;

export const template: OwnedAggregate<Template, TemplateCommand, TemplateEvent> = {
  resource: 'template',
  stream: templateStream,
  events: templateEvents,
  snapshots: { name: 'template', version: 1 },
  initial: { status: 'new' },
  evolve,
  decide,
};
