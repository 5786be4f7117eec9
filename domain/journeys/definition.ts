/** The definition of a journey: a graph of nodes, and settings. */
import { omitUndefined, ownField, setOwnField } from '../kernel/own-fields.js';
import {
  annotate,
  boundedText,
  integer,
  lineOf,
  list,
  named,
  nullable,
  oneOf,
  optional,
  partial,
  rawSchema,
  record,
  type Static,
  unionOf,
} from '../kernel/schema.js';
import { canonicalText } from '../segments/canonical.js';
import type { Arithmetic } from '../templates/arithmetic.js';
import { NODE_ID } from './nodes/fields.js';
import type { NodeReceivers, Receiver } from './nodes/receiver.js';
import { descriptorOf, type GivenNode, type JourneyNode } from './nodes.js';
import { journeyDuration, type Occurrence, occurrenceSchemas, propertyPath } from './triggers.js';

/** Bytes of the JSON of a whole definition: it is one event, which stays below 512 kB. */
export const MAX_JOURNEY_BYTES = 380_000;

const { message: _, ...atAnyTime } = occurrenceSchemas;
export const exitSchemas = atAnyTime;
const occurrence = rawSchema<Exclude<Occurrence, { type: 'message' }>>(unionOf(...Object.values(exitSchemas)));

export const reentryModes = ['once', 'after_exit', 'cooldown', 'always'] as const;
export const reentrySchema = named(
  'JourneyReentry',
  record({
    mode: annotate(named('JourneyReentryMode', oneOf(...reentryModes)), {
      description:
        '`once`: never again. `after_exit`: when the contact has left. `cooldown`: when that time is over since the last start, and the contact has left. `always`: also while it is in.',
    }),
    cooldown: optional(
      annotate(journeyDuration, { description: 'Time since the last start. Required by `cooldown`, possible with the others but `once`.' }),
    ),
    key: optional(annotate(propertyPath, { description: 'Each value of this property has enrollments of its own: `properties.cart_id`.' })),
    max_concurrent: optional(
      annotate(integer({ minimum: 1, maximum: 10 }), { default: 10, description: 'Of `always`: enrollments of a contact at a time.' }),
    ),
  }),
);

export const journeySettingsSchema = named(
  'JourneySettings',
  partial(
    record({
      reentry: annotate(reentrySchema, { description: 'Default: once.' }),
      exit_when: annotate(list(occurrence, { maxItems: 20 }), { description: 'A contact leaves the moment one of these happens.' }),
      goal: annotate(nullable(occurrence), { description: 'A contact that reaches it leaves, and is counted.' }),
      quiet_hours: annotate(named('JourneyQuietHours', oneOf('account', 'ignore')), {
        ...{ default: 'account', description: '`ignore`: its marketing messages do not wait for the end of quiet hours.' },
      }),
      frequency_cap: annotate(named('JourneyFrequencyCap', oneOf('respect', 'ignore')), {
        ...{ default: 'respect', description: '`ignore`: no cap refuses its messages. They count in the caps all the same.' },
      }),
      timezone_fallback: annotate(nullable(boundedText({ minLength: 1, maxLength: 64 })), {
        description: 'IANA name, for contacts without a time zone. Default: the zone of the account.',
      }),
      max_duration: annotate(nullable(journeyDuration), { description: 'Who is in the journey for so long leaves.' }),
    }),
  ),
);
export type SettingsInput = Static<typeof journeySettingsSchema>;

/** As a request has it. `validate.ts` checks the nodes and the settings. */
export const journeyDefinitionFields = {
  name: boundedText(lineOf(200)),
  start: optional(annotate(boundedText(NODE_ID), { description: 'The id of the trigger. It can be left out.' })),
  nodes: list(rawSchema<GivenNode>({})),
  settings: optional(rawSchema<SettingsInput>({ type: 'object' })),
};
export const journeyDefinitionSchema = record(journeyDefinitionFields);
export type JourneyDefinitionInput = Static<typeof journeyDefinitionSchema>;
/** What a change may have: each field that is given replaces the whole field. */
export const changeSchema = partial(journeyDefinitionSchema);
export type DefinitionChange = Static<typeof changeSchema>;

/** What ends an enrollment whatever node it is at. */
export type ExitCondition = Exclude<Occurrence, { type: 'message' }>;

/** With every default. */
export interface JourneySettings {
  readonly reentry: {
    readonly mode: (typeof reentryModes)[number];
    readonly cooldown: string | null;
    readonly key: string | null;
    readonly max_concurrent: number;
  };
  readonly exit_when: readonly ExitCondition[];
  readonly goal: ExitCondition | null;
  readonly quiet_hours: 'account' | 'ignore';
  readonly frequency_cap: 'respect' | 'ignore';
  /** Null: the zone of the account. */
  readonly timezone_fallback: string | null;
  readonly max_duration: string | null;
}

/** A definition as it is stored: valid and complete. What webhook nodes post to is apart, encrypted. */
export interface JourneyDefinition {
  readonly name: string;
  /** The id of the trigger. */
  readonly start: string;
  readonly nodes: readonly JourneyNode[];
  readonly settings: JourneySettings;
  /** How its texts calculate. Definitions without it are from before there were decimals. */
  readonly arithmetic?: Arithmetic;
}
/** A definition in an event. It was checked before it was recorded. */
export const storedJourneyDefinition = rawSchema<JourneyDefinition>({ type: 'object' });

/** Fills in what a valid request leaves out, and takes what is encrypted out of the nodes. */
export function completeJourneyDefinition(given: JourneyDefinitionInput): {
  readonly definition: JourneyDefinition;
  readonly receivers: NodeReceivers;
} {
  const receivers: Record<string, Receiver> = {};
  const nodes = given.nodes.map((node): JourneyNode => {
    const { complete, receiver } = descriptorOf(node);
    if (receiver) setOwnField(receivers, node.id, receiver.of(node));
    return complete(node);
  });
  const start = given.start ?? nodes.find(({ kind }) => kind === 'trigger')?.id ?? '';
  const settings = completeSettings(given.settings ?? {});
  return { definition: { name: given.name, start, nodes, settings, arithmetic: 'decimals' }, receivers };
}

/** A definition after a change: nodes that are as they were calculate as they did. */
export const withKeptArithmetic = ({ arithmetic, ...after }: JourneyDefinition, before: JourneyDefinition): JourneyDefinition => {
  const isKept = canonicalText(after.nodes) === canonicalText(before.nodes);
  return { ...after, ...omitUndefined({ arithmetic: isKept ? before.arithmetic : arithmetic }) };
};

export const MAX_CONCURRENT = 10;

function completeSettings({ reentry, ...given }: SettingsInput): JourneySettings {
  const { mode = 'once', cooldown = null, key = null, max_concurrent = mode === 'always' ? MAX_CONCURRENT : 1 } = reentry ?? {};
  return {
    reentry: { mode, cooldown, key, max_concurrent },
    exit_when: given.exit_when ?? [],
    goal: given.goal ?? null,
    quiet_hours: given.quiet_hours ?? 'account',
    frequency_cap: given.frequency_cap ?? 'respect',
    timezone_fallback: given.timezone_fallback ?? null,
    max_duration: given.max_duration ?? null,
  };
}

/** A stored definition in the form in which requests have it. What is secret is left out: the headers of webhooks. */
export function shownDefinition({ name, start, nodes, settings }: JourneyDefinition, receivers: NodeReceivers): Required<JourneyDefinitionInput> {
  const { mode, cooldown, key, max_concurrent } = settings.reentry;
  const reentry = {
    ...{ mode, ...(cooldown !== null && { cooldown }), ...(key !== null && { key }) },
    ...(mode === 'always' && { max_concurrent }),
  };
  const shown = nodes.map((node): GivenNode => {
    const { receiver } = descriptorOf(node);
    return receiver ? receiver.shown(node, ownField(receivers, node.id)) : (node as GivenNode);
  });
  return { name, start, nodes: shown, settings: { ...settings, exit_when: [...settings.exit_when], reentry } };
}

/** A webhook node that is given again with its URL, but without headers, keeps those that it had. */
export function withKeptHeaders(receivers: NodeReceivers, before: NodeReceivers): NodeReceivers {
  const kept = ([id, receiver]: readonly [string, Receiver]): [string, Receiver] => {
    const last = ownField(before, id);
    return [id, receiver.headers === undefined && last?.url === receiver.url ? last : receiver];
  };
  return Object.fromEntries(Object.entries(receivers).map(kept));
}
