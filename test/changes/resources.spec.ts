import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { eventTypes } from '../../log/event-types.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { changingResources, isChanging, resourceChangesOf, viewsOf } from '../../projections/changes/resources.js';
import { projections } from '../../projections/registry.js';

/** Event types that change nothing that callers read by an id of its own, by the reason. */
const unannounced: Readonly<Record<string, readonly string[]>> = {
  'what is claimed, noted or counted for the service itself': [
    ...['UserKeyClaimed', 'UserKeyReleased', 'ContactKeyClaimed', 'ContactKeyReleased', 'FormSlugClaimed', 'FormSlugReleased', 'FormEntryMade'],
    ...['FrequencyPlaceTaken', 'FrequencyPlaceReleased', 'SoftBounceCounted', 'BouncedAddressCleaned', 'KeywordFollowed', 'KeptMailCounted'],
    ...['KeptMailReleased', 'ReportKept', 'ReportSettled', 'IntentTaken', 'IntentFulfilled', 'DeliveriesForgotten', 'MessageRepeated'],
    ...['UserInvited', 'InvitationAccepted', 'SecondFactorPrepared', 'SecondFactorCodeUsed', 'RecoveryCodeUsed'],
    ...['PasswordResetRequested', 'PasswordResetAnswered'],
    ...['SuppressionExcepted', 'PushDeviceAdded', 'PushDeviceRemoved', 'ScoreModelFitted', 'EngagementModelFitted'],
  ],
  'parts of what another event announces': [
    ...['BulkChunkAccepted', 'BulkDispatchStarted', 'BulkDispatchReturned', 'BulkDispatchEnded', 'ContentPartStored', 'CampaignAudienceStored'],
    ...['ErasureRequested', 'ErasureCompleted', 'ErasureSwept', 'ImportRowsForgotten', 'ImportRowsStored', 'JobInputStored', 'JobOutputStored'],
    ...['SegmentBuildStarted', 'SegmentHistoryScanned', 'JourneyEntryAdmitted', 'JourneyEntryRefused', 'JourneyOccurrencePlanned'],
    ...['JourneyOccurrenceStarted', 'JourneyDatePlanned', 'JourneyDateReached', 'JourneySweepCompleted', 'AccountCreated'],
  ],
  'the work of the installation, which no account sees': [
    ...['WorkParked', 'WorkRetried', 'WorkDropped', 'WorkSuspected', 'WorkTried', 'WorkTrialsEnded'],
  ],
};

const position = '00000000000000000007';
const of = (event: AnyEvent, stream: string, revision = 3): LogEvent => ({
  ...{ event, stream, revision, position, id: 'id', meta: { account: 'acc_1' } as LogEvent['meta'] },
});
const shown = (stored: LogEvent) => resourceChangesOf(stored).map(({ resource, id, change }) => `${resource} ${id} ${change}`);

describe('what events mean for resources', () => {
  it('is in the table for each event type, or the event type is known to change none', () => {
    const silent = eventTypes.names().filter((name) => !isChanging(name));
    expect(silent.sort()).to.deep.equal(Object.values(unannounced).flat().sort());
  });

  it('names only event types that there are, and read models that run', () => {
    const known = new Set(projections.map(({ name }) => name));
    for (const resource of changingResources) for (const { name } of viewsOf(resource)) expect(known).to.include(name);
    for (const name of Object.values(unannounced).flat()) expect(() => eventTypes.get(name)).not.to.throw();
  });

  it('has the id of each event of old logs', () => {
    const folder = 'test/golden/events';
    for (const file of readdirSync(folder)) {
      const { type, schemaVersion, data } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
      const event = eventTypes.upcast(type, schemaVersion, data);
      const many = resourceChangesOf(of(event, 'some-stream')).filter(({ id }) => id === null);
      if (!['BulkAccepted', 'SegmentBuildCompleted'].includes(type)) expect(many, file).to.deep.equal([]);
    }
  });

  it('is a creation at the first event of a stream, and then an update', () => {
    const event = { type: 'ListCreated', data: {} };
    expect(shown(of(event, 'list-lst_1', 0))).to.deep.equal(['list lst_1 created']);
    expect(shown(of({ type: 'ListChanged', data: {} }, 'list-lst_1'))).to.deep.equal(['list lst_1 updated']);
    expect(shown(of({ type: 'ListDeleted', data: {} }, 'list-lst_1'))).to.deep.equal(['list lst_1 deleted']);
  });

  it('is a change of all that an event is about', () => {
    const joined = { type: 'ListSubscribed', data: { contact_id: 'con_1', list_id: 'lst_1' } };
    expect(shown(of(joined, 'membership-con_1'))).to.have.members(['contact con_1 updated', 'list lst_1 updated']);
    const changes = ['seg_1', 'seg_2', 'seg_1'].map((segment_id) => ({ segment_id }));
    const flipped = { type: 'SegmentMembershipsChanged', data: { contact_id: 'con_1', changes } };
    expect(shown(of(flipped, 'segmentMembership-con_1'))).to.deep.equal(['segment seg_1 updated', 'segment seg_2 updated']);
    expect(shown(of({ type: 'BulkAccepted', data: {} }, 'bulk-bat_1'))).to.deep.equal(['message null many']);
    expect(shown(of({ type: 'ApiKeyUsed', data: { key_id: 'key_1' } }, 'apiKey-key_1'))).to.deep.equal(['api_key key_1 updated']);
  });
});
