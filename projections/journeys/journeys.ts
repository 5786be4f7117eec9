import type { JourneyDefinition } from '../../domain/journeys/definition.js';
import type { JourneyStatus, SealedJourneyEvent } from '../../domain/journeys/journey.js';
import { definitionReferencesOf } from '../../domain/journeys/references.js';
import type { Doc } from '../../domain/kernel/ports.js';
import { namedField, namedList } from '../../domain/segments/fields.js';
import type { Projection } from '../runtime/projection.js';

/** A journey as lists need it; the rest is in the log. */
export interface JourneyDoc extends Doc {
  readonly account: string;
  /** Of the draft, or else of the published version. */
  readonly name: string;
  readonly status: JourneyStatus | 'deleted';
  readonly deleted: boolean;
  /** The type of the trigger. */
  readonly trigger: string;
  readonly node_count: number;
  readonly draft_version: number | null;
  readonly published_version: number | null;
  readonly published_at: string | null;
  /** Segments and templates by their ids, lists and custom fields as in `namedBy`, that the draft or any published version names. */
  readonly uses: readonly string[];
  /** The same of published versions alone. */
  readonly published_uses: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  /** Time and id: the order of creation. */
  readonly sort: string;
}

const JOURNEYS = 'journeys';

function shown({ name, nodes }: JourneyDefinition) {
  const trigger = nodes.find((node) => node.kind === 'trigger');
  return { name, trigger: trigger?.on.type ?? '', node_count: nodes.length };
}

function usesOf(definition: JourneyDefinition, others: readonly string[]): string[] {
  const { segments, lists, templates, fields } = definitionReferencesOf(definition);
  return [...new Set([...segments, ...lists.map(namedList), ...templates, ...fields.map(namedField), ...others])];
}

/** The journeys of every account, for lists. */
export const journeys: Projection<SealedJourneyEvent> = {
  name: 'journeys',
  version: 2,
  handles: [
    'JourneyDrafted',
    'JourneyDraftChanged',
    'JourneyPublished',
    'JourneyPaused',
    'JourneyResumed',
    'JourneyStopped',
    'JourneyArchived',
    'JourneyDeleted',
  ],
  collections: {
    [JOURNEYS]: {
      indexes: [
        ['account', 'deleted', 'sort'],
        ['account', 'deleted', 'status', 'sort'],
      ],
      multi: { fields: ['uses'], scope: 'account', order: 'sort' },
    },
  },
  reads: ({ event }) => [{ collection: JOURNEYS, id: event.data.journey_id, fresh: event.type === 'JourneyDrafted' }],
  apply: ({ event, meta }, view) => {
    const { journey_id: id, at } = event.data;
    if (event.type === 'JourneyDrafted') {
      const { version, definition } = event.data;
      const about = { account: meta.account, status: 'draft', deleted: false, created_at: at, updated_at: at, version: 1 } as const;
      const published = { published_version: null, published_at: null, published_uses: [] };
      const draft = { ...shown(definition), draft_version: version, uses: usesOf(definition, []) };
      view.put(JOURNEYS, { id, ...about, ...draft, ...published, sort: `${at}/${id}` } satisfies JourneyDoc);
      return;
    }
    const before = view.get<JourneyDoc>(JOURNEYS, id);
    if (!before) throw new Error(`journey ${id} has no beginning`);
    view.put(JOURNEYS, { ...before, updated_at: at, version: before.version + 1, ...changes(event, before) } satisfies JourneyDoc);
  },
};

function changes(event: Exclude<SealedJourneyEvent, { type: 'JourneyDrafted' }>, { status, published_uses }: JourneyDoc): Partial<JourneyDoc> {
  switch (event.type) {
    case 'JourneyDraftChanged': {
      const { version, definition } = event.data;
      return { ...shown(definition), draft_version: version, uses: usesOf(definition, published_uses) };
    }
    case 'JourneyPublished': {
      const { version, definition, at } = event.data;
      const uses = usesOf(definition, published_uses);
      const numbers = { draft_version: null, published_version: version, published_at: at };
      return { ...shown(definition), ...numbers, status: status === 'paused' ? 'paused' : 'live', uses, published_uses: uses };
    }
    case 'JourneyPaused':
      return { status: 'paused' };
    case 'JourneyResumed':
      return { status: 'live' };
    case 'JourneyStopped':
      return { status: 'stopped' };
    case 'JourneyArchived':
      return { status: 'archived', uses: [] };
    case 'JourneyDeleted':
      return { status: 'deleted', deleted: true, uses: [] };
    default:
      return event satisfies never;
  }
}
