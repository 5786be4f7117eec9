import { account } from '../domain/accounts/account.js';
import { consent } from '../domain/consent/consent.js';
import { customFields } from '../domain/contacts/custom-field.js';
import type { Decider } from '../domain/kernel/decider.js';
import type { AnyEvent } from '../domain/kernel/event.js';
import { list } from '../domain/lists/list.js';
import { membership } from '../domain/lists/membership.js';
import { suppression } from '../domain/suppressions/suppression.js';
import type { StreamFold } from './load-state.js';

type AnyDecider<S, E> = Pick<Decider<S, never, E>, 'initial' | 'evolve'>;

/** The fold of a decider whose `evolve` does not look into personal fields, but only passes them on or ignores them. */
const foldOf = <S, E extends AnyEvent>(name: string, decider: AnyDecider<S, E>): StreamFold<S, E> => ({
  name,
  initial: decider.initial,
  apply: (state, { event }) => decider.evolve(state, event),
});

/** Aggregates whose streams grow for as long as they live, so that their latest states are kept (see RecentStates). */
export const keptFolds = {
  account: foldOf('account', account),
  consent: foldOf('consent', consent),
  customFields: foldOf('customFields', customFields),
  list: foldOf('list', list),
  membership: foldOf('membership', membership),
  suppression: foldOf('suppression', suppression),
};

const byDecider = new Map<unknown, unknown>([
  [account, keptFolds.account],
  [consent, keptFolds.consent],
  [customFields, keptFolds.customFields],
  [list, keptFolds.list],
  [membership, keptFolds.membership],
  [suppression, keptFolds.suppression],
]);

/** The fold of a decider, if its states are kept. */
export const keptFoldOf = <S, E extends AnyEvent>(decider: AnyDecider<S, E>): StreamFold<S, E> | undefined =>
  byDecider.get(decider) as StreamFold<S, E> | undefined;
