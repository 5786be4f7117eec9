/** Which events are changes that people see in the activity of an account, and how they are named: one table. */
import { defaultSettings, mergeSettings, type Settings } from '../../domain/accounts/settings.js';
import { ownField } from '../../domain/kernel/own-fields.js';

type Data = Readonly<Record<string, unknown>>;
export type Values = Readonly<Record<string, unknown>>;

export interface ActionRule {
  /** What was done: a kind of resource and a verb. */
  readonly action: string;
  /** The kind of the resource, where the action does not begin with it. */
  readonly kind?: string;
  /** The field with the id of the resource; without one it is the account. */
  readonly id?: string;
  /** By keys it happens so often that it is counted, by key and hour. */
  readonly counted?: true;
  /** The field that says how many things this one event did. */
  readonly times?: string;
  /** Events of the type that are no change of their own. */
  readonly except?: (data: Data) => boolean;
  /** The values of the resource after the event, from those before it: what differs is shown. */
  readonly values?: (data: Data, before: Values) => Values;
  /** What names the resource: one of its values, or else a field of the event. */
  readonly name?: string;
  /** The event has a sealed name, such as that of a user. */
  readonly sealedName?: true;
  /** The resource is gone. */
  readonly ends?: true;
  /** By nobody who has signed in, such as a sign-in itself, it is the user's own. */
  readonly bySelf?: true;
  /** The event itself has the address and the program, sealed. */
  readonly hasOrigin?: true;
}

const objectIn = (data: Data, field: string): Values => (ownField(data, field) ?? {}) as Values;
/** The fields that the event has. */
const fields =
  (...names: readonly string[]) =>
  (data: Data, before: Values): Values => ({
    ...before,
    ...Object.fromEntries(names.flatMap((name) => (ownField(data, name) === undefined ? [] : [[name, ownField(data, name)]]))),
  });
const definition = (data: Data): Values => objectIn(data, 'definition');
const content = (data: Data): Values => ({ name: ownField(data, 'name'), ...objectIn(data, 'content') });
const status =
  (now: string) =>
  (_: Data, before: Values): Values => ({ ...before, status: now });
const settingsOf = ({ name, timezone, identity_verification }: Data): Values =>
  defaultSettings(String(name), String(timezone), identity_verification as Settings['identity_verification'] | undefined);
const changedSettingsOf = (data: Data, before: Values): Values => mergeSettings(before as Settings, objectIn(data, 'changes'));

const ofList = { id: 'list_id', name: 'name' } as const;
const ofSegment = { id: 'segment_id', name: 'name' } as const;
const ofCampaign = { id: 'campaign_id', name: 'name' } as const;
const ofJourney = { id: 'journey_id', name: 'name' } as const;
const ofTemplate = { id: 'template_id', name: 'name' } as const;
const ofForm = { id: 'form_id', name: 'name' } as const;
const ofField = { id: 'field_id', name: 'label' } as const;
const ofUser = { id: 'user_id' } as const;
const ofEndpoint = { id: 'endpoint_id' } as const;
const ofContact = { id: 'contact_id', kind: 'contact', counted: true } as const;
const ofMember = { id: 'list_id', counted: true } as const;
const ofSuppression = { id: 'suppression_id', counted: true } as const;
const ofEnrollment = { id: 'enrollment_id', counted: true } as const;

/** A message of a batch begins its own stream when it is dispatched: the batch was the change. */
const isOfBatch = ({ batch_id }: Data): boolean => batch_id !== undefined;

/** By a later sign-in, which has an entry of its own. */
const isReplaced = ({ reason }: Data): boolean => reason === 'replaced';

/** By event type. A spec lists the types that are none. */
export const actionRules: ReadonlyMap<string, ActionRule> = new Map<string, ActionRule>([
  ['AccountCreated', { action: 'account.create', name: 'name', values: settingsOf }],
  ['SettingsChanged', { action: 'settings.update', kind: 'account', name: 'name', values: changedSettingsOf }],
  ['CarrierConfigured', { action: 'carrier.configure', id: 'carrier' }],
  ['CarrierRemoved', { action: 'carrier.remove', id: 'carrier' }],
  ['WebhookSecretRotated', { action: 'settings.rotate_webhook_secret', kind: 'account' }],
  ['IdentitySecretChanged', { action: 'settings.change_identity_secret', kind: 'account' }],
  ['UserAdded', { action: 'user.create', ...ofUser, sealedName: true, values: (data) => ({ role: ownField(data, 'role'), status: 'active' }) }],
  ['UserRenamed', { action: 'user.update', ...ofUser, sealedName: true }],
  ['UserRoleChanged', { action: 'user.update', ...ofUser, values: fields('role') }],
  ['UserPasswordChanged', { action: 'user.change_password', ...ofUser, bySelf: true }],
  ['UserDisabled', { action: 'user.update', ...ofUser, values: status('disabled') }],
  ['UserEnabled', { action: 'user.update', ...ofUser, values: status('active') }],
  ['UserRemoved', { action: 'user.remove', ...ofUser, ends: true }],
  ['UserInvited', { action: 'user.invite', ...ofUser, sealedName: true, values: fields('role') }],
  ['InvitationAccepted', { action: 'user.accept_invitation', ...ofUser, bySelf: true }],
  ['SecondFactorTurnedOn', { action: 'user.turn_on_second_factor', ...ofUser }],
  ['SecondFactorTurnedOff', { action: 'user.turn_off_second_factor', ...ofUser }],
  ['RecoveryCodeUsed', { action: 'user.use_recovery_code', ...ofUser, bySelf: true }],
  ['SessionStarted', { action: 'session.start', id: 'session_id', bySelf: true, hasOrigin: true }],
  ['SessionEnded', { action: 'session.end', id: 'session_id', except: isReplaced }],
  // Without their names: a personal one is its owner's alone.
  ['SavedViewCreated', { action: 'view.create', id: 'view_id', values: fields('page', 'shared') }],
  ['SavedViewChanged', { action: 'view.update', id: 'view_id', values: fields('page', 'shared') }],
  ['SavedViewDeleted', { action: 'view.delete', id: 'view_id', ends: true }],
  ['ApiKeyIssued', { action: 'key.create', id: 'key_id', name: 'name', values: fields('name') }],
  ['ApiKeyRevoked', { action: 'key.revoke', id: 'key_id', ends: true }],
  ['MessageQueued', { action: 'message.send', counted: true, except: isOfBatch }],
  ['MessageScheduled', { action: 'message.send', counted: true, except: isOfBatch }],
  ['BulkAccepted', { action: 'message.send', kind: 'bulk', id: 'batch_id', counted: true, times: 'accepted' }],
  ['MessageCanceled', { action: 'message.cancel', counted: true }],
  ['BulkItemCanceled', { action: 'message.cancel', id: 'message_id', counted: true }],
  ['ContactCreated', { action: 'contact.create', ...ofContact }],
  ['ContactUpdated', { action: 'contact.update', ...ofContact }],
  ['ContactMerged', { action: 'contact.merge', ...ofContact }],
  ['ContactUnmerged', { action: 'contact.unmerge', ...ofContact }],
  ['ContactDeleted', { action: 'contact.delete', ...ofContact }],
  ['ErasureRequested', { action: 'contact.erase', ...ofContact }],
  ['ConsentGranted', { action: 'consent.grant', ...ofContact }],
  ['ConsentWithdrawn', { action: 'consent.withdraw', ...ofContact }],
  ['ConsentRequested', { action: 'consent.request', ...ofContact }],
  ['AddressSuppressed', { action: 'suppression.add', ...ofSuppression }],
  ['SuppressionBackdated', { action: 'suppression.add', ...ofSuppression }],
  ['SuppressionWidened', { action: 'suppression.add', ...ofSuppression }],
  ['SuppressionLifted', { action: 'suppression.lift', ...ofSuppression }],
  ['CustomEventRecorded', { action: 'event.record', id: 'event_id', counted: true }],
  ['CustomEventTried', { action: 'event.record', id: 'event_id', counted: true }],
  ['CustomFieldDefined', { action: 'field.create', ...ofField, values: fields('label', 'options') }],
  ['CustomFieldChanged', { action: 'field.update', ...ofField, values: fields('label', 'options') }],
  ['CustomFieldRemoved', { action: 'field.delete', ...ofField, ends: true }],
  ['ListCreated', { action: 'list.create', ...ofList, values: fields('name', 'description', 'opt_in') }],
  ['ListChanged', { action: 'list.update', ...ofList, values: fields('name', 'description', 'opt_in') }],
  ['ListDeleted', { action: 'list.delete', ...ofList, ends: true }],
  ['SubscriptionRequested', { action: 'list.add_member', ...ofMember }],
  ['ListSubscribed', { action: 'list.add_member', ...ofMember }],
  ['ListUnsubscribed', { action: 'list.remove_member', ...ofMember }],
  ['ListResubscribed', { action: 'list.resubscribe_member', ...ofMember }],
  ['SegmentCreated', { action: 'segment.create', ...ofSegment, values: fields('name', 'rules') }],
  ['SegmentUpdated', { action: 'segment.update', ...ofSegment, values: fields('name', 'rules') }],
  ['SegmentDeleted', { action: 'segment.delete', ...ofSegment, ends: true }],
  ['CampaignCreated', { action: 'campaign.create', ...ofCampaign, values: definition }],
  ['CampaignChanged', { action: 'campaign.update', ...ofCampaign, values: definition }],
  ['CampaignScheduled', { action: 'campaign.schedule', ...ofCampaign }],
  ['CampaignStarted', { action: 'campaign.send', ...ofCampaign }],
  ['CampaignPaused', { action: 'campaign.pause', ...ofCampaign }],
  ['CampaignResumed', { action: 'campaign.resume', ...ofCampaign }],
  ['CampaignCanceled', { action: 'campaign.cancel', ...ofCampaign }],
  ['CampaignDeleted', { action: 'campaign.delete', ...ofCampaign, ends: true }],
  ['JourneyDrafted', { action: 'journey.create', ...ofJourney, values: definition }],
  ['JourneyDraftChanged', { action: 'journey.update', ...ofJourney, values: definition }],
  ['JourneyPublished', { action: 'journey.publish', ...ofJourney }],
  ['JourneyPaused', { action: 'journey.pause', ...ofJourney }],
  ['JourneyResumed', { action: 'journey.resume', ...ofJourney }],
  ['JourneyStopped', { action: 'journey.stop', ...ofJourney }],
  ['JourneyArchived', { action: 'journey.archive', ...ofJourney }],
  ['JourneyDeleted', { action: 'journey.delete', ...ofJourney, ends: true }],
  ['EnrollmentStarted', { action: 'enrollment.start', ...ofEnrollment }],
  ['EnrollmentExited', { action: 'enrollment.exit', ...ofEnrollment }],
  ['TemplateCreated', { action: 'template.create', ...ofTemplate, values: content }],
  ['TemplateUpdated', { action: 'template.update', ...ofTemplate, values: content }],
  ['TemplateDeleted', { action: 'template.delete', ...ofTemplate, ends: true }],
  ['TemplatePartialStored', { action: 'template_partial.store', id: 'key', values: fields('source') }],
  ['TemplatePartialDeleted', { action: 'template_partial.delete', id: 'key', ends: true }],
  ['FormCreated', { action: 'form.create', ...ofForm, values: definition }],
  ['FormChanged', { action: 'form.update', ...ofForm, values: definition }],
  ['FormDeleted', { action: 'form.delete', ...ofForm, ends: true }],
  ['PushSubscriptionEnded', { action: 'push_subscription.end', id: 'subscription_id', counted: true }],
  ['EndpointCreated', { action: 'webhook_endpoint.create', ...ofEndpoint, sealedName: true, values: fields('events') }],
  ['EndpointChanged', { action: 'webhook_endpoint.update', ...ofEndpoint, sealedName: true, values: fields('events') }],
  ['EndpointSecretRotated', { action: 'webhook_endpoint.rotate_secret', ...ofEndpoint }],
  ['EndpointDisabled', { action: 'webhook_endpoint.disable', ...ofEndpoint }],
  ['EndpointEnabled', { action: 'webhook_endpoint.enable', ...ofEndpoint }],
  ['EndpointDeleted', { action: 'webhook_endpoint.delete', ...ofEndpoint, ends: true }],
  ['RedeliveryRequested', { action: 'webhook_delivery.redeliver', id: 'event_id', counted: true }],
  ['JobAccepted', { action: 'job.start', id: 'job_id', name: 'kind' }],
  ['JobCancelRequested', { action: 'job.cancel', id: 'job_id' }],
  ['ImportCancelRequested', { action: 'import.cancel', id: 'import_id' }],
  ['ImportRevertRequested', { action: 'import.revert', id: 'import_id' }],
  ['WorkRetried', { action: 'parked_work.retry', id: 'parked_id' }],
  ['WorkDropped', { action: 'parked_work.drop', id: 'parked_id' }],
]);

/** All actions, for filters. */
export const actionNames: readonly string[] = [...new Set([...actionRules.values()].map(({ action }) => action))].sort();

/** The kind of the resource of an action. */
export const resourceKindOf = ({ action, kind }: Pick<ActionRule, 'action' | 'kind'>): string => kind ?? action.slice(0, action.indexOf('.'));
