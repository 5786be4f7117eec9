import { expect } from 'chai';
import { idPrefixes } from '../../log/ids.js';
import { createProcesses } from '../../ops/application.js';
import { loadConfig } from '../../ops/config.js';
import { projections } from '../../projections/registry.js';
import { readSources } from '../architecture/source.js';

/**
 * Names in data folders, or from which ids, keys and tokens are derived. They never change, even if the code uses another
 * word. A new name is added here; a version is raised when its projection or process changes meaning.
 */
const stored = {
  projections: [
    'accounts@4',
    'campaigns@2',
    'carrier-ids@1',
    'contacts@4',
    'events@1',
    'inbound-messages@1',
    'inbox@1',
    'jobs@2',
    'lists@4',
    'messages@6',
    'parked@1',
    'peers@2',
    'platform-event-spans@1',
    'segment-definitions@1',
    'segment-members@1',
    'suppressions@3',
    'templates@1',
    'webhook-deliveries@7',
  ],
  processes: [
    'campaigns/run-campaigns@1',
    'contacts/complete-merge@2',
    'contacts/erase-contacts@2',
    'contacts/run-imports@2',
    'inbox/report-receipts@1',
    'jobs/run-jobs@1',
    'lists/clean-bounced@2',
    'lists/confirm-subscriptions@2',
    'messages/dispatch@5',
    'messages/play-sandbox-receipts@3',
    'segments/memberships@2',
    'suppressions/follow-keywords@2',
    'suppressions/suppress-on-feedback@5',
    'webhooks/claim-reports@1',
    'webhooks/deliver-status@6',
    'webhooks/forget-deliveries@1',
  ],
  commands: [
    'AcceptImport',
    'AddToList',
    'BeginCampaignJob',
    'BeginErasure',
    'CancelJob',
    'CancelMessage',
    'ChangeCampaign',
    'ChangeCampaignStatus',
    'ChangeContact',
    'ChangeCustomField',
    'ChangeEndpoint',
    'ChangeImport',
    'ChangeList',
    'ChangeSettings',
    'ChangeTemplate',
    'ChangeUser',
    'CleanBounced',
    'CompleteLink',
    'ConfirmSubscription',
    'CreateAccount',
    'CreateCampaign',
    'CreateEndpoint',
    'CreateList',
    'CreateSegment',
    'CreateTemplate',
    'CreateUser',
    'DecideCampaignTest',
    'DefineCustomField',
    'DeleteContact',
    'DeleteEndpoint',
    'DeleteList',
    'DeleteSegment',
    'DeleteTemplate',
    'DeleteTemplatePartial',
    'DropMessage',
    'DropWork',
    'DuplicateCampaign',
    'EndBulkDispatch',
    'EraseAddresses',
    'EraseContact',
    'ExportContacts',
    'FailJob',
    'FinishCampaign',
    'FollowKeyword',
    'ForgetDeliveries',
    'ImportSuppressions',
    'IssueKey',
    'KeepReport',
    'LeaveList',
    'LiftSuppression',
    'MarkInboxItems',
    'MergeContact',
    'NoteKeyUse',
    'ParkWork',
    'ReceiveInbound',
    'RecordBulkHandOvers',
    'RecordConsent',
    'RecordErasure',
    'RecordEvent',
    'RecordEvents',
    'RecordHandOver',
    'RecordInboundEmail',
    'RecordReceipt',
    'RecordReceipts',
    'RecordSegmentBuildStep',
    'RecordSegmentMemberships',
    'RecordSweep',
    'RecordTrial',
    'RecordWebhookAttempt',
    'RemoveCustomField',
    'RemoveUser',
    'ReplayEndpoint',
    'RequestRedelivery',
    'Resubscribe',
    'RetryWork',
    'RevertImport',
    'RevokeKey',
    'RotateEndpointSecret',
    'ScheduleCampaign',
    'SendBulk',
    'SendCampaignTest',
    'SendConfirmation',
    'SendMessage',
    'SettleImport',
    'SettleJob',
    'SettleReport',
    'StartBulkDispatch',
    'StartDueCampaign',
    'StopDelivery',
    'StoreInboxItem',
    'StoreTemplatePartial',
    'SuppressAddress',
    'TakeMessage',
    'TryImport',
    'UnmergeContact',
    'UpdateSegment',
    'UpsertContact',
    'WorkOnImport',
    'WorkOnJob',
  ],
  streams: [
    'account',
    'apiKey',
    'bulk',
    'campaign',
    'campaignAudience',
    'campaignParts',
    'cleaning',
    'consent',
    'contact',
    'contactKey',
    'content',
    'customFields',
    'delivery',
    'endpoints',
    'erasure',
    'event',
    'forgotten',
    'frequency',
    'import',
    'importResults',
    'importRows',
    'inbound',
    'inbox',
    'intent',
    'job',
    'jobInput',
    'jobOutput',
    'jobResults',
    'journey',
    'list',
    'membership',
    'message',
    'parked',
    'report',
    'segment',
    'segmentBuild',
    'segmentMembership',
    'suppression',
    'template',
    'templatePartial',
    'trial',
    'userKey',
  ],
  ids: [
    'acc',
    'bat',
    'cmp',
    'cnt',
    'con',
    'enr',
    'evt',
    'fld',
    'frm',
    'fsb',
    'inb',
    'job',
    'jrn',
    'key',
    'lst',
    'msg',
    'prk',
    'psh',
    'req',
    'seg',
    'sup',
    'tpl',
    'usr',
    'whd',
    'whe',
  ],
  keyPurposes: ['command-secrets', 'consent-export', 'cursor', 'intent', 'jwt', 'list-confirmation', 'tracking', 'unsubscribe'],
} as const;

const sources = readSources(process.cwd()).filter(({ path }) => !path.startsWith('test/'));
const found = (layer: string, form: RegExp): string[] => {
  const texts = sources.filter(({ path }) => path.startsWith(layer)).map(({ text }) => text);
  const names = texts.flatMap((text) => [...text.matchAll(form)].map((match) => match[1] ?? ''));
  return [...new Set(names)].sort();
};
const versioned = (all: readonly { readonly name: string; readonly version: number }[]): string[] =>
  all.map(({ name, version }) => `${name}@${version}`).sort();

describe('stored names', () => {
  it('of projections, with their versions', () => expect(versioned(projections)).to.deep.equal(stored.projections));

  it('of processes, with their versions', () => {
    const outside = {
      engine: { sharedRates: null },
      directory: {},
      clock: {},
      vault: {},
      purposeKey: () => Buffer.alloc(32),
    } as unknown as Parameters<typeof createProcesses>[1];
    expect(versioned(createProcesses(loadConfig({}), outside))).to.deep.equal(stored.processes);
  });

  it('of commands', () =>
    expect(found('commands/', /\b(?:command|internalCommand)(?:<[^(]*>)?\(\{\s*name: '(\w+)'/g)).to.deep.equal(stored.commands));

  it('of streams, by their prefixes', () =>
    expect([...found('domain/', /\w+Stream\b[^\n]*=> `([a-zA-Z]+)-\$\{/g), ...found('domain/', / = '([a-zA-Z]+)-';/g)].sort()).to.deep.equal(
      stored.streams,
    ));

  it('of ids, by their prefixes', () => expect([...idPrefixes].sort()).to.deep.equal(stored.ids));

  it('of the purposes that keys are derived for', () => {
    const literal = found('', /\bpurposeKey\((?:master, )?'([^']+)'/g);
    const named = found('', /(?<!MARKETING)_PURPOSE = '([^']+)'/g);
    expect([...literal, ...named].sort()).to.deep.equal(stored.keyPurposes);
  });
});
