/** Messages that are made from templates: what is wrong with their templates, and their contents. */

import { type ChannelName, channels, isChannel } from '../../domain/kernel/channels.js';
import { DomainError, type FieldProblem } from '../../domain/kernel/errors.js';
import { pickLanguage } from '../../domain/kernel/languages.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import type { TemplateContent, TemplateDetails } from '../../domain/templates/template.js';
import { parseAddress } from '../../formats/contacts/parse-address.js';
import { isMailbox, readMailbox } from '../../formats/messages/mailbox.js';
import { type IdentifyingKey, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type LoadedContact, loadContact, loadRoot, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { isOwn } from '../../log/aggregates/load-aggregate.js';
import { findTemplate } from '../../log/aggregates/templates/load-template.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { LanguageCompiler, ofTranslation } from './compile-languages.js';
import { compileTemplate } from './compile-template.js';
import type { CompiledContent } from './content.js';
import { type ContactValues, commonValues, contactValues } from './scope.js';

/** Contacts and templates that are loaded concurrently. */
const IN_FLIGHT = 64;
/** UTF-16 units of all contents that one request makes. */
const MAX_RENDERED = 64 * 1024 * 1024;

/** The fields of a message that concern its template. */
export interface TemplatedRequest {
  readonly to?: string;
  readonly channel?: string;
  readonly contact_id?: string;
  readonly template_id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

type PreparedTemplate =
  | {
      /** Of the default. */
      readonly compiled: CompiledContent;
      readonly compiler: LanguageCompiler;
      readonly channel: ChannelName;
      readonly version: number;
      readonly content: TemplateContent;
    }
  /** `content`: null where there is no such template. */
  | { readonly problem: FieldProblem; readonly content: TemplateContent | null };

const unknown = (id: string): FieldProblem => ({ field: 'template_id', code: 'not_found', message: `There is no template with the id '${id}'.` });

/** The problems of the templates that requests name, by the index of the request. Each template is read once. */
export async function templateProblems(requests: readonly TemplatedRequest[], context: Context): Promise<ReadonlyMap<number, FieldProblem[]>> {
  const prepared = await prepareAll(requests, context);
  const problems = requests.map((request, i) => [i, problemsOf(request, prepared)] as const);
  return new Map(problems.filter(([, found]) => found.length > 0));
}

/** The templates that contents name. */
export interface NamedTemplates {
  readonly problemsOf: (content: TemplatedRequest) => FieldProblem[];
  /** Null where there is no such template. */
  readonly contentOf: (id: string) => TemplateContent | null;
}

/** The same for contents that are looked at in several languages: each template is read and compiled once. */
export async function namedTemplates(contents: readonly Pick<TemplatedRequest, 'template_id'>[], context: Context): Promise<NamedTemplates> {
  const prepared = await prepareAll(contents, context);
  return { problemsOf: (content) => problemsOf(content, prepared), contentOf: (id) => prepared.get(id)?.content ?? null };
}

function problemsOf({ template_id, channel }: TemplatedRequest, prepared: ReadonlyMap<string, PreparedTemplate>): FieldProblem[] {
  const template = template_id === undefined ? undefined : prepared.get(template_id);
  if (!template) return [];
  if ('problem' in template) return [template.problem];
  if (channel === undefined || !isChannel(channel) || channel === template.channel) return [];
  const message = `The template is for ${template.channel}, not for ${channel}.`;
  return [{ field: 'template_id', code: 'channel_mismatch', message, details: { channel: template.channel } }];
}

async function prepareAll(
  requests: readonly Pick<TemplatedRequest, 'template_id'>[],
  context: Context,
): Promise<ReadonlyMap<string, PreparedTemplate>> {
  const ids = [...new Set(requests.flatMap(({ template_id }) => (template_id === undefined ? [] : [template_id])))];
  const found = await mapConcurrent(context, ids, IN_FLIGHT, async (id): Promise<PreparedTemplate> => {
    const template: TemplateDetails | null = await findTemplate(context.log, context.cause.account, id);
    if (!template) return { problem: unknown(id), content: null };
    const compiler = new LanguageCompiler(template.content, (content) => compileTemplate(content, context));
    const compiled = await compiler.in(null);
    const [problem] = compiled.problems;
    if (problem) return { problem: ofInvalidTemplate(problem), content: template.content };
    return { compiled, compiler, channel: template.channel, version: template.version, content: template.content };
  });
  return new Map(ids.map((id, i) => [id, found[i] as PreparedTemplate]));
}

const ofInvalidTemplate = ({ field, message, ...rest }: FieldProblem): FieldProblem => ({
  ...{ ...rest, field: 'template_id', code: 'invalid_template', message: `${field}: ${message}` },
});

/** A request with its content. Without a template it is as it was. */
type ComposedRequest<R> = R & { readonly template_version?: number; readonly content_language?: string };

/** Makes the content of the message at an index, whose id is given. */
export type ApplyTemplate<R> = (
  index: number,
  messageId: string,
) => { readonly request: ComposedRequest<R> } | { readonly problems: readonly FieldProblem[] };

/**
 * Loads the templates of requests, and the contacts that these read, each once. The fields of a request come before those of its template.
 * Null where no request has a template. `apply` throws `payload_too_large` where the contents of all requests are too long together.
 * `contactOf`: whom a request on a channel to contacts reaches.
 */
export async function messageTemplates<R extends TemplatedRequest>(
  requests: readonly R[],
  context: Context,
  contactOf: (index: number) => string | null = () => null,
): Promise<ApplyTemplate<R> | null> {
  if (requests.every(({ template_id }) => template_id === undefined)) return null;
  const prepared = await prepareAll(requests, context);
  const common = await commonValues(context);
  const recipients = requests.map((request, i) => recipientOf(request, prepared, contactOf(i), context));
  const contacts = await contactsOf(recipients, context);
  const chosen = await languagesFor(requests, { prepared, recipients, contacts });
  const linksOf = context.ports.templates.recipientPages;
  let total = 0;
  return (index, message_id) => {
    const request = requests[index] as R;
    const wrong = problemsOf(request, prepared);
    if (wrong.length > 0) return { problems: wrong };
    const template = prepared.get(request.template_id ?? '');
    const [recipient, translated] = [recipients[index], chosen[index]];
    if (!template || 'problem' in template || !recipient || !translated) return { request };
    const { channel, version } = template;
    const { language, compiled } = translated;
    const links = channel === 'email' ? linksOf({ account: context.cause.account, address_key: recipient.key, channel, message_id }) : null;
    if (compiled.problems.length > 0) return { problems: ofTranslation(language, compiled.problems).slice(0, 1).map(ofInvalidTemplate) };
    const rendered = compiled.render({ ...common, ...links, contact: contacts.get(recipient.name) ?? null, data: request.data ?? {} });
    if ('problems' in rendered) return rendered;
    const { data: _, ...own } = request;
    const { whatsapp_template = {}, ...texts } = rendered.content;
    for (const text of [...Object.values(texts), JSON.stringify(whatsapp_template)]) total += text?.length ?? 0;
    if (total > MAX_RENDERED) throw tooMuch();
    const of = { template_version: version, ...(language !== null && { content_language: language }) };
    return { request: { ...rendered.content, ...omitUndefined(own), ...of } as unknown as ComposedRequest<R> };
  };
}

interface TemplateRecipients {
  readonly prepared: ReadonlyMap<string, PreparedTemplate>;
  readonly recipients: readonly (TemplateRecipient | undefined)[];
  readonly contacts: ReadonlyMap<string, ContactValues>;
}

/** A template in the language of one recipient; null is the default. */
interface RecipientLanguage {
  readonly language: string | null;
  readonly compiled: CompiledContent;
}

/** By the index of the request. Each translation is compiled once. */
async function languagesFor(
  requests: readonly TemplatedRequest[],
  { prepared, recipients, contacts }: TemplateRecipients,
): Promise<readonly (RecipientLanguage | null)[]> {
  const chosen: (RecipientLanguage | null)[] = [];
  for (const [i, { template_id = '' }] of requests.entries()) {
    const template = prepared.get(template_id);
    const recipient = recipients[i];
    if (!template || 'problem' in template || !recipient) chosen.push(null);
    else {
      const language = pickLanguage(contacts.get(recipient.name)?.locale, template.compiler.languages);
      chosen.push({ language, compiled: language === null ? template.compiled : await template.compiler.in(language) });
    }
  }
  return chosen;
}

const tooMuch = (): DomainError =>
  new DomainError(
    'payload_too_large',
    `The contents made from templates are longer than ${MAX_RENDERED} characters together. Send fewer messages at once.`,
    {
      limit_bytes: MAX_RENDERED,
    },
  );

interface TemplateRecipient {
  /** The key of its address; empty on a channel that reaches contacts. */
  readonly key: string;
  /** The keys of the other spellings of a number. */
  readonly spellings: readonly string[];
  /** By which the contact is found: its id, or the key of its address. Empty where neither the template nor its language depends on it. */
  readonly name: string;
  readonly kind: 'email' | 'phone' | 'contact';
}

const readsContact = ({ compiled: { variables }, compiler }: Extract<PreparedTemplate, { compiled: unknown }>): boolean =>
  compiler.languages.length > 0 || variables.some((name) => name === 'contact' || name.startsWith('contact.'));

/** Undefined where the request has no template, or no address that one could write to: then it is refused anyway. */
function recipientOf(
  { to, template_id, contact_id }: TemplatedRequest,
  prepared: ReadonlyMap<string, PreparedTemplate>,
  contact: string | null,
  context: Context,
): TemplateRecipient | undefined {
  const template = template_id === undefined ? undefined : prepared.get(template_id);
  if (!template || 'problem' in template || to === undefined) return undefined;
  const kind = channels[template.channel].address;
  const reads = readsContact(template);
  if (kind === 'contact') return { key: '', spellings: [], kind, name: reads ? (contact_id ?? contact ?? '') : '' };
  const read = kind === 'email' ? readMailbox('to', to) : parseAddress('phone', to);
  const address = typeof read === 'string' ? read : isMailbox(read as never) ? (read as { readonly address: string }).address : undefined;
  if (address === undefined) return undefined;
  const [key, ...spellings] = keysOfAddress(context.addresses, context.cause.account, address);
  return { key, spellings, kind, name: reads ? (contact_id ?? key) : '' };
}

/** The contacts of the recipients, by their names. */
async function contactsOf(recipients: readonly (TemplateRecipient | undefined)[], context: Context): Promise<ReadonlyMap<string, ContactValues>> {
  const lookup = context.ports.lookups.contactKeys;
  const byName = new Map(recipients.flatMap((recipient) => (recipient && recipient.name !== '' ? [[recipient.name, recipient] as const] : [])));
  const wanted = [...byName].filter(([name, { key, spellings }]) => name !== key || [key, ...spellings].some((one) => lookup.mightContain(one)));
  const found = await mapConcurrent(context, wanted, IN_FLIGHT, async ([name, { key, spellings, kind }]) => {
    const named = name === key ? await holderOf({ name: kind, key, spellings }, context) : await loadContact(context.log, name);
    if (!isOwn(named, context.cause.account)) return null;
    const root = await loadRoot(context.log, named);
    return root.state.status === 'active' ? contactValues(context, await unifyContact(context.log, root)) : null;
  });
  return new Map(wanted.flatMap(([name], i) => (found[i] ? [[name, found[i] as ContactValues] as const] : [])));
}

async function holderOf(named: IdentifyingKey, { log }: Context): Promise<LoadedContact | null> {
  const [claim] = await loadClaims({ log }, [named]);
  return claim?.holder ?? null;
}
