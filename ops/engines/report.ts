import type { CopyResult } from './copy.js';
import { describeDifference } from './event-comparison.js';
import { type CopyLocations, formatLocation } from './locations.js';

/** The result of a copy as a JSON document. */
export const toDocument = (locations: CopyLocations, { verified, events, keys, took }: CopyResult): unknown => ({
  verified,
  from: formatLocation(locations.from),
  to: formatLocation(locations.to),
  keys_from: formatLocation(locations.keysFrom),
  keys_to: formatLocation(locations.keysTo),
  events,
  keys,
  duration_ms: took,
});

/** The result of a copy as text. */
export function toLines(locations: CopyLocations, { verified, events, keys, took }: CopyResult): string[] {
  return [
    `Copied ${events.copied} events to ${formatLocation(locations.to)}${during(events.copied, took.copying)}; it had ${events.found}.`,
    keys === null
      ? `The keys stay at ${formatLocation(locations.keysTo)}.`
      : `Copied ${keys.copied} keys to ${formatLocation(locations.keysTo)}, destroyed ${keys.destroyed} whose subjects were erased.`,
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
    ...(parting ? [`The first difference: ${describeDifference(parting)}.`] : []),
    ...(keys === null ? [] : compared('keys', keys.source, keys.target)),
  ];
}

/** The operator's next steps. `staleViews` is a folder of read models that were built from another log. */
export const nextSteps = (staleViews: string | null): string[] => [
  'The target needs the same HELIOGRAPH_MASTER_KEY (or master.key) as the source: secrets are not copied.',
  'Read models are not copied. Start the target without any, in a new folder or database: they are built from the log.',
  ...(staleViews === null ? [] : [`Delete ${staleViews} before: its read models were built from another log.`]),
  'If the source still runs, stop it and run this again: it copies the rest and repeats later erasures in the target.',
];
