import { annotate, boundedText, list, named, optional, record, type Static, time } from '../../kernel/schema.js';
import { signedDuration } from '../../kernel/text-patterns.js';
import { durationText } from '../../segments/durations.js';
import { isObject, type RuleProblem, step } from '../../segments/shape.js';
import { ofDateField, ofDuration, ofOffset, oneOfTwo, type PartContext, problem } from '../part-problems.js';
import { daysText, fieldText, type JourneyNames, joined, offsetText, timeText } from '../texts.js';
import { journeyDuration, PROPERTY_PREFIX, timeOfDay } from '../triggers.js';
import type { NodeDescriptor, UncheckedNode } from './descriptor.js';
import { base, continueOrExit, days, mode, nextNode, type WithDefaults } from './fields.js';
import { onlyNext } from './ways.js';

const openWindow = named('JourneyOpenHours', record({ days: annotate(days, { description: '1 is Monday.' }), start: timeOfDay, end: timeOfDay }));
const untilDefaults = { if_past: 'continue' } as const;

const modes = {
  duration: named('JourneyDelay', record({ ...base('delay'), mode: mode('duration'), duration: journeyDuration, next: nextNode })),
  until: named(
    'JourneyDelayUntil',
    record({
      ...base('delay'),
      mode: mode('until'),
      at: optional(annotate(time, { description: 'Either this or `field`.' })),
      field: optional(
        annotate(boundedText({ minLength: 1, maxLength: 256 }), {
          description:
            'A field of the contact of type date or datetime, or a property of the trigger’s event: `properties.starts_at`. A property is a day, a time in ISO 8601 (of the account’s zone if it has none), or a number of Unix in seconds or milliseconds.',
        }),
      ),
      offset: optional(boundedText({ ...signedDuration, maxLength: 33 })),
      if_past: optional(
        annotate(continueOrExit, {
          default: untilDefaults.if_past,
          description: 'Where that time is over. A field without a value, or with one that is no time, ends the journey: `unreadable_time`.',
        }),
      ),
      next: nextNode,
    }),
  ),
  local_time: named(
    'JourneyDelayToLocalTime',
    record({ ...base('delay'), mode: mode('local_time'), time: timeOfDay, days_of_week: optional(days), next: nextNode }),
  ),
  business_hours: named(
    'JourneyDelayToBusinessHours',
    record({ ...base('delay'), mode: mode('business_hours'), windows: list(openWindow, { minItems: 1, maxItems: 14 }), next: nextNode }),
  ),
} as const;
type DelayInput = Static<(typeof modes)[keyof typeof modes]>;
export type DelayNode =
  | Static<(typeof modes)['duration' | 'local_time' | 'business_hours']>
  | WithDefaults<Static<(typeof modes)['until']>, typeof untilDefaults>;

/** Lets time pass. */
export const delayDescriptor: NodeDescriptor<'delay', DelayInput, DelayNode> = {
  kind: 'delay',
  title: 'Delay',
  group: 'time',
  form: { modes },
  apart: [],
  ways: onlyNext,
  complete: (given) => (given.mode === 'until' ? { ...untilDefaults, ...given } : given),
  describe,
  problems,
  references: (node) =>
    node.mode === 'until' && node.field !== undefined && !node.field.startsWith(PROPERTY_PREFIX) ? { fields: [node.field] } : {},
};

function describe(node: DelayNode, names: JourneyNames): string {
  switch (node.mode) {
    case 'duration':
      return `Wait ${durationText(node.duration)}`;
    case 'until': {
      const past = node.if_past === 'exit' ? '; leave if that is over' : '';
      return `Wait until ${offsetText(node.offset)}${node.at === undefined ? fieldText(node.field ?? '', names) : timeText(node.at)}${past}`;
    }
    case 'local_time':
      return `Wait until ${node.time} local time${node.days_of_week ? ` on ${daysText(node.days_of_week)}` : ''}`;
    case 'business_hours': {
      const windows = node.windows.map(({ days, start, end }) => `${start} to ${end} on ${daysText(days)}`);
      return `Wait until it is ${joined(windows, 'or')}, local time`;
    }
    default:
      return node satisfies never;
  }
}

function problems(node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] {
  if (node.mode === 'duration') return ofDuration(node.duration, `${pointer}/duration`);
  if (node.mode === 'until')
    return [
      ...oneOfTwo(node, ['at', 'field'], pointer),
      ...ofDateField(node.field, `${pointer}/field`, catalog, true),
      ...ofOffset(node.offset, `${pointer}/offset`),
    ];
  const windows = Array.isArray(node.windows) ? node.windows : [];
  return windows.flatMap((window, i) =>
    isObject(window) && typeof window.start === 'string' && typeof window.end === 'string' && window.start >= window.end
      ? [problem(`${pointer}/windows${step(i)}/end`, 'invalid_range', 'The hours end after their start, on the same day.')]
      : [],
  );
}
