import { expect } from 'chai';
import fc from 'fast-check';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { eventTypes } from '../../log/event-types.js';
import type { FeedPage } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { actionRules, resourceKindOf } from '../../projections/activity/actions.js';
import { type ActivityDoc, activity, ENTRIES, KEPT_DAYS } from '../../projections/activity/projection.js';
import { activityQueries } from '../../projections/activity/queries.js';
import { foldPage } from '../../projections/runtime/fold-page.js';
import { system } from '../support/system.js';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-15T10:00:00.000Z');
/** Opens nothing: these events have no names. */
const noLog = { openBoxes: async () => [] } as unknown as EventLog;

type Made = { readonly event: AnyEvent; readonly ms: number; readonly kind?: string; readonly actor?: string; readonly cause?: string };

/** A log of these events, and the read model over it. */
class Folded {
  readonly views: ReadModels = openMemoryViews({ clock: system.clock }).views;
  #next = 1;

  async add(made: readonly Made[], pageSize = 50): Promise<this> {
    const writer = await this.views.writer(activity);
    for (let at = 0; at < made.length; at += pageSize) {
      const events = made.slice(at, at + pageSize).map((one) => this.#stored(one));
      const lazy = events.map((event) => ({ type: event.event.type, position: event.position, recorded: {} as never, decode: () => event }));
      const from = await writer.checkpoint();
      const page: FeedPage = { after: from, upTo: events.at(-1)?.position ?? from, events: lazy, bytes: 0 };
      expect(await writer.commit(from, page.upTo as string, await foldPage(activity, writer, page, noLog))).to.equal('ok');
    }
    return this;
  }

  #stored({ event, ms, kind = 'user', actor = 'usr_1', cause }: Made): LogEvent {
    const nth = this.#next++;
    const $causationId = cause ?? `req_${nth}`;
    const meta = { $correlationId: $causationId, $causationId, account: 'acc_1', actor: { kind, id: actor }, schemaVersion: 1 };
    const occurredAt = new Date(ms).toISOString();
    return {
      event,
      stream: `message-msg_${nth}`,
      revision: 0,
      position: String(nth).padStart(20, '0'),
      id: String(nth),
      meta: { ...meta, occurredAt },
    };
  }

  docs(collection = ENTRIES) {
    return this.views.docs<ActivityDoc>(activity, collection).find({ where: {}, order: { field: 'id' }, limit: 100_000 });
  }
}

const sent: AnyEvent = { type: 'MessageQueued', data: {} };
const paused = (id: string): AnyEvent => ({ type: 'CampaignPaused', data: { campaign_id: id } });

describe('the read model of activity', () => {
  it('counts what keys do by key, action and hour, as a recount of the events does, and has one document for each', async () => {
    const one = fc.record({
      key: fc.constantFrom('key_1', 'key_2'),
      type: fc.constantFrom('MessageQueued', 'ContactUpdated', 'BulkAccepted'),
      after: fc.nat({ max: 40 * 60_000 }),
      times: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 40 }), fc.integer({ min: 1, max: 15 }), async (all, pageSize) => {
        let ms = START;
        const counts = new Map<string, number>();
        const made = all.map(({ key, type, after, times }): Made => {
          ms += after;
          const { action } = actionRules.get(type) as { action: string };
          const group = `acc_1/${key}/${action}/${new Date(ms).toISOString().slice(0, 13)}`;
          counts.set(group, (counts.get(group) ?? 0) + (type === 'BulkAccepted' ? times : 1));
          return { event: { type, data: { accepted: times, contact_id: 'con_1' } }, ms, kind: 'key', actor: key };
        });
        const docs = await (await new Folded().add(made, pageSize)).docs();
        expect(docs.map(({ id, count }) => [id, count])).to.deep.equal([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 100) },
    );
  });

  it('writes one document of a page of sends, whatever it holds', async () => {
    const folded = await new Folded().add([{ event: sent, ms: START, kind: 'key', actor: 'key_1' }]);
    const writer = await folded.views.writer(activity);
    const events = Array.from({ length: 300 }, (_, i) => {
      const meta = {
        account: 'acc_1',
        actor: { kind: 'key', id: 'key_1' },
        occurredAt: new Date(START + i).toISOString(),
        $causationId: `req_x${i}`,
      };
      return { event: sent, stream: `message-${i}`, position: String(i + 10).padStart(20, '0'), meta } as unknown as LogEvent;
    });
    const lazy = events.map((event) => ({ type: event.event.type, position: event.position, recorded: {} as never, decode: () => event }));
    const ops = await foldPage(activity, writer, { after: '1', upTo: '2', events: lazy, bytes: 0 }, noLog);
    expect(ops).to.have.length(1);
    expect(ops[0]?.after).to.include({ count: 301 });
  });

  it('has nothing of what processes do and of rows of an import', async () => {
    const folded = await new Folded().add([
      { event: sent, ms: START, kind: 'process', actor: 'journeys' },
      { event: paused('cmp_1'), ms: START, kind: 'process', actor: 'campaigns' },
      { event: { type: 'ContactUpdated', data: { contact_id: 'con_1' } }, ms: START, cause: 'import/job_1/7' },
      { event: { type: 'MessageQueued', data: { batch_id: 'bat_1' } }, ms: START, kind: 'key', actor: 'key_1' },
    ]);
    expect(await folded.docs()).to.deep.equal([]);
  });

  it('makes one entry of what one command did to a resource, with each value from the first to the last', async () => {
    const named = (name: string): AnyEvent => ({ type: 'ListChanged', data: { list_id: 'lst_1', name } });
    const folded = await new Folded().add([
      { event: { type: 'ListCreated', data: { list_id: 'lst_1', name: 'A', description: null, opt_in: 'single' } }, ms: START },
      { event: named('B'), ms: START, cause: 'req_c' },
      { event: named('C'), ms: START, cause: 'req_c/part' },
    ]);
    const [, changed] = await activityQueries({ log: noLog, views: folded.views }).page(
      'acc_1',
      {},
      { after: null, descending: false, limit: 9 },
      START,
    );
    expect(changed).to.deep.include({ changes: { name: { from: 'A', to: 'C' } }, count: 2, resource_name: 'B' });
  });

  it('counts what exceeds a thousand entries of an hour', async () => {
    const many = Array.from({ length: 1_200 }, (_, i): Made => ({ event: paused(`cmp_${i}`), ms: START + i }));
    const docs = await (await new Folded().add(many, 500)).docs();
    expect(docs).to.have.length(1_001);
    expect(docs.reduce((sum, { count }) => sum + count, 0)).to.equal(1_200);
    expect(docs.filter(({ resource_id }) => resource_id === null).map(({ count }) => count)).to.deep.equal([200]);
  });

  it('shows entries for 400 days, and removes them once later days begin', async () => {
    const folded = new Folded();
    const days = [0, 1, 2, 3, 200];
    await folded.add(
      days.flatMap((day): Made[] => [
        { event: paused(`cmp_${day}`), ms: START + day * DAY_MS },
        { event: sent, ms: START + day * DAY_MS, kind: 'key', actor: 'key_1' },
      ]),
    );
    const shownAt = async (day: number): Promise<number> => {
      const range = { after: null, descending: true, limit: 100 };
      return (await activityQueries({ log: noLog, views: folded.views }).page('acc_1', {}, range, START + day * DAY_MS)).length;
    };
    expect(await shownAt(KEPT_DAYS - 1)).to.equal(10);
    expect(await shownAt(KEPT_DAYS + 2.5)).to.equal(4);
    expect(await folded.docs()).to.have.length(10);
    const later = (day: number): Made => ({ event: paused(`cmp_late_${day}`), ms: START + (KEPT_DAYS + day) * DAY_MS });
    // Two days with each day that begins.
    await folded.add([later(4)]);
    expect((await folded.docs()).map(({ at }) => at.slice(0, 10)).sort()).to.not.include.members(['2026-01-15', '2026-01-16']);
    expect(await folded.docs()).to.have.length(7);
    await folded.add([later(4.2), later(5)]);
    const left = await folded.docs();
    expect(left).to.have.length(5);
    const hours = await folded.docs('hours');
    expect(hours.map(({ id }) => id.slice('acc_1/'.length, 'acc_1/2026-01-15'.length))).to.not.include.members(['2026-01-15', '2026-01-18']);
  });
});

/** Events that nobody makes by a change of their own: what services do, what people do by links, and steps of other changes. */
const noActions: readonly string[] = `
  ApiKeyUsed UserKeyClaimed UserKeyReleased MessageReleased MessageSuppressed MessageExpired MessageDispatchStarted MessageDispatchDeferred
  MessageSent MessageFailed MessageDelivered MessageUndelivered MessageBounced MessageDeferred MessageOpened MessageClicked MessageRead
  MessageReplied MessageComplained MessageUnsubscribed ReceiptIgnored PushHandedOver PushReported MessageRepeated BulkChunkAccepted
  FrequencyPlaceTaken FrequencyPlaceReleased SoftBounceCounted SuppressionExcepted InboundTextReceived KeywordFollowed ContactAbsorbed
  ContactReleased ContactErased ContactKeyClaimed ContactKeyReleased ErasureCompleted ErasureSwept ImportBegun ImportAccepted
  ImportFinished ImportRowsForgotten ImportReverted ImportRowsStored ImportChunkDone ImportChunkReverted ConfirmationSent ListCleaned
  BouncedAddressCleaned DeliverySucceeded DeliveryAttemptFailed DeliveryFailed DeliveryStopped DeliveriesForgotten KeptMailCounted
  KeptMailReleased ReportKept ReportSettled WorkParked JobBegun JobStarted JobFinished JobContentForgotten JobInputStored JobOutputStored
  JobChunkDone CampaignAudienceFrozen CampaignTestStarted CampaignTestDecided CampaignExpanded CampaignSent CampaignCancelCompleted
  CampaignFailed EnrollmentNodeEntered EnrollmentTimerSet EnrollmentTimerFired EnrollmentTimerHeld EnrollmentTimerReleased
  EnrollmentBranchTaken EnrollmentWaitChecked EnrollmentEventCollected EnrollmentSendRequested EnrollmentSendSkipped EnrollmentActionTaken
  EnrollmentGoalReached EnrollmentMigrated EnrollmentMoved JourneyEntryAdmitted JourneyEntryRefused JourneyOccurrencePlanned
  JourneyOccurrenceStarted JourneyDatePlanned JourneyDateReached InboxItemStored InboxItemSeen InboxItemRead InboxItemUnread
  InboxItemArchived InboxItemUnarchived InboxItemClicked PushSubscribed PushDeviceAdded PushDeviceRemoved FormSlugClaimed FormSlugReleased
  FormSubmitted FormConfirmationSent FormSubmissionConfirmed FormEntryMade FormVisitsCounted ScoreChanged ContactRescored IntentTaken
  IntentFulfilled BulkDispatchStarted BulkDispatchReturned BulkDispatchEnded ContentPartStored InboundEmailReceived
  SegmentMembershipsChanged SegmentBuildStarted SegmentHistoryScanned SegmentBuildCompleted WorkSuspected WorkTried WorkTrialsEnded
  CampaignAudienceStored CampaignPartExpanded JourneySweepCompleted ScoreModelFitted EngagementModelFitted
  SessionUsed SecondFactorPrepared SecondFactorCodeUsed PasswordResetRequested PasswordResetAnswered
`
  .trim()
  .split(/\s+/);

describe('the table of actions', () => {
  it('knows each event type, or it is listed as none', () => {
    const missing = eventTypes.names().filter((name) => !actionRules.has(name) && !noActions.includes(name));
    expect(missing).to.deep.equal([]);
    expect([...actionRules.keys(), ...noActions].filter((name) => !eventTypes.names().includes(name))).to.deep.equal([]);
  });

  it('names fields that the events have', () => {
    for (const [name, { id, times, sealedName }] of actionRules) {
      const { schema, personal } = eventTypes.get(name);
      const fields = Object.keys(schema.properties);
      for (const field of [id, times]) if (field !== undefined) expect(fields, name).to.include(field);
      if (sealedName)
        expect(
          personal?.fields.some((field) => ['name', 'description', 'email'].includes(field)),
          name,
        ).to.equal(true);
    }
  });

  it('gives each resource one kind', () => {
    const kinds = [...actionRules.values()].map(resourceKindOf);
    expect(kinds.every((kind) => /^[a-z]+(_[a-z]+)*$/.test(kind))).to.equal(true);
  });
});
