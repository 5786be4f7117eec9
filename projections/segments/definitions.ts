import type { Doc } from '../../domain/kernel/ports.js';
import { namedBy } from '../../domain/segments/fields.js';
import { type Rule, segmentReferencesOf } from '../../domain/segments/rule.js';
import type { SegmentEvent } from '../../domain/segments/segment.js';
import type { Projection } from '../runtime/projection.js';

/** A segment as it is defined. */
export interface SegmentDoc extends Doc {
  readonly account: string;
  readonly name: string;
  readonly rules: Rule;
  readonly rules_version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  readonly deleted: boolean;
  /** Time and id: the order of creation. */
  readonly sort: string;
}

/** What the rules of a segment refer to. Those that refer to nothing have no document. */
export interface SegmentReferencesDoc extends Doc {
  readonly account: string;
  /** Segments. */
  readonly refers_to: readonly string[];
  /** See `namedBy`. */
  readonly names: readonly string[];
}

const SEGMENTS = 'segments';
const REFERENCES = 'references';

/** The definitions of segments, and which refer to which. Who is in a segment is worked out elsewhere. */
export const segmentDefinitions: Projection<SegmentEvent> = {
  name: 'segment-definitions',
  version: 3,
  handles: ['SegmentCreated', 'SegmentUpdated', 'SegmentDeleted'],
  collections: {
    [SEGMENTS]: { indexes: [['account', 'deleted', 'sort']] },
    [REFERENCES]: { indexes: [['account', 'id']] },
  },
  reads: ({ event: { data } }) => [SEGMENTS, REFERENCES].map((collection) => ({ collection, id: data.segment_id })),
  apply: ({ event, meta: { account } }, view) => {
    const { segment_id: id, at } = event.data;
    const refer = (rules: Rule | null): void => {
      const refers_to = rules ? segmentReferencesOf(rules) : [];
      const names = rules ? namedBy(rules) : [];
      if (refers_to.length + names.length > 0) view.put(REFERENCES, { id, account, refers_to, names } satisfies SegmentReferencesDoc);
      else if (view.get(REFERENCES, id)) view.remove(REFERENCES, id);
    };
    if (event.type === 'SegmentCreated') {
      const { name, rules } = event.data;
      const created = { id, account, name, rules, rules_version: 1, created_at: at, updated_at: at, version: 1, deleted: false, sort: `${at}/${id}` };
      view.put(SEGMENTS, created satisfies SegmentDoc);
      refer(rules);
      return;
    }
    const doc = view.get<SegmentDoc>(SEGMENTS, id);
    if (!doc) return;
    const next = { ...doc, updated_at: at, version: doc.version + 1 };
    if (event.type === 'SegmentDeleted') {
      view.put(SEGMENTS, { ...next, deleted: true });
      refer(null);
      return;
    }
    const { name = doc.name, rules = doc.rules, rules_version = doc.rules_version } = event.data;
    view.put(SEGMENTS, { ...next, name, rules, rules_version });
    refer(rules);
  },
};
