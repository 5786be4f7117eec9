import type { Decider } from '../../domain/kernel/decider.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type CalculatedContent, calculatesAnew } from '../../domain/templates/arithmetic.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { Context, DecideResult } from '../runtime/command.js';

/** What a change made of something that has contents. */
export interface ChangedContents<T> {
  readonly after: T;
  /** The contents calculate in another way than before. A repeat under the same idempotency key says the same. */
  readonly isAnew: boolean;
}

interface Change<S, E extends AnyEvent, T extends S> {
  readonly aggregate: Pick<Decider<S, never, E>, 'initial' | 'evolve'>;
  readonly stream: string;
  /** What the command found. */
  readonly before: T;
  readonly contentsOf: (state: T) => CalculatedContent;
}

/** The output of a command that has changed contents. */
export async function changedContents<S, E extends AnyEvent, T extends S>(
  { log, cause }: Pick<Context, 'log' | 'cause'>,
  { aggregate, stream, before, contentsOf }: Change<S, E, T>,
  { state, revision }: Pick<DecideResult<S>, 'state' | 'revision'>,
): Promise<ChangedContents<T>> {
  const after = state as T;
  if (cause.key === undefined) return { after, isAnew: calculatesAnew(contentsOf(before), contentsOf(after)) };
  // A repeat finds what the first run has made: the first run found what there was without its own events.
  const isEarlier = (stored: { readonly revision: number; readonly meta: { readonly key?: string } }) =>
    stored.revision <= revision && stored.meta.key !== cause.key;
  const first = await loadAggregate(log, aggregate, stream, { sealed: true, where: isEarlier });
  return { after, isAnew: calculatesAnew(contentsOf(first.state as unknown as T), contentsOf(after)) };
}
