import Type from 'typebox';
import { changedDefinition } from '../../commands/journeys/change-journey.js';
import { problemsOfDefinition } from '../../commands/journeys/definition-input.js';
import { withRule } from '../../commands/runtime/rules.js';
import { readsOf } from '../../commands/segments/rule-input.js';
import { journeyDefinitionFields, journeySettingsSchema, shownDefinition } from '../../domain/journeys/definition.js';
import { describeNode } from '../../domain/journeys/describe.js';
import { inFlightSchema, type JourneyVersion, journeyStatusSchema, type KnownJourney, latestOf } from '../../domain/journeys/journey.js';
import { MAX_NODES, nodeSchema } from '../../domain/journeys/nodes.js';
import type { JourneyNames } from '../../domain/journeys/texts.js';
import type { UncheckedDefinition } from '../../domain/journeys/validate.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { annotate, anyRecord, documentedAs, list, mapOf, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';

const count = Type.Integer({ minimum: 0 });
const version = Type.Integer({ minimum: 1, description: 'Counts the definitions that were published, the first draft being 1.' });

const nodeList = () =>
  annotate(documentedAs(list(Type.Unknown()), list(nodeSchema, { maxItems: MAX_NODES })), {
    description: 'The nodes, in any order. Exactly one is the trigger; `next: null` ends the journey. There are no circles.',
  });
const settings = () => optional(documentedAs(anyRecord, journeySettingsSchema));

const fields = { name: annotate(journeyDefinitionFields.name, { description: 'Name of the journey.' }), start: journeyDefinitionFields.start };

/** Every problem has its path, and in `pointer` its place as a JSON pointer. */
export const journeyCreateRequest = withRule(
  named('JourneyRequest', record({ ...fields, nodes: nodeList(), settings: settings() })),
  (given, { context }) => problemsOfDefinition(given as UncheckedDefinition, context),
);

/** A change is checked together with what it leaves as it is. */
export const journeyChangeRequest = withRule(
  named('JourneyChange', record({ name: optional(fields.name), start: fields.start, nodes: optional(nodeList()), settings: settings() })),
  async (given, { context, params }) => {
    const before = await knownJourney(params.id ?? '', readsOf(context));
    return before ? problemsOfDefinition(changedDefinition(latestOf(before), given as never), context) : [];
  },
);

/** Null where there is none: the command says so. */
async function knownJourney(id: string, { log, account }: ReturnType<typeof readsOf>): Promise<KnownJourney | null> {
  try {
    return await loadJourney(log, account, id);
  } catch (e) {
    if (isDomainError(e)) return null;
    throw e;
  }
}

const nodeTexts = annotate(mapOf(text), { description: 'What each node does, in an English sentence, by its id.' });
const shownFields = {
  start: annotate(text, { description: 'The id of the trigger.' }),
  nodes: annotate(list(documentedAs(anyRecord, nodeSchema)), {
    description: 'The nodes, with their defaults. Headers of webhooks are not shown.',
  }),
  settings: documentedAs(anyRecord, journeySettingsSchema),
  descriptions: nodeTexts,
};

const summaryFields = {
  id: text,
  name: text,
  status: annotate(journeyStatusSchema, {
    description:
      'Contacts enter a `live` journey only. In one that is `paused` they stay where they are; from one that is `stopped` or `archived` all have left.',
  }),
  draft_version: annotate(nullable(count), {
    description: 'The version that the draft becomes; null where nothing is changed since the last publication.',
  }),
  published_version: annotate(nullable(count), { description: 'The version that contacts enter with.' }),
  published_at: nullable(time),
  created_at: time,
  updated_at: time,
  version: annotate(count, { description: 'Number of changes of the journey, for `If-Match`.' }),
};
export const journeySummary = named(
  'JourneySummary',
  record({ ...summaryFields, trigger: annotate(text, { description: 'The type of the trigger.' }), node_count: count }),
);

const warnings = optional(
  annotate(list(text), {
    description:
      'When it is stored: variables of its contents that nobody has, with the nearest known name, and divisions whose result is another one than before.',
  }),
);
export const journeyResource = named('Journey', record({ ...summaryFields, ...shownFields, warnings }));

/** A journey as the API shows it: with its draft, or else what is published. */
export function journeyBody(journey: KnownJourney, names: JourneyNames) {
  const { id, status, draft, published, versions, created_at, updated_at, version: changes } = journey;
  return {
    ...{ id, status: status as Exclude<typeof status, 'deleted'> },
    ...{ draft_version: draft?.version ?? null, published_version: published?.version ?? null },
    ...{ published_at: versions.at(-1)?.published_at ?? null, created_at, updated_at, version: changes },
    ...shownVersion(latestOf(journey), names),
  };
}

/** The fields of a definition, with a sentence for each node. */
export function shownVersion({ definition, receivers }: JourneyVersion, names: JourneyNames) {
  const { name, start, nodes, settings: chosen } = shownDefinition(definition, receivers);
  const descriptions = Object.fromEntries(definition.nodes.map((node) => [node.id, describeNode(node, names)]));
  return { name, start, nodes: nodes as Record<string, unknown>[], settings: chosen as Record<string, unknown>, descriptions };
}

export const publishRequest = named(
  'PublishJourneyRequest',
  record({
    in_flight: optional(
      annotate(inFlightSchema, {
        default: 'pinned',
        description:
          'Who is in the journey stays with the version of the start, or goes on with the new one: at the node of the same id, or else at the nearest one after it that is left.',
      }),
    ),
  }),
);

const versionStatus = named('JourneyVersionStatus', oneOf('draft', 'published', 'superseded'));
const versionFields = { version, status: versionStatus, published_at: nullable(time), in_flight: nullable(inFlightSchema) };
export const versionSummary = named('JourneyVersionSummary', record(versionFields));
export const versionResource = named('JourneyVersion', record({ ...versionFields, name: text, ...shownFields }));

const nodeChange = record({ id: text, kind: text, description: annotate(text, { description: 'What the node does, in English.' }) });
const edge = record({
  from: text,
  key: annotate(text, { description: '`next`, `else`, `timeout`, `held`, or `branch:` and the id of the branch.' }),
  to: nullable(text),
});
export const differenceResource = named(
  'JourneyDifference',
  record({
    from: version,
    to: version,
    nodes: named(
      'JourneyNodeDifference',
      record({
        added: list(named('JourneyNodeChange', nodeChange)),
        removed: list(named('JourneyRemovedNode', nodeChange)),
        changed: list(
          named(
            'JourneyChangedNode',
            record({ id: text, kind: text, fields: annotate(list(text), { description: 'Fields that are different.' }), before: text, after: text }),
          ),
        ),
      }),
    ),
    edges: named(
      'JourneyEdgeDifference',
      record({
        added: list(named('JourneyEdge', edge)),
        removed: list(named('JourneyRemovedEdge', edge)),
        changed: list(named('JourneyChangedEdge', record({ from: text, key: text, before: nullable(text), after: nullable(text) }))),
      }),
    ),
    settings: annotate(list(text), { description: 'The name and the settings that are different.' }),
  }),
);
