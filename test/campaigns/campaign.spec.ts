import { type CampaignCommand, campaign } from '../../domain/campaigns/campaign.js';
import type { CampaignEvent } from '../../domain/campaigns/campaign-events.js';
import { completeCampaignDefinition } from '../../domain/campaigns/definition.js';
import { specification } from '../given.js';

const { given } = specification(campaign);
const campaign_id = 'cmp_1';
const account_id = 'acc_1';
const before = '2026-01-01T00:00:00.000Z';
const now = '2026-01-02T00:00:00.000Z';
const start_at = '2026-02-01T09:00:00.000Z';

const audience = { include: { everyone: true } };
const definition = completeCampaignDefinition({ name: 'Spring', channel: 'email', audience, content: { subject: 'Hi', message: 'Spring' } }, null);
const ab_test = { sample_percent: 20, metric: 'click_rate', duration_seconds: 3_600 } as const;

const created: CampaignEvent = { type: 'CampaignCreated', data: { campaign_id, account_id, definition, webhook_url: null, at: before } };
const withTest: CampaignEvent = { type: 'CampaignCreated', data: { ...created.data, definition: { ...definition, ab_test } } } as CampaignEvent;
const scheduled: CampaignEvent = { type: 'CampaignScheduled', data: { campaign_id, start_at, at: before } };
const started: CampaignEvent = { type: 'CampaignStarted', data: { campaign_id, run: 1, at: before } };
const frozen: CampaignEvent = { type: 'CampaignAudienceFrozen', data: { campaign_id, count: 3, chunks: 1, rules: [], at: before } };
const paused: CampaignEvent = { type: 'CampaignPaused', data: { campaign_id, reason: 'requested', at: before } };
const expanded: CampaignEvent = { type: 'CampaignExpanded', data: { campaign_id, messages: 2, skipped: 1, at: before } };
const testing: CampaignEvent = { type: 'CampaignTestStarted', data: { campaign_id, decide_at: now, at: before } };
const canceled: CampaignEvent = { type: 'CampaignCanceled', data: { campaign_id, started: before, at: now } };
const sent: CampaignEvent = {
  type: 'CampaignSent',
  data: { campaign_id, name: 'Spring', channel: 'email', counts: { sent: 2 }, started_at: before, at: now },
};

const start: CampaignCommand = { type: 'Start', templates: [], campaign_id, test: false, now };
const pause: CampaignCommand = { type: 'Pause', campaign_id, reason: 'requested', now };
const resume: CampaignCommand = { type: 'Resume', campaign_id, now };
const cancel: CampaignCommand = { type: 'Cancel', campaign_id, now };
const finish: CampaignCommand = { type: 'Finish', campaign_id, counts: { sent: 2 }, now };
const expand: CampaignCommand = { type: 'Expand', campaign_id, pass: 'all', messages: 2, skipped: 1, now };
const change = (fields: object, expected: number | null = null, starts: string | null = null): CampaignCommand => ({
  ...{ type: 'Change', campaign_id, account_id, webhook_url: null, expected, start_at: starts, now },
  definition: { ...definition, ...fields },
});

describe('Campaign', () => {
  it('is created, once', () => {
    const create: CampaignCommand = { type: 'Create', campaign_id, account_id, definition, webhook_url: null, now: before };
    given().when(create).then(created);
    given(created).when(create).thenNothing();
  });

  it('is changed only as a draft or scheduled, at the expected version', () => {
    const renamed = { type: 'CampaignChanged', data: { name: 'Summer' } };
    given(created)
      .when(change({ name: 'Summer' }, 1))
      .thenIncludes({ type: renamed.type, data: { campaign_id, definition: { ...definition, name: 'Summer' } } });
    given(created, scheduled).when(change({})).thenNothing();
    given(created)
      .when(change({ name: 'Summer' }, 2))
      .thenRefused('version_conflict', { expected: 2, actual: 1 });
    given(created, started)
      .when(change({ name: 'Summer' }))
      .thenRefused('invalid_state', { current: 'sending', allowed: ['draft', 'scheduled'] });
  });

  it('starts at another time where a change moves it, in one append', () => {
    const schedule = { send_at: '2026-03-01T09:00:00.000Z' };
    const moved = change({ schedule }, null, schedule.send_at);
    const changed: CampaignEvent = {
      type: 'CampaignChanged',
      data: { campaign_id, account_id, definition: { ...definition, schedule }, webhook_url: null, at: now },
    };
    given(created, scheduled)
      .when(moved)
      .then(changed, { type: 'CampaignScheduled', data: { campaign_id, start_at: schedule.send_at, at: now } });
    given(created, scheduled)
      .when(change({}, null, start_at))
      .thenNothing();
    given(created).when(moved).then(changed);
  });

  it('starts at the time of its schedule, unless that has changed', () => {
    given(created, scheduled)
      .when({ ...start, due: start_at })
      .then({ type: 'CampaignStarted', data: { campaign_id, run: 1, at: now } });
    given(created, scheduled)
      .when({ ...start, due: before })
      .thenNothing();
    given(created, scheduled, canceled)
      .when({ ...start, due: start_at })
      .thenNothing();
    given(created, started).when(start).thenNothing();
    given(created, canceled).when(start).thenRefused('invalid_state', { current: 'canceled' });
  });

  it('pauses and resumes with a new run; repeats change nothing', () => {
    given(created, started)
      .when(pause)
      .then({ type: 'CampaignPaused', data: { campaign_id, reason: 'requested', at: now } });
    given(created, started, paused).when(pause).thenNothing();
    given(created, started, paused)
      .when(resume)
      .then({ type: 'CampaignResumed', data: { campaign_id, run: 2, at: now } });
    given(created, started).when(resume).thenNothing();
    given(created).when(pause).thenRefused('invalid_state', { current: 'draft' });
  });

  it('is sent once, after its expansion', () => {
    given(created, started, frozen).when(finish).thenNothing();
    given(created, started, frozen)
      .when(expand)
      .then({ type: 'CampaignExpanded', data: { campaign_id, messages: 2, skipped: 1, at: now } });
    given(created, started, frozen, expanded).when(expand).thenNothing();
    given(created, started, frozen, expanded).when(finish).then(sent);
    given(created, started, frozen, expanded, sent).when(finish).thenNothing();
    given(created, started, frozen, expanded, paused).when(finish).thenNothing();
  });

  it('is canceled once; what waits is canceled after it', () => {
    given(created, started, frozen).when(cancel).then(canceled);
    given(created, started, canceled).when(cancel).thenNothing();
    given(created, started, canceled).when(expand).thenNothing();
    given(created, started, sent).when(cancel).thenRefused('invalid_state', { current: 'sent' });
    given(created, started, canceled)
      .when({ type: 'CompleteCancel', campaign_id, canceled: 2, now })
      .then({ type: 'CampaignCancelCompleted', data: { campaign_id, canceled: 2, at: now } });
  });

  it('tests its variants on a sample, decides once, and sends the better one to all others', () => {
    const decided: CampaignEvent = { type: 'CampaignTestDecided', data: { campaign_id, variant: 'a', result: 'winner', run: 2, at: now } };
    const decide: CampaignCommand = { type: 'DecideTest', campaign_id, variant: 'a', result: 'winner', now };
    given(withTest, started, frozen)
      .when({ ...expand, pass: 'sample' })
      .then({ type: 'CampaignTestStarted', data: { campaign_id, decide_at: '2026-01-02T01:00:00.000Z', at: now } });
    given(withTest, started, frozen, testing).when(decide).then(decided);
    given(withTest, started, frozen, testing, decided).when(decide).thenNothing();
    given(withTest, started, frozen, testing, decided)
      .when({ ...expand, pass: 'rest' })
      .thenIncludes({ type: 'CampaignExpanded', data: { messages: 2 } });
    given(withTest, started, frozen, testing, decided)
      .when({ ...expand, pass: 'sample' })
      .thenNothing();
  });
});
