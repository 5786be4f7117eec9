import Type from 'typebox';
import { ruleInput } from '../../commands/segments/rule-input.js';
import { contactResource } from '../../domain/contacts/resource.js';
import {
  annotate,
  anyRecord,
  documentedAs,
  lineOf,
  named,
  nullable,
  oneOf,
  optional,
  record,
  referenceTo,
  text,
  time,
} from '../../domain/kernel/schema.js';
import { flipCauses } from '../../domain/segments/live/membership.js';
import { ruleSchema } from '../../domain/segments/rule.js';
import type { ExplainedRule } from '../../projections/segments/explain.js';

const segmentName = Type.String({ ...lineOf(200), description: 'Name of the segment.' });
export const ruleNote =
  'At most 8 deep, 100 leaves, 32 kB. Windows are exact: `last` is the time from now minus the duration, exclusive, to now. Durations are ISO 8601 in weeks, days, hours, minutes and seconds. Texts compare without case unless `case_sensitive` is true; values of addresses and languages are read as those of contacts are; texts that are numbers compare as numbers where the rule has a number; an empty text or list is not set. With dates, days are those of the clocks of the contact, or else of the account; a time without a zone is of the account, and today counts as next. In windows a day has 24 hours.';

const rulesOf = () => annotate(documentedAs(anyRecord, ruleSchema), { description: 'Who is in the segment.' });

export const createSegmentRequest = record({ name: segmentName, rules: ruleInput() });
export const updateSegmentRequest = record({ name: optional(segmentName), rules: optional(ruleInput()) });
export const previewRequest = record({ rules: ruleInput() });

const count = Type.Integer({ minimum: 0 });

const segmentStatus = named('SegmentStatus', oneOf('building', 'live'));

const segmentProgress = named(
  'SegmentProgress',
  record({
    step: annotate(named('SegmentProgressStep', oneOf('waiting', 'reading', 'deciding')), {
      description: '`waiting` for another build, `reading` what happened before, or `deciding` all contacts.',
    }),
    read: Type.Number({ minimum: 0, maximum: 1, description: 'The part of what happened before that is read.' }),
  }),
);

export const segmentResource = named(
  'Segment',
  record({
    id: text,
    name: text,
    description: Type.String({ description: 'The rules as an English sentence: contacts who …' }),
    rules: rulesOf(),
    version: count,
    rules_version: Type.Integer({ minimum: 1, description: 'Counts the rules that the segment has had. A change of the name alone does not count.' }),
    status: annotate(segmentStatus, {
      description: '`building` until every contact is decided by these rules. Until then those before are in force.',
    }),
    progress: nullable(segmentProgress),
    count: Type.Integer({ minimum: 0, description: 'Contacts that are in the segment: while new rules are being built, by those before.' }),
    created_at: time,
    updated_at: time,
  }),
);

export const previewResult = named(
  'SegmentPreview',
  record({
    count: Type.Integer({ minimum: 0, description: 'How many contacts the rules hold for; where `exact` is false, among those examined.' }),
    exact: Type.Boolean({ description: 'False if there was no time to examine all contacts. They are examined from the newest on.' }),
    examined: Type.Integer({ minimum: 0, description: 'Contacts that were examined. Those that an index excludes are not among them.' }),
    description: Type.String({ description: 'The rules as an English sentence: contacts who …' }),
    warnings: Type.Array(text, {
      description:
        'Events, properties, fields and values of lists that the rules name and that were never recorded, with the nearest known names; and values that no contact can have, because they are no address, language tag or time zone.',
    }),
    sample: Type.Array(contactResource, { description: 'Up to ten of them, the newest first.' }),
  }),
);

const explainedEvent = named('SegmentEvent', record({ id: text, type: text, occurred_at: time }));
const leafFields = {
  rule: optional(annotate(documentedAs(anyRecord, ruleSchema), { description: 'The rule itself, of a leaf.' })),
  events: optional(Type.Array(explainedEvent, { description: 'Of a leaf: the latest events that made it so, at most 20.' })),
  event_count: optional(Type.Integer({ minimum: 0, description: 'Of a leaf: how many events made it so.' })),
};
const explainedRule = named(
  'ExplainedSegmentRule',
  record({
    type: text,
    result: Type.Boolean({ description: 'Whether it holds for the contact.' }),
    description: Type.String({ description: 'The rule in English.' }),
    ...leafFields,
    rules: optional(
      Type.Array(referenceTo<ExplainedRule>('ExplainedSegmentRule'), { description: 'The rules below; of another segment, its rule.' }),
    ),
  }),
);
export const segmentExplanationResource = named(
  'SegmentExplanation',
  record({
    segment_id: text,
    contact_id: text,
    as_of: nullable(time),
    version: nullable(Type.Integer({ minimum: 1, description: 'The `rules_version` in force; null if there was no such segment then.' })),
    is_member: Type.Boolean(),
    explanation: nullable(explainedRule),
  }),
);

export const segmentHistory = named(
  'SegmentHistory',
  record({
    segment_id: text,
    contact_id: text,
    data: Type.Array(
      named(
        'SegmentHistoryEntry',
        record({
          contact_id: text,
          change: named('SegmentChange', oneOf('entered', 'left')),
          cause: named('SegmentChangeCause', oneOf(...flipCauses)),
          at: time,
          version: Type.Integer({ minimum: 0, description: 'The `rules_version` in force.' }),
          event_id: nullable(Type.String({ description: 'The event that caused it; null where time did, or a change of rules.' })),
        }),
      ),
    ),
  }),
);
