/** Who is in which segment, by the plain reading of rules over the whole history of each contact. */
import { type ContactEvent, contactStream } from '../../../domain/contacts/contact.js';
import { isDomainError } from '../../../domain/kernel/errors.js';
import { evaluate } from '../../../domain/segments/evaluate.js';
import type { Rule } from '../../../domain/segments/rule.js';
import { contactClocks } from '../../../formats/messages/utc-offsets.js';
import { findContact } from '../../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../../log/aggregates/contacts/load-custom-fields.js';
import { sampleBucketOf } from '../../../log/aggregates/segments/buckets.js';
import { loadSegmentAt } from '../../../log/aggregates/segments/load-segment.js';
import { loadRuleHistory } from '../../../projections/segments/load-history.js';
import { sourcesOf } from '../../../projections/segments/sources.js';
import type { Final } from '../capability.js';
import { streamsOf } from '../history.js';

/** A segment with the rules that count. */
export interface InForce {
  readonly id: string;
  readonly rules: Rule;
  readonly rules_version: number;
}

export class ReferenceReading {
  constructor(private readonly final: Final) {}

  /** The segments that there were at a time (RFC 3339), or that there are. */
  async segments(until?: string): Promise<InForce[]> {
    const { run } = this.final;
    const found: InForce[] = [];
    for (const id of streamsOf(this.final, 'segment-').keys()) {
      const segment = await loadSegmentAt(run.log, run.accountId, id, until);
      if (segment.status === 'active') found.push({ id, rules: segment.rules, rules_version: segment.rules_version });
    }
    return found;
  }

  /** The contacts that are there, and answer for themselves. */
  async contacts(): Promise<string[]> {
    const { run } = this.final;
    const found: string[] = [];
    for (const [id, events] of streamsOf(this.final, contactStream(''))) {
      const first = events[0]?.event as ContactEvent | undefined;
      if (first?.type !== 'ContactCreated') continue;
      const contact = await findContact(run.log, run.accountId, id).catch(orNull);
      if (contact?.root.id === id) found.push(id);
    }
    return found;
  }

  /** The segments that a contact is in, or was in by what was known at a time (RFC 3339). */
  async membershipsOf(contact: string, inForce: readonly InForce[], until?: string): Promise<ReadonlySet<string>> {
    const { run } = this.final;
    const { log, accountId: account } = run;
    const found = await findContact(log, account, contact, until).catch(orNull);
    if (!found || found.root.id !== contact) return new Set();
    const rules = new Map(inForce.map((one) => [one.id, one.rules]));
    const stores = { log, views: run.stores.views.views, account };
    const fields = await loadCustomFields(log, account, until);
    const { history } = await loadRuleHistory(stores, found.unified, fields, sourcesOf([...rules.values()]), until);
    const at = until === undefined ? Math.floor(run.world.now) : Date.parse(until);
    const surroundings = { ruleOf: (id: string) => rules.get(id), bucketOf: sampleBucketOf, clocksOf: contactClocks('UTC') };
    return new Set(inForce.filter(({ rules: rule }) => evaluate(rule, history, at, surroundings).holds).map(({ id }) => id));
  }
}

/** Null for who is not there. */
function orNull(error: unknown): null {
  if (isDomainError(error)) return null;
  throw error;
}
