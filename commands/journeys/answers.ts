/** What the interpreter asks, answered from the log and the read models, and done by commands. */
import { bestTime } from '../../domain/campaigns/best-time.js';
import { addressKeysOf } from '../../domain/contacts/facts.js';
import type { DelayTimes } from '../../domain/journeys/delay-times.js';
import type { ActiveEnrollment } from '../../domain/journeys/enrollment.js';
import type { Answers, Ask } from '../../domain/journeys/interpreter.js';
import type { SendNode } from '../../domain/journeys/nodes/send.js';
import type { JourneyNode } from '../../domain/journeys/nodes.js';
import { PROPERTY_PREFIX } from '../../domain/journeys/triggers.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { readTime } from '../../domain/kernel/written-times.js';
import { fullFieldName } from '../../domain/segments/fields.js';
import { propertyOf } from '../../domain/segments/meaning.js';
import { utcOffsetsOf, zoneClocks } from '../../formats/messages/utc-offsets.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';
import type { Context } from '../runtime/command.js';
import { doAction } from './actions.js';
import type { JourneyContext } from './journey-context.js';
import { happenedSince } from './past-signal.js';
import { sendNodeMessage } from './send-node.js';

export interface InterpreterContext extends JourneyContext {
  readonly enrollment: ActiveEnrollment;
  readonly contact: FoundContact;
}

/** Answers one question of the interpreter. Sending and acting can be repeated: each visit of a node does it once. */
export async function answerAsk(ask: Ask, about: InterpreterContext, context: Context): Promise<Answers[Ask['ask']]> {
  const { enrollment, contact } = about;
  switch (ask.ask) {
    case 'rules':
      return context.ports.journeys.facts.holds(context.cause.account, contact.root.id, ask.rules);
    case 'times':
      return delayTimesOf(ask.node, about, context);
    case 'bucket':
      return sampleBucketOf(ask.of === 'contact' ? contact.root.id : enrollment.id, ask.name);
    case 'send':
      return sendNodeMessage(ask.node, ask.visit, about, partOf(context, about, ask.node.id, ask.visit));
    case 'best_time':
      return bestTimeOf(ask.node, about, context, Date.parse(context.now));
    case 'act':
      return doAction(ask.node, ask.visit, ask.attempt, about, partOf(context, about, ask.node.id, ask.visit));
    case 'happened':
      return happenedSince(ask.node, about, context);
    default:
      return ask satisfies never;
  }
}

/** Each visit of a node is a part of its own. */
const partOf = (context: Context, { enrollment }: InterpreterContext, node: string, visit: number): Context =>
  context.contextOfPart(`journeys/${enrollment.id}/${node}/${visit}`);

/** The clocks of a contact: of its time zone, or else of the journey or the account. */
export async function journeyClocksOf(
  { contact, version }: Pick<InterpreterContext, 'contact' | 'version'>,
  { ports, cause }: Pick<Context, 'ports' | 'cause'>,
) {
  const named = contact.unified.facts.values.timezone?.value;
  const own = typeof named === 'string' ? utcOffsetsOf(named) : null;
  if (own) return own;
  const fallback = version.definition.settings.timezone_fallback ?? (await ports.messages.marketingRules(cause.account))?.timezone ?? 'UTC';
  return utcOffsetsOf(fallback) ?? (() => 0);
}

/** When the best hour of the contact begins, from `now` (milliseconds since 1970) on. */
export async function bestTimeOf(
  { id, channel, category }: SendNode,
  about: Pick<InterpreterContext, 'contact' | 'version'> & { readonly enrollment: Pick<ActiveEnrollment, 'id'> },
  context: Pick<Context, 'ports' | 'cause'>,
  now: number,
): Promise<string> {
  const { account } = context.cause;
  const [offsetAt, rules] = await Promise.all([journeyClocksOf(about, context), context.ports.messages.marketingRules(account)]);
  const { members } = about.contact.unified;
  const addressKeys = [...new Set(addressKeysOf(members).map(({ key }) => key))];
  const hoursOf = await context.ports.scores.hoursToSend(account, channel);
  const hours = await hoursOf({ members: members.map((one) => one.id), addressKeys, offsetAt, now });
  const quiet = category === 'marketing' && rules?.quiet_hours.enabled ? rules.quiet_hours : null;
  return new Date(bestTime(now, offsetAt, { hours, bucket: sampleBucketOf(about.enrollment.id, id), quiet })).toISOString();
}

/** The clocks of a contact, and the time that the field of a delay names: one without a zone is of the account's. */
export async function delayTimesOf(
  node: JourneyNode,
  about: Pick<InterpreterContext, 'enrollment' | 'contact' | 'version'>,
  context: Pick<Context, 'ports' | 'cause'>,
): Promise<DelayTimes> {
  const offsetAt = await journeyClocksOf(about, context);
  if (node.kind !== 'delay' || node.mode !== 'until' || node.field === undefined) return { offsetAt, value: null };
  const { timezone } = (await context.ports.messages.marketingRules(context.cause.account)) ?? {};
  return { offsetAt, value: readTime(namedValue(node.field, about), zoneClocks(timezone)) };
}

/** Of a field of the contact, or of a property of the trigger's event. */
function namedValue(field: string, { enrollment, contact }: Pick<InterpreterContext, 'enrollment' | 'contact'>): unknown {
  if (field.startsWith(PROPERTY_PREFIX)) return propertyOf(enrollment.properties, field.slice(PROPERTY_PREFIX.length));
  const name = fullFieldName(field);
  return name === 'created_at' ? contact.unified.root.created_at : ownField(contact.unified.facts.values, name)?.value;
}
