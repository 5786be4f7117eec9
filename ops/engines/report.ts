import type { CopyResult } from './copy.js';
import { describeDifference } from './event-comparison.js';
import { type CopyLocations, formatLocation } from './locations.js';

/** The result of a copying as one JSON document. */
export const toDocument = (places: CopyLocations, { verified, events, keys, took }: CopyResult): unknown => ({
  verified,
  from: formatLocation(places.from),
  to: formatLocation(places.to),
  keys_from: formatLocation(places.keysFrom),
  keys_to: formatLocation(places.keysTo),
  events,
  keys,
  duration_ms: took,
});

/** The same for people. */
export function toLines(places: CopyLocations, { verified, events, keys, took }: CopyResult): string[] {
  return [
    `CopyResult ${events.copied} events to ${formatLocation(places.to)}${during(events.copied, took.copying)}; it had ${events.found}.`,
    keys === null
      ? `The keys stay where they are, at ${formatLocation(places.keysTo)}.`
      : `CopyResult ${keys.copied} keys to ${formatLocation(places.keysTo)}, destroyed ${keys.destroyed} whose subjects were erased.`,
    `Read the target${during(events.target.count, took.verifying)}.`,
    ...(verified ? verifiedLines(events, keys) : differences(events, keys)),
  ];
}

const during = (count: number, ms: number): string =>
  ` in ${(ms / 1_000).toFixed(1)} s${ms > 0 ? ` (${Math.round((count / ms) * 1_000)} a second)` : ''}`;

const verifiedLines = ({ target }: CopyResult['events'], keys: CopyResult['keys']): string[] => [
  `verified: ${target.count} events, SHA-256 ${target.sha256}`,
  ...(keys === null ? [] : [`verified: ${keys.target.count} keys, SHA-256 ${keys.target.sha256}`]),
];

function differences({ source, target, parting }: CopyResult['events'], keys: CopyResult['keys']): string[] {
  const compared = (what: string, a: CopyResult['events']['source'], b: CopyResult['events']['target']) =>
    a.count === b.count && a.sha256 === b.sha256
      ? []
      : [`DIFFERENT: the source has ${a.count} ${what} with SHA-256 ${a.sha256}, the target ${b.count} with ${b.sha256}.`];
  return [
    ...compared('events', source, target),
    ...(parting ? [`They part where ${describeDifference(parting)}.`] : []),
    ...(keys === null ? [] : compared('keys', keys.source, keys.target)),
  ];
}

/** What is still to be done by hand. `staleViews` is a folder of read models that were built from another log than the target. */
export const nextSteps = (staleViews: string | null): string[] => [
  'The target needs the same HELIOGRAPH_MASTER_KEY (or master.key) as the source: secrets are not copied.',
  'Read models are not copied either. Start the target with none, in a new folder or database: they are built from the log.',
  ...(staleViews === null ? [] : [`Delete ${staleViews} before: what is in it was built from another log, and is wrong for this one.`]),
  'If the source still runs, stop it and run this again: the rest is copied then, and who was erased since is erased in the target.',
];
