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
  projections: ['accounts@2', 'contacts@2', 'events@1', 'lists@2', 'messages@1', 'parked@1', 'suppressions@1', 'webhook-deliveries@1'],
  processes: [
    'contacts/complete-merge@2',
    'contacts/erase-contacts@2',
    'contacts/run-imports@2',
    'lists/clean-bounced@2',
    'lists/confirm-subscriptions@2',
    'messages/dispatch@2',
    'messages/play-sandbox-receipts@2',
    'suppressions/follow-keywords@2',
    'suppressions/suppress-on-feedback@3',
    'webhooks/deliver-status@2',
  ],
  commands: [
    'AcceptImport',
    'AddToList',
    'BeginErasure',
    'CancelMessage',
    'ChangeContact',
    'ChangeCustomField',
    'ChangeImport',
    'ChangeList',
    'ChangeSettings',
    'ChangeUser',
    'CleanBounced',
    'CompleteLink',
    'ConfirmSubscription',
    'CreateAccount',
    'CreateList',
    'CreateUser',
    'DefineCustomField',
    'DeleteContact',
    'DeleteList',
    'DropMessage',
    'DropWork',
    'EraseAddresses',
    'EraseContact',
    'FollowKeyword',
    'ImportSuppressions',
    'IssueKey',
    'LeaveList',
    'LiftSuppression',
    'MergeContact',
    'NoteKeyUse',
    'ParkWork',
    'ReceiveInbound',
    'RecordConsent',
    'RecordErasure',
    'RecordEvent',
    'RecordEvents',
    'RecordHandOver',
    'RecordReceipt',
    'RecordSweep',
    'RecordWebhookAttempt',
    'RemoveCustomField',
    'RemoveUser',
    'RequestRedelivery',
    'RetryWork',
    'RevertImport',
    'RevokeKey',
    'SendBulk',
    'SendConfirmation',
    'SendMessage',
    'SettleImport',
    'SuppressAddress',
    'TakeMessage',
    'TryImport',
    'UnmergeContact',
    'UpsertContact',
    'WorkOnImport',
  ],
  streams: [
    'account',
    'apiKey',
    'bulk',
    'cleaning',
    'consent',
    'contact',
    'contactKey',
    'content',
    'customFields',
    'delivery',
    'erasure',
    'event',
    'frequency',
    'import',
    'importResults',
    'importRows',
    'inbound',
    'intent',
    'list',
    'membership',
    'message',
    'parked',
    'suppression',
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
  keyPurposes: ['command-secrets', 'consent-export', 'cursor', 'intent', 'jwt', 'list-confirmation', 'unsubscribe'],
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
    const outside = { directory: {}, clock: {}, vault: {}, purposeKey: () => Buffer.alloc(32) } as unknown as Parameters<typeof createProcesses>[1];
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
