/** The nodes of a journey. These schemas are the only description of their fields; `validate.ts` adds what they cannot express. */

import { channelSchema } from '../kernel/channels.js';
import {
  annotate,
  anyRecord,
  boundedText,
  integer,
  lineOf,
  list,
  mapOf,
  named,
  nullable,
  numberOf,
  oneOf,
  optional,
  rawSchema,
  record,
  type Static,
  time,
  unionOf,
} from '../kernel/schema.js';
import { signedDuration, textPattern } from '../kernel/text-patterns.js';
import { category } from '../messages/accepted-fields.js';
import { type Rule, ruleSchema } from '../segments/rule.js';
import { journeyDuration, type Occurrence, occurrenceSchemas, propertyPath, type Trigger, timeOfDay, triggerSchemas } from './triggers.js';

export const MAX_NODES = 200;
/** Of one node. */
export const MAX_BRANCHES = 20;
export const NODE_ID = textPattern('^[A-Za-z0-9_-]{1,64}$', 'Use letters, digits, _ and -, 64 characters at most: for example first_mail.');

const nodeId = boundedText(NODE_ID);
const reference = boundedText({ minLength: 1, maxLength: 64 });
const target = annotate(nullable(nodeId), { description: 'The node that comes next; null ends the journey.' });
const kind = <K extends string>(name: K) => rawSchema<K>({ type: 'string', const: name });
const mode = kind;
const title = optional(annotate(boundedText(lineOf(100)), { description: 'What people call it, in graphs and explanations.' }));
const base = <K extends string>(name: K) => ({ id: nodeId, kind: kind(name), name: title });
const continueOrExit = named('JourneyContinuation', oneOf('continue', 'exit'));
const onFailure = optional(annotate(continueOrExit, { default: 'continue' }));
const branchId = optional(annotate(boundedText(NODE_ID), { description: 'Default: its number, from 1.' }));
const days = list(integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 });

const rule = rawSchema<Rule>(ruleSchema);
const trigger = rawSchema<Trigger>(unionOf(...Object.values(triggerSchemas)));
const occurrence = rawSchema<Occurrence>(unionOf(...Object.values(occurrenceSchemas)));

const openWindow = named('JourneyOpenHours', record({ days: annotate(days, { description: '1 is Monday.' }), start: timeOfDay, end: timeOfDay }));

/** Delays, by their `mode`. */
export const delaySchemas = {
  duration: named('JourneyDelay', record({ ...base('delay'), mode: mode('duration'), duration: journeyDuration, next: target })),
  until: named(
    'JourneyDelayUntil',
    record({
      ...base('delay'),
      mode: mode('until'),
      at: optional(annotate(time, { description: 'Either this or `field`.' })),
      field: optional(
        annotate(boundedText({ minLength: 1, maxLength: 256 }), {
          description: 'A field of the contact of type date or datetime, or a property of the trigger’s event: `properties.starts_at`.',
        }),
      ),
      offset: optional(boundedText({ ...signedDuration, maxLength: 33 })),
      if_past: optional(annotate(continueOrExit, { default: 'continue', description: 'Where that time is over, or the field has no value.' })),
      next: target,
    }),
  ),
  local_time: named(
    'JourneyDelayToLocalTime',
    record({ ...base('delay'), mode: mode('local_time'), time: timeOfDay, days_of_week: optional(days), next: target }),
  ),
  business_hours: named(
    'JourneyDelayToBusinessHours',
    record({ ...base('delay'), mode: mode('business_hours'), windows: list(openWindow, { minItems: 1, maxItems: 14 }), next: target }),
  ),
} as const;

/** Branches, by their `mode`. */
export const branchSchemas = {
  rule: named(
    'JourneyBranch',
    record({
      ...base('branch'),
      mode: mode('rule'),
      branches: list(named('JourneyRuleBranch', record({ id: branchId, name: title, rule, next: target }))),
      else: annotate(target, { description: 'Where no rule holds. The first one that holds decides.' }),
    }),
  ),
  random: named(
    'JourneyRandomBranch',
    record({
      ...base('branch'),
      mode: mode('random'),
      branches: list(
        named(
          'JourneyWeightedBranch',
          record({
            id: branchId,
            name: title,
            weight: annotate(numberOf({ minimum: 0, maximum: 100 }), { description: 'Percent, with at most two decimals. Their sum is 100.' }),
            next: target,
          }),
        ),
      ),
    }),
  ),
} as const;

const waitFor = named(
  'JourneyWaitFor',
  record({
    id: branchId,
    name: title,
    on: optional(annotate(occurrence, { description: 'What is waited for. Either this or `rule`.' })),
    rule: optional(annotate(rule, { description: 'The wait ends as soon as the rule holds.' })),
    next: target,
  }),
);

/** The nodes of one form, by their `kind`. */
export const journeyNodeSchemas = {
  trigger: named('JourneyTrigger', record({ ...base('trigger'), on: trigger, filter: optional(rule), next: target })),
  send: named(
    'JourneySend',
    record({
      ...base('send'),
      channel: channelSchema,
      template_id: optional(annotate(reference, { description: 'A template of the channel. Without it the text is in the node.' })),
      subject: optional(boundedText(lineOf(998))),
      html: optional(boundedText({ minLength: 1, maxLength: 200_000 })),
      message: optional(boundedText({ minLength: 1, maxLength: 100_000 })),
      title: optional(boundedText({ minLength: 1, maxLength: 200 })),
      action_url: optional(boundedText(lineOf(2_048))),
      from: optional(boundedText(lineOf(500))),
      reply_to: optional(boundedText(lineOf(500))),
      data: optional(annotate(anyRecord, { description: 'Variables of the template: `data.*`.' })),
      category: optional(annotate(category, { default: 'marketing' })),
      send_time: optional(
        annotate(named('JourneySendTime', oneOf('best_hour')), {
          description:
            'Waits for the best hour of the contact within a day: the local hour at which it engages most on the channel, or else that of the account, or else 17:00, outside quiet hours. One in ten is sent at another hour.',
        }),
      ),
      on_failure: onFailure,
      on_capped: optional(
        annotate(named('JourneyCapPolicy', oneOf('skip', 'wait')), { default: 'skip', description: 'What the frequency cap does to the message.' }),
      ),
      next: target,
    }),
  ),
  wait: named(
    'JourneyWait',
    record({
      ...base('wait'),
      for: list(waitFor),
      timeout: journeyDuration,
      on_timeout: target,
      count_from: optional(
        annotate(named('JourneyCountFrom', oneOf('entry', 'enrollment')), {
          default: 'entry',
          description: 'What happened since then counts: entry of this node or of the journey.',
        }),
      ),
    }),
  ),
  digest: named(
    'JourneyDigest',
    record({
      ...base('digest'),
      window: annotate(journeyDuration, { description: 'Further events of the trigger are collected for so long.' }),
      key: optional(annotate(propertyPath, { description: 'Only events with the same value of this property are collected together.' })),
      max_items: optional(annotate(integer({ minimum: 1, maximum: 100 }), { default: 100, description: 'The digest ends when it has so many.' })),
      next: target,
    }),
  ),
  exit: named('JourneyExit', record({ ...base('exit'), reason: optional(boundedText(lineOf(100))) })),
  update_contact: named(
    'JourneyUpdateContact',
    record({
      ...base('update_contact'),
      set: optional(
        annotate(mapOf(rawSchema<unknown>({})), {
          description: 'Values by field: `first_name`, `custom_fields.plan`, or `plan` for short; null removes.',
        }),
      ),
      add_tags: optional(list(boundedText(lineOf(100)), { maxItems: 50 })),
      remove_tags: optional(list(boundedText(lineOf(100)), { maxItems: 50 })),
      next: target,
    }),
  ),
  list: named(
    'JourneyListChange',
    record({ ...base('list'), action: named('JourneyListAction', oneOf('add', 'remove')), list_id: reference, next: target }),
  ),
  webhook: named(
    'JourneyWebhook',
    record({
      ...base('webhook'),
      url: boundedText({ minLength: 1, maxLength: 2_048 }),
      headers: optional(
        annotate(mapOf(boundedText({ maxLength: 2_000 })), { description: 'Sent with the request. They are stored encrypted and never shown.' }),
      ),
      data: optional(annotate(anyRecord, { description: 'Sent as `data` of the body.' })),
      on_failure: onFailure,
      next: target,
    }),
  ),
  holdout: named(
    'JourneyHoldout',
    record({
      ...base('holdout'),
      percent: annotate(numberOf({ minimum: 0, maximum: 100 }), { description: 'The share of contacts that is held out.' }),
      salt: optional(
        annotate(boundedText({ minLength: 1, maxLength: 128 }), {
          description: 'Nodes with the same salt hold out the same contacts. Default: each node chooses by itself.',
        }),
      ),
      else: optional(annotate(target, { default: null, description: 'Where contacts go that are held out; by default they leave.' })),
      next: target,
    }),
  ),
} as const;

type Schemas = { delay: typeof delaySchemas } & { branch: typeof branchSchemas } & typeof journeyNodeSchemas;
export type NodeKind = keyof Schemas;
export const nodeKinds = [
  ...(['trigger', 'delay', 'branch', 'send', 'wait', 'digest', 'exit', 'update_contact', 'list', 'webhook', 'holdout'] as const),
] as const satisfies readonly NodeKind[];

/** Every form of a node, for the documentation. `validate.ts` validates: its problems name the field that is wrong. */
export const nodeSchema = named(
  'JourneyNode',
  unionOf(...Object.values(delaySchemas), ...Object.values(branchSchemas), ...Object.values(journeyNodeSchemas)),
);

/** What requests may leave out, by kind. Stored nodes have it. */
export const nodeDefaults = {
  send: { category: 'marketing', on_failure: 'continue', on_capped: 'skip' },
  wait: { count_from: 'entry' },
  digest: { max_items: 100 },
  webhook: { on_failure: 'continue' },
  holdout: { else: null },
  until: { if_past: 'continue' },
} as const;

type WithDefaults<Given, D extends keyof typeof nodeDefaults> = Omit<Given, keyof (typeof nodeDefaults)[D]> & {
  [K in keyof (typeof nodeDefaults)[D] & keyof Given]-?: Exclude<Given[K], undefined>;
};
type NodeInput<K extends keyof typeof journeyNodeSchemas> = Static<(typeof journeyNodeSchemas)[K]>;
type WithId<B> = B & { readonly id: string };
type WithBranchIds<N extends { branches: unknown[] }> = Omit<N, 'branches'> & { branches: WithId<N['branches'][number]>[] };

export type TriggerNode = NodeInput<'trigger'>;
export type DelayNode =
  | Static<(typeof delaySchemas)['duration' | 'local_time' | 'business_hours']>
  | WithDefaults<Static<(typeof delaySchemas)['until']>, 'until'>;
export type RuleBranchNode = WithBranchIds<Static<(typeof branchSchemas)['rule']>>;
export type RandomBranchNode = WithBranchIds<Static<(typeof branchSchemas)['random']>>;
export type BranchNode = RuleBranchNode | RandomBranchNode;
export type SendNode = WithDefaults<NodeInput<'send'>, 'send'>;
export type WaitNode = Omit<WithDefaults<NodeInput<'wait'>, 'wait'>, 'for'> & { for: WithId<NodeInput<'wait'>['for'][number]>[] };
export type DigestNode = WithDefaults<NodeInput<'digest'>, 'digest'>;
export type ExitNode = NodeInput<'exit'>;
export type UpdateContactNode = NodeInput<'update_contact'>;
export type ListNode = NodeInput<'list'>;
/** Its URL and headers are stored apart, encrypted: see `Receiver`. */
export type WebhookNode = Omit<WithDefaults<NodeInput<'webhook'>, 'webhook'>, 'url' | 'headers'>;
export type HoldoutNode = WithDefaults<NodeInput<'holdout'>, 'holdout'>;

/** A node as it is stored, with its defaults. */
export type JourneyNode =
  | TriggerNode
  | DelayNode
  | BranchNode
  | SendNode
  | WaitNode
  | DigestNode
  | ExitNode
  | UpdateContactNode
  | ListNode
  | WebhookNode
  | HoldoutNode;
export type NodeOf<K extends NodeKind> = Extract<JourneyNode, { kind: K }>;
/** A valid node as a request has it. */
export type GivenNode =
  | Static<(typeof delaySchemas)[keyof typeof delaySchemas]>
  | Static<(typeof branchSchemas)[keyof typeof branchSchemas]>
  | { [K in keyof typeof journeyNodeSchemas]: NodeInput<K> }[keyof typeof journeyNodeSchemas];

/** To whom a webhook node posts. */
export const receiverSchema = record({ url: boundedText({}), headers: optional(mapOf(boundedText({}))) });
export type Receiver = Static<typeof receiverSchema>;
/** By the id of the node. */
export type NodeReceivers = Readonly<Record<string, Receiver>>;
