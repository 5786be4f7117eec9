import { account } from '../../domain/accounts/account.js';
import { type ConsentEvent, type Consents, consent, evolve as evolveConsent } from '../../domain/consent/consent.js';
import { customFields } from '../../domain/contacts/custom-field.js';
import { form } from '../../domain/forms/form.js';
import { journey } from '../../domain/journeys/journey.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { contactList } from '../../domain/lists/list.js';
import { membership } from '../../domain/lists/membership.js';
import { recordedScores } from '../../domain/scores/contact-scores.js';
import { segment } from '../../domain/segments/segment.js';
import { suppression } from '../../domain/suppressions/suppression.js';
import { templatePartial } from '../../domain/templates/partial.js';
import { template } from '../../domain/templates/template.js';
import { endpoints } from '../../domain/webhooks/endpoint.js';
import { keptMails } from '../../domain/webhooks/kept-mails.js';
import type { StreamFold } from './load-state.js';

type AnyDecider<S, E> = Pick<Decider<S, never, E>, 'initial' | 'evolve'>;

/** The fold of a decider whose `evolve` does not look into personal fields, but only passes them on or ignores them. */
const foldOf = <S, E extends AnyEvent>(name: string, decider: AnyDecider<S, E>, version = 1): StreamFold<S, E> => ({
  name,
  version,
  initial: decider.initial,
  apply: (state, { event }) => decider.evolve(state, event),
});

/** With the ids of the events: a refusal of a message names the consent that refused it. */
const consentFold: StreamFold<Consents, ConsentEvent> = {
  ...foldOf('consent', consent, 5),
  apply: (state, { event, id }) => evolveConsent(state, event, id),
};

/** Aggregates whose streams grow for as long as they live, so that their latest states are kept (see AggregateCache). */
export const snapshottedAggregates = {
  account: foldOf('account', account, 4),
  consent: consentFold,
  customFields: foldOf('customFields', customFields),
  endpoints: foldOf('endpoints', endpoints),
  journey: { ...foldOf('journey', journey), keepsShort: true as const },
  form: foldOf('form', form),
  keptMails: foldOf('keptMails', keptMails),
  list: foldOf('list', contactList),
  membership: foldOf('membership', membership, 3),
  recordedScores: foldOf('recordedScores', recordedScores),
  segment: foldOf('segment', segment),
  suppression: foldOf('suppression', suppression, 3),
  template: foldOf('template', template),
  templatePartial: foldOf('templatePartial', templatePartial),
};

const byDecider = new Map<unknown, unknown>([
  [account, snapshottedAggregates.account],
  [consent, snapshottedAggregates.consent],
  [customFields, snapshottedAggregates.customFields],
  [endpoints, snapshottedAggregates.endpoints],
  [journey, snapshottedAggregates.journey],
  [form, snapshottedAggregates.form],
  [keptMails, snapshottedAggregates.keptMails],
  [contactList, snapshottedAggregates.list],
  [membership, snapshottedAggregates.membership],
  [recordedScores, snapshottedAggregates.recordedScores],
  [segment, snapshottedAggregates.segment],
  [suppression, snapshottedAggregates.suppression],
  [template, snapshottedAggregates.template],
  [templatePartial, snapshottedAggregates.templatePartial],
]);

/** The fold of a decider, if its states are kept. */
export const snapshottedAggregateOf = <S, E extends AnyEvent>(decider: AnyDecider<S, E>): StreamFold<S, E> | undefined =>
  byDecider.get(decider) as StreamFold<S, E> | undefined;
