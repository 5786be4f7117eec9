/** Definitions of journeys in requests: what is wrong with them, and the form in which they are stored. */

import { completeJourneyDefinition, type JourneyDefinition, type JourneyDefinitionInput } from '../../domain/journeys/definition.js';
import { withNodeRules } from '../../domain/journeys/definition-rules.js';
import type { NodeReceivers } from '../../domain/journeys/nodes/receiver.js';
import { MAX_NODES } from '../../domain/journeys/nodes.js';
import type { JourneyCatalog } from '../../domain/journeys/part-problems.js';
import { journeyDefinitionProblems, type UncheckedDefinition } from '../../domain/journeys/validate.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { inexactNumbers } from '../../domain/kernel/exact-numbers.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { isObject, type RuleProblem, step } from '../../domain/segments/shape.js';
import { normalized } from '../../domain/segments/validate.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { contentInLanguage } from '../../domain/templates/translations.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { isOwn } from '../../log/aggregates/load-aggregate.js';
import { type RoutesOfAccount, routesOfAccount } from '../../log/aggregates/load-settings.js';
import { findTemplate } from '../../log/aggregates/templates/load-template.js';
import { internationalProblems } from '../messages/email-fields.js';
import { messageProblems } from '../messages/message-problems.js';
import { routeProblems } from '../messages/route-problems.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { valueText } from '../segments/field-values.js';
import { loadCatalog, readsOf, ruleFieldProblem, withRuleInstants } from '../segments/rule-input.js';
import { languagesOfContent } from '../templates/compile-languages.js';
import { compileTemplate } from '../templates/compile-template.js';
import { checkSenders } from '../templates/sender-names.js';

/** The form in which a definition is stored. */
export interface CompleteDefinition {
  readonly definition: JourneyDefinition;
  readonly receivers: NodeReceivers;
}

/** No definition of 200 nodes names more. */
const SEARCH = { maxNames: 2_000, fields: ['rules', 'rule', 'nodes', 'on', 'filter', 'branches', 'for', 'settings', 'exit_when', 'goal'] };
const TEMPLATES_IN_FLIGHT = 32;

/** The definition, complete. Throws `validation_error` with every problem. */
export async function requireDefinition(given: JourneyDefinitionInput, context: Context): Promise<CompleteDefinition> {
  const { problems, written, catalog } = await checkedDefinition(given, context);
  if (problems.length > 0) throw invalid(problems);
  const { definition, receivers } = completeJourneyDefinition(written);
  const nodes = definition.nodes.map((node) => withNodeRules(node, (rule) => normalized(rule, catalog.fields, valueText)));
  return { definition: { ...definition, nodes }, receivers };
}

/** Every problem of what a request has of a definition, but those of its name; each with its path and its JSON pointer. */
export const problemsOfDefinition = async (given: UncheckedDefinition, context: Context): Promise<readonly FieldProblem[]> =>
  (await checkedDefinition(given, context)).problems;

interface CheckedDefinition<D> {
  readonly problems: readonly FieldProblem[];
  /** With the instants of its rules. */
  readonly written: D;
  readonly catalog: JourneyCatalog;
}

async function checkedDefinition<D extends UncheckedDefinition>(definition: D, context: Context): Promise<CheckedDefinition<D>> {
  const catalog = await catalogOf(definition, context);
  const given = await withRuleInstants(readsOf(context), definition, catalog.fields);
  const problems = journeyDefinitionProblems(given, catalog);
  const nodes: readonly unknown[] = Array.isArray(given.nodes) ? given.nodes : [];
  // Contents are looked at where a node is otherwise right; problems of the others are in the answer already.
  const isWrong = (i: number): boolean => problems.some(({ pointer }) => pointer === `/nodes${step(i)}` || pointer.startsWith(`/nodes${step(i)}/`));
  const ofContents = await mapConcurrent(context, [...nodes.slice(0, MAX_NODES).entries()], TEMPLATES_IN_FLIGHT, async ([i, node]) => {
    if (!isObject(node) || isWrong(i)) return [];
    const found = await contentProblems(node, context);
    return found.map(({ path, code, message }) => ({ pointer: `/nodes${step(i)}${path}`, code, message }));
  });
  return { problems: [...problems, ...ofContents.flat()].map((problem) => ruleFieldProblem(problem, given)), written: given, catalog };
}

async function catalogOf(given: UncheckedDefinition, context: Context): Promise<JourneyCatalog> {
  const { log, cause } = context;
  const nodes = Array.isArray(given.nodes) ? given.nodes.slice(0, MAX_NODES) : [];
  const named = nodes.flatMap((node) => (isObject(node) && typeof node.template_id === 'string' ? [node.template_id.slice(0, 100)] : []));
  const templates = await mapConcurrent(context, [...new Set(named)], TEMPLATES_IN_FLIGHT, async (id) => {
    const template = id === '' ? null : await findTemplate(log, cause.account, id);
    return template ? [[id, template.channel] as const] : [];
  });
  const forms = await mapConcurrent(context, formsIn(given), TEMPLATES_IN_FLIGHT, async (id) => {
    return isOwn(await findForm(log, id), cause.account) ? [id] : [];
  });
  return {
    ...(await loadCatalog(readsOf(context), given, SEARCH)),
    forms: new Set(forms.flat()),
    templates: new Map<string, ChannelName>(templates.flat()),
    isTimeZone: (name) => utcOffsetsOf(name) !== null,
  };
}

/** The ids of forms that triggers, waits, exits and the goal name. */
function formsIn({ nodes, settings }: UncheckedDefinition): string[] {
  const parts = (Array.isArray(nodes) ? nodes.slice(0, MAX_NODES) : []).flatMap((node): unknown[] => {
    if (!isObject(node)) return [];
    return [node.on, ...(Array.isArray(node.for) ? node.for.map((part) => (isObject(part) ? part.on : null)) : [])];
  });
  const { exit_when, goal } = isObject(settings) ? settings : { exit_when: [], goal: null };
  const named = [...parts, ...(Array.isArray(exit_when) ? exit_when : []), goal];
  const ids = named.flatMap((part) =>
    isObject(part) && typeof part.form_id === 'string' && part.form_id !== '' ? [part.form_id.slice(0, 100)] : [],
  );
  return [...new Set(ids)].slice(0, SEARCH.maxNames);
}

interface ContentProblem extends Pick<RuleProblem, 'code' | 'message'> {
  /** A JSON pointer from the node. */
  readonly path: string;
}

type SentContent = { readonly channel?: string; readonly from?: string; readonly reply_to?: string } & TemplateContent;

/** Problems of a node that is otherwise right: texts that are no templates or too long, and a URL that must not be posted to. */
async function contentProblems(node: Readonly<Record<string, unknown>>, context: Context): Promise<ContentProblem[]> {
  const inexact = inexactProblems(node);
  if (inexact.length > 0) return inexact;
  const sent = node as SentContent & { readonly url?: string };
  if (node.kind === 'webhook') {
    const target = context.ports.messages.checkWebhookUrl(sent.url ?? '');
    return [...(target ? [{ ...target, path: '/url' }] : []), ...(await variableProblems(node.data, '/data', context))];
  }
  if (node.kind === 'update_contact') return await variableProblems(node.set, '/set', context);
  if (node.kind !== 'send') return [];
  if (node.template_id !== undefined)
    return ofSenders(checkSenders(omitUndefined({ from: sent.from, reply_to: sent.reply_to }), context.ports.templates.compile));
  const found: ContentProblem[] = [];
  const routes = routesOfAccount(context.log, context.cause.account);
  for (const language of languagesOfContent(sent)) {
    const at = language === null ? '' : `/translations${step(language)}`;
    found.push(...(await messageContentProblems(contentInLanguage(sent, language), context, routes)).map((one) => ({ ...one, path: at + one.path })));
  }
  return found;
}

const ofSenders = ({ problems }: Pick<ReturnType<typeof checkSenders>, 'problems'>): ContentProblem[] =>
  problems.map(({ field, code, message }) => ({ path: step(field), code, message }));

async function messageContentProblems(
  { channel, subject, preheader, html, message, title, action_url, whatsapp_template, from, reply_to }: Omit<SentContent, 'translations'>,
  context: Context,
  routes: RoutesOfAccount,
): Promise<ContentProblem[]> {
  const senders = checkSenders(omitUndefined({ from, reply_to }), context.ports.templates.compile);
  const content = omitUndefined({ subject, preheader, html, message, title, action_url, whatsapp_template });
  const { problems } = await compileTemplate(content, context);
  const sender = senders.plain.from ?? from;
  const ofRoute = await routeProblems({ channel, from: sender, whatsapp_template }, context, { routes });
  const ofMessage = messageProblems(omitUndefined({ channel, ...content, from, ...senders.plain }), context);
  const ofAddresses = await internationalProblems(omitUndefined({ channel, from, reply_to, ...senders.plain }), context);
  const found = [...ofMessage, ...ofRoute, ...ofAddresses, ...senders.problems, ...problems];
  return found.filter(({ field }) => field !== 'channel').map(({ field, code, message: text }) => ({ path: pointerOf(field), code, message: text }));
}

/** The JSON pointer of a path such as `whatsapp_template.variables[1]`. */
const pointerOf = (path: string): string =>
  path
    .split(/[.[\]]+/)
    .filter((name) => name !== '')
    .map(step)
    .join('');

/** What a node sends or stores, where a number would become another one. */
const inexactProblems = (node: Readonly<Record<string, unknown>>): ContentProblem[] =>
  (['data', 'set'] as const).flatMap((field) => inexactNumbers(node[field], '').map(({ code, message }) => ({ path: `/${field}`, code, message })));

/** Problems of the texts of an object that have variables. */
async function variableProblems(values: unknown, path: string, context: Context): Promise<ContentProblem[]> {
  if (typeof values === 'string' && values.includes('{')) {
    const { problems } = await compileTemplate({ message: values }, context);
    return problems.map(({ code, message }) => ({ path, code, message }));
  }
  if (typeof values !== 'object' || values === null) return [];
  const found: ContentProblem[] = [];
  for (const [name, value] of Object.entries(values)) found.push(...(await variableProblems(value, path + step(name), context)));
  return found;
}
