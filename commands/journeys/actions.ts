/** What nodes do besides sending: they change lists and contacts, and call webhooks. */
import { CUSTOM_FIELD_PREFIX } from '../../domain/contacts/facts.js';
import { type CustomEventEvent, customEventStream } from '../../domain/events/custom-event.js';
import type { ActiveEnrollment } from '../../domain/journeys/enrollment.js';
import { type ActionNode, type Answers, nodesOf } from '../../domain/journeys/interpreter.js';
import type { ListNode } from '../../domain/journeys/nodes/list.js';
import type { UpdateContactNode } from '../../domain/journeys/nodes/update-contact.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { setOwnField } from '../../domain/kernel/own-fields.js';
import { customKeyOf, fullFieldName } from '../../domain/segments/fields.js';
import { arithmeticOf } from '../../domain/templates/arithmetic.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { changeContact } from '../contacts/change-contact.js';
import { addToList } from '../lists/add-to-list.js';
import { leaveList } from '../lists/leave-list.js';
import type { Context } from '../runtime/command.js';
import { commonValues, contactValues } from '../templates/scope.js';
import { callReceiver } from './call-receiver.js';
import type { JourneyContext } from './journey-context.js';

export interface ActionContext extends JourneyContext {
  readonly enrollment: ActiveEnrollment;
  readonly contact: FoundContact;
}
type Outcome = Answers['act'];

/** Does what a node says. What cannot be done is an outcome, not an error: the journey goes on. Attempts count from 1. */
export async function doAction(node: ActionNode, visit: number, attempt: number, about: ActionContext, context: Context): Promise<Outcome> {
  if (node.kind === 'webhook') return callReceiver(node, visit, attempt, about, context);
  try {
    return node.kind === 'list' ? await changeList(node, about, context) : await updateContact(node, about, context);
  } catch (e) {
    if (!isDomainError(e)) throw e;
    return { outcome: e.code, failed: true };
  }
}

async function changeList({ action, list_id }: ListNode, { contact }: ActionContext, context: Context): Promise<Outcome> {
  const contact_id = contact.root.id;
  if (action === 'remove') {
    const { changed } = await leaveList.handle({ list_id, contact_id, by: 'account', source: 'journey' }, context);
    return { outcome: changed ? 'removed' : 'unchanged' };
  }
  const request = { list_id, contact_ids: [contact_id], emails: [], phones: [], by: 'account', source: 'journey', base_url: null } as const;
  const { added } = await addToList.handle({ ...request, contact_ids: [...request.contact_ids], emails: [], phones: [] }, context);
  return { outcome: added[0]?.changed ? (added[0].status === 'pending' ? 'pending' : 'added') : 'unchanged' };
}

async function updateContact(node: UpdateContactNode, about: ActionContext, context: Context): Promise<Outcome> {
  const { add_tags = [], remove_tags = [] } = node;
  const { contact } = about;
  const present = Object.entries(contact.unified.facts.tags).flatMap(([tag, { value }]) => (value ? [tag] : []));
  const tags = [...new Set([...present, ...add_tags])].filter((tag) => !remove_tags.includes(tag));
  const isTagged = add_tags.length + remove_tags.length > 0;
  const change = { ...(await valuesOf(node, about, context)), ...(isTagged && { tags }) };
  await changeContact.handle({ contact_id: contact.root.id, change, expected_version: null }, context);
  return { outcome: 'updated' };
}

/** The values of a node by field, texts rendered. */
async function valuesOf({ set = {} }: UpdateContactNode, about: ActionContext, context: Context): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const [field, given] of Object.entries(set)) {
    const value = typeof given === 'string' && given.includes('{{') ? await rendered(given, about, context) : given;
    const name = fullFieldName(field);
    const key = customKeyOf(name);
    if (key !== null) setOwnField(custom, name.slice(CUSTOM_FIELD_PREFIX.length), value);
    else setOwnField(values, name, value);
  }
  return { ...values, ...(Object.keys(custom).length > 0 && { custom_fields: custom }) };
}

async function rendered(text: string, about: ActionContext, context: Context): Promise<string> {
  const content = { message: text, arithmetic: arithmeticOf(about.version.definition) };
  const made = await context.ports.templates.render(context.cause.account, 'sms', content, await journeyVariables(about, context));
  return 'content' in made ? (made.content.message ?? '') : '';
}

/** What templates of a journey read. */
export async function journeyVariables(
  {
    enrollment,
    contact,
    journey,
    version,
    graph,
  }: JourneyContext & Pick<ActionContext, 'contact'> & { readonly enrollment: Pick<ActiveEnrollment, 'trigger' | 'properties' | 'collected'> },
  context: Context,
): Promise<Record<string, unknown>> {
  return {
    ...(await commonValues(context)),
    contact: await contactValues(context, contact.unified),
    event: { name: enrollment.trigger.name, properties: enrollment.properties },
    ...(nodesOf(graph, 'digest').length > 0 && { events: await digestEvents(enrollment, context) }),
    journey: { id: journey.id, name: version.definition.name },
  };
}

/** The events of a digest, the one that started the enrollment first. */
async function digestEvents({ trigger, properties, collected }: Pick<ActiveEnrollment, 'trigger' | 'properties' | 'collected'>, { log }: Context) {
  const later = collected.map(async ({ event_id }) => {
    const [stored] = (await log.read<CustomEventEvent>(customEventStream(event_id), { limit: 1 })) ?? [];
    return stored ? [{ name: stored.event.data.name, properties: stored.event.data.properties }] : [];
  });
  return [{ name: trigger.name, properties }, ...(await Promise.all(later)).flat()];
}
