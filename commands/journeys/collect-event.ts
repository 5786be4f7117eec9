/** A digest: events of the trigger that happen while an enrollment waits in it are collected, and start nothing. */
import { type ActiveEnrollment, aboutOf, type EnrollmentEvent } from '../../domain/journeys/enrollment.js';
import { entryKeyText } from '../../domain/journeys/entry.js';
import type { Graph } from '../../domain/journeys/graph.js';
import { PROPERTY_PREFIX } from '../../domain/journeys/triggers.js';
import { propertyOf } from '../../domain/segments/meaning.js';

export interface CollectableEvent {
  readonly trigger_id: string;
  readonly event_id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What follows where the enrollment is in a digest that takes the event; null if it is not. A repeat gives no events. */
export function collect(graph: Graph, state: ActiveEnrollment, event: CollectableEvent, now: string): readonly EnrollmentEvent[] | null {
  if (state.place.kind !== 'inside') return null;
  const node = graph.nodes.get(state.place.node);
  if (node?.kind !== 'digest') return null;
  const valueIn = (properties: object) =>
    node.key === undefined ? null : entryKeyText(propertyOf(properties, node.key.slice(PROPERTY_PREFIX.length)));
  if (valueIn(event.properties) !== valueIn(state.properties)) return null;
  if (state.trigger.event_id === event.event_id || state.collected.some(({ event_id }) => event_id === event.event_id)) return [];
  const about = { ...aboutOf(state, now), node_id: node.id };
  const collected: EnrollmentEvent = {
    type: 'EnrollmentEventCollected',
    data: { ...about, trigger_id: event.trigger_id, event_id: event.event_id },
  };
  // The event that started the enrollment is the first one.
  const items = state.collected.filter(({ node_id }) => node_id === node.id).length + 2;
  if (items < node.max_items) return [collected];
  return [collected, { type: 'EnrollmentTimerFired', data: { ...about, due_at: now, branch: 'next', next: node.next } }];
}
