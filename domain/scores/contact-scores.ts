/** What is on record of a contact's scores: changes that rules and bands depend on. The value of any moment follows from the log. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, nullable, numberOf, oneOf, record, text, time } from '../kernel/schema.js';
import { bands } from './scores.js';

/** A score has another band, has a value at last or none any more, or has passed a number that a rule asks for. */
export const ScoreChanged = eventType(
  'ScoreChanged',
  record({ contact_id: text, score: text, value: nullable(numberOf()), band: nullable(oneOf(...bands)), model_version: count, at: time }),
);
/** The scores of a contact were computed because of an event. `asked` is its position. */
export const ContactRescored = eventType('ContactRescored', record({ contact_id: text, asked: text, at: time }));

export const contactScoreEvents = [ScoreChanged, ContactRescored] as const;
export type ContactScoreEvent = EventOf<(typeof contactScoreEvents)[number]>;
export type ScoreChangedEvent = EventOf<typeof ScoreChanged>;

/** By name: the last change of each. */
export type RecordedScores = Readonly<Record<string, ScoreChangedEvent['data']>>;

export const contactScoresStream = (contactId: string): string => `score-${contactId}`;

export const recordedScores: Aggregate<RecordedScores, readonly ContactScoreEvent[], ContactScoreEvent> = {
  stream: contactScoresStream,
  events: contactScoreEvents,
  snapshots: { name: 'recordedScores', version: 1 },
  initial: {},
  evolve: (scores, { type, data }) => (type === 'ScoreChanged' ? { ...scores, [data.score]: data } : scores),
  /** What was computed is recorded behind whatever was recorded meanwhile. */
  decide: (events) => events,
};
