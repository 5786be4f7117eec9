/**
 * A campaign: one content to many contacts. Its stream holds its definition and its status. The frozen audience and the progress of
 * its expansion into messages have streams of their own (see expansion.ts).
 */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import type { EventOf } from '../kernel/event.js';
import { named, oneOf, type Static } from '../kernel/schema.js';
import {
  type CampaignAudienceFrozen,
  type CampaignCreated,
  type CampaignEvent,
  type CampaignStarted,
  type CampaignTestDecided,
  campaignEvents,
  type RuleVersions,
  type TemplateVersions,
} from './campaign-events.js';
import type { CampaignDefinition } from './definition.js';

// Events are in campaign-events.ts.

// State

export const campaignStatuses = ['draft', 'scheduled', 'sending', 'testing', 'paused', 'sent', 'canceled', 'failed'] as const;
export const campaignStatusSchema = named('CampaignStatus', oneOf(...campaignStatuses));
export type CampaignStatus = Static<typeof campaignStatusSchema>;

/** The part of the audience that is messaged now: all, the sample of a test, or who is not in it. */
export type Pass = 'all' | 'sample' | 'rest';

export interface CampaignDetails {
  readonly id: string;
  readonly definition: CampaignDefinition;
  readonly webhook_url: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Number of events, starting at 1. */
  readonly version: number;
  readonly start_at: string | null;
  /** Of a test key. */
  readonly test_key: boolean;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /** Starts and resumes. */
  readonly run: number;
  readonly pass: Pass;
  /** The versions that its messages are made from. */
  readonly templates: TemplateVersions;
  /** `first`: the number of its first chunk. */
  readonly audience: { readonly count: number; readonly chunks: number; readonly first: number } | null;
  /** Of the expansion once it is complete. */
  readonly expanded: { readonly messages: number; readonly skipped: number } | null;
  readonly test: { readonly decide_at: string; readonly decided: { readonly variant: string; readonly result: string } | null } | null;
  readonly reason: string | null;
}
export type KnownCampaign = CampaignDetails & { readonly status: CampaignStatus | 'deleted' };
export type Campaign = { readonly status: 'new' } | KnownCampaign;

export function evolve(campaign: Campaign, event: CampaignEvent): Campaign {
  if (event.type === 'CampaignCreated') return created(event.data);
  if (campaign.status === 'new') return campaign;
  const { at } = event.data;
  const next = { ...campaign, updated_at: at, version: campaign.version + 1 };
  switch (event.type) {
    case 'CampaignChanged':
      return { ...next, definition: event.data.definition, webhook_url: event.data.webhook_url };
    case 'CampaignScheduled':
      return { ...next, status: 'scheduled', start_at: event.data.start_at, test_key: event.data.test ?? false };
    case 'CampaignStarted':
      return started(next, event.data);
    case 'CampaignAudienceFrozen':
      return { ...next, audience: frozenAudience(event.data) };
    case 'CampaignPaused':
      return { ...next, status: 'paused', reason: event.data.reason };
    case 'CampaignResumed':
      return { ...next, status: isTesting(campaign) ? 'testing' : 'sending', run: event.data.run, reason: null };
    case 'CampaignTestStarted':
      return { ...next, status: 'testing', test: { decide_at: event.data.decide_at, decided: null } };
    case 'CampaignTestDecided':
      return { ...next, ...decidedTest(campaign, event.data) };
    case 'CampaignExpanded':
      return { ...next, expanded: { messages: event.data.messages, skipped: event.data.skipped } };
    case 'CampaignSent':
      return { ...next, status: 'sent', finished_at: at };
    case 'CampaignCanceled':
      return { ...next, status: 'canceled', finished_at: at };
    case 'CampaignCancelCompleted':
      return next;
    case 'CampaignFailed':
      return { ...next, status: 'failed', finished_at: at, reason: event.data.reason };
    case 'CampaignDeleted':
      return { ...next, status: 'deleted' };
    default:
      return event satisfies never;
  }
}

function created({ campaign_id: id, definition, webhook_url, at }: EventOf<typeof CampaignCreated>['data']): KnownCampaign {
  const nothing = { start_at: null, started_at: null, finished_at: null, audience: null, expanded: null, test: null, reason: null };
  return {
    status: 'draft',
    id,
    definition,
    webhook_url,
    created_at: at,
    updated_at: at,
    version: 1,
    run: 0,
    pass: 'all',
    templates: [],
    test_key: false,
    ...nothing,
  };
}

const frozenAudience = ({ count, chunks, first = 0 }: EventOf<typeof CampaignAudienceFrozen>['data']) => ({ count, chunks, first });

const started = (campaign: KnownCampaign, { run, test = false, templates = [], at }: EventOf<typeof CampaignStarted>['data']): KnownCampaign => ({
  ...campaign,
  status: 'sending',
  started_at: at,
  run,
  pass: campaign.definition.ab_test ? 'sample' : 'all',
  templates,
  test_key: test,
});

/** The sample is messaged, and the test is not decided. */
const isTesting = ({ test }: KnownCampaign): boolean => test !== null && test.decided === null;

function decidedTest({ test }: KnownCampaign, { variant, result, run, at }: EventOf<typeof CampaignTestDecided>['data']) {
  const decided = { decide_at: test?.decide_at ?? at, decided: { variant, result } };
  return { status: 'sending', test: decided, run, pass: 'rest' } as const;
}

// Commands

type DefinitionCommand = { campaign_id: string; account_id: string; definition: CampaignDefinition; webhook_url: string | null; now: string };
export type CampaignCommand =
  | ({ type: 'Create' } & DefinitionCommand)
  /** `expected`: the version that the caller has read, or null to skip the check. `start_at`: of a scheduled one after the change; null keeps it. */
  | ({ type: 'Change'; expected: number | null; start_at: string | null } & DefinitionCommand)
  | { type: 'Schedule'; campaign_id: string; start_at: string; test: boolean; now: string }
  /** `due`: at the time of its schedule; without effect if that has changed. Otherwise it starts now, whatever its schedule is. */
  | { type: 'Start'; campaign_id: string; due?: string; test: boolean; templates: TemplateVersions; now: string }
  | { type: 'Freeze'; campaign_id: string; count: number; chunks: number; first: number; rules: RuleVersions; now: string }
  | { type: 'Pause'; campaign_id: string; reason: 'requested' | 'invalid_message'; now: string }
  | { type: 'Resume'; campaign_id: string; now: string }
  | { type: 'Expand'; campaign_id: string; pass: Pass; messages: number; skipped: number; now: string }
  | { type: 'DecideTest'; campaign_id: string; variant: string; result: 'winner' | 'no_clear_winner' | 'void'; now: string }
  | { type: 'Finish'; campaign_id: string; counts: Readonly<Record<string, number>>; now: string }
  | { type: 'Cancel'; campaign_id: string; now: string }
  | { type: 'CompleteCancel'; campaign_id: string; canceled: number; now: string }
  | { type: 'Fail'; campaign_id: string; reason: string; now: string }
  | { type: 'Delete'; campaign_id: string; now: string };

type Of<T extends CampaignCommand['type']> = Extract<CampaignCommand, { type: T }>;

/** From which statuses each request leads on, and the statuses in which it is done already. */
const requests = {
  Change: { from: ['draft', 'scheduled'], done: [] },
  Schedule: { from: ['draft', 'scheduled'], done: [] },
  Start: { from: ['draft', 'scheduled'], done: ['sending', 'testing', 'sent'] },
  Pause: { from: ['sending', 'testing'], done: ['paused'] },
  Resume: { from: ['paused'], done: ['sending', 'testing', 'sent'] },
  Cancel: { from: ['draft', 'scheduled', 'sending', 'testing', 'paused'], done: ['canceled'] },
  Delete: { from: ['draft', 'scheduled', 'sent', 'canceled', 'failed'], done: ['deleted'] },
} as const satisfies Record<string, { readonly from: readonly CampaignStatus[]; readonly done: readonly string[] }>;

const verbs = {
  Change: 'changed',
  Schedule: 'scheduled',
  Start: 'sent',
  Pause: 'paused',
  Resume: 'resumed',
  Cancel: 'canceled',
  Delete: 'deleted',
} as const satisfies Record<keyof typeof requests, string>;

/** Whether there is something to do. Throws `invalid_state`, and `not_found` where the campaign is deleted. */
function leadsOn(type: keyof typeof requests, { id, status }: KnownCampaign): boolean {
  const { from, done } = requests[type];
  if ((done as readonly string[]).includes(status)) return false;
  if ((from as readonly string[]).includes(status)) return true;
  if (status === 'deleted') throw notFound('campaign', id);
  throw new DomainError('invalid_state', `A campaign that is ${status} cannot be ${verbs[type]}.`, { current: status, allowed: from });
}

/** Throws `not_found`, `invalid_state` and `version_conflict`. Repeats of what is done produce no events. */
export function decide(command: CampaignCommand, campaign: Campaign): readonly CampaignEvent[] {
  const { campaign_id, now: at } = command;
  if (command.type === 'Create') {
    const { account_id, definition, webhook_url } = command;
    return campaign.status === 'new' ? [{ type: 'CampaignCreated', data: { campaign_id, account_id, definition, webhook_url, at } }] : [];
  }
  if (campaign.status === 'new') throw notFound('campaign', campaign_id);
  return isRequest(command) ? decideRequest(command, campaign) : decideStep(command, campaign);
}

type RequestCommand = Of<keyof typeof requests>;
type StepCommand = Exclude<CampaignCommand, RequestCommand | Of<'Create'>>;
const isRequest = (command: RequestCommand | StepCommand): command is RequestCommand => Object.hasOwn(requests, command.type);

function decideRequest(command: RequestCommand, campaign: KnownCampaign): readonly CampaignEvent[] {
  const { campaign_id, now: at } = command;
  if (command.type === 'Start' && command.due !== undefined && (campaign.status !== 'scheduled' || campaign.start_at !== command.due)) return [];
  if (!leadsOn(command.type, campaign)) return [];
  switch (command.type) {
    case 'Change':
      return change(command, campaign);
    case 'Schedule':
      return campaign.status === 'scheduled' && campaign.start_at === command.start_at
        ? []
        : [{ type: 'CampaignScheduled', data: { campaign_id, start_at: command.start_at, ...(command.test && { test: true }), at } }];
    case 'Start': {
      const { test, templates } = command;
      const data = { campaign_id, run: campaign.run + 1, ...(test && { test }), ...(templates.length > 0 && { templates: [...templates] }), at };
      return [{ type: 'CampaignStarted', data }];
    }
    case 'Pause':
      return [{ type: 'CampaignPaused', data: { campaign_id, reason: command.reason, at } }];
    case 'Resume':
      return [{ type: 'CampaignResumed', data: { campaign_id, run: campaign.run + 1, at } }];
    case 'Cancel':
      return [{ type: 'CampaignCanceled', data: { campaign_id, ...(campaign.started_at && { started: campaign.started_at }), at } }];
    case 'Delete':
      return [{ type: 'CampaignDeleted', data: { campaign_id, at } }];
    default:
      return command satisfies never;
  }
}

function change(
  { campaign_id, account_id, definition, webhook_url, expected, start_at, now: at }: Of<'Change'>,
  campaign: KnownCampaign,
): CampaignEvent[] {
  if (expected !== null && expected !== campaign.version) {
    const message = `The campaign is at version ${campaign.version}, not ${expected}. Read it again, then change it.`;
    throw new DomainError('version_conflict', message, { expected, actual: campaign.version });
  }
  const same = JSON.stringify(definition) === JSON.stringify(campaign.definition) && webhook_url === campaign.webhook_url;
  const changed: CampaignEvent[] = same ? [] : [{ type: 'CampaignChanged', data: { campaign_id, account_id, definition, webhook_url, at } }];
  if (campaign.status !== 'scheduled' || start_at === null || start_at === campaign.start_at) return changed;
  return [...changed, { type: 'CampaignScheduled', data: { campaign_id, start_at, ...(campaign.test_key && { test: true }), at } }];
}

const isRunning = ({ status }: KnownCampaign): boolean => status === 'sending' || status === 'testing' || status === 'paused';

/** Steps of the work: without effect where they are done, or where the campaign has ended meanwhile. */
function decideStep(command: StepCommand, campaign: KnownCampaign): readonly CampaignEvent[] {
  const { campaign_id, now: at } = command;
  if (command.type === 'CompleteCancel')
    return campaign.status === 'canceled' ? [{ type: 'CampaignCancelCompleted', data: { campaign_id, canceled: command.canceled, at } }] : [];
  if (!isRunning(campaign)) return [];
  switch (command.type) {
    case 'Freeze': {
      const { count: contacts, chunks, first, rules: versions } = command;
      if (campaign.audience) return [];
      return [
        { type: 'CampaignAudienceFrozen', data: { campaign_id, count: contacts, chunks, ...(first > 0 && { first }), rules: [...versions], at } },
      ];
    }
    case 'Expand':
      return expand(command, campaign);
    case 'DecideTest': {
      const { variant, result } = command;
      if (campaign.status !== 'testing') return [];
      const decided: CampaignEvent = { type: 'CampaignTestDecided', data: { campaign_id, variant, result, run: campaign.run + 1, at } };
      const pauses = campaign.definition.ab_test?.auto_send_winner === false;
      return pauses ? [decided, { type: 'CampaignPaused', data: { campaign_id, reason: 'test_decided', at } }] : [decided];
    }
    case 'Finish': {
      const { definition, expanded, started_at } = campaign;
      if (!expanded || campaign.status !== 'sending') return [];
      const { name, channel } = definition;
      return [{ type: 'CampaignSent', data: { campaign_id, name, channel, counts: { ...command.counts }, started_at: started_at ?? at, at } }];
    }
    case 'Fail':
      return [{ type: 'CampaignFailed', data: { campaign_id, reason: command.reason, at } }];
    default:
      return command satisfies never;
  }
}

/** After the sample of a test its time begins. */
function expand(
  { campaign_id, pass, messages, skipped, now: at }: Of<'Expand'>,
  { status, definition, ...campaign }: KnownCampaign,
): CampaignEvent[] {
  if (status !== 'sending' || campaign.pass !== pass || campaign.expanded) return [];
  if (pass !== 'sample') return [{ type: 'CampaignExpanded', data: { campaign_id, messages, skipped, at } }];
  const decide_at = new Date(Date.parse(at) + (definition.ab_test?.duration_seconds ?? 0) * 1_000).toISOString();
  return [{ type: 'CampaignTestStarted', data: { campaign_id, decide_at, at } }];
}

// Stream

export const campaignStream = (id: string): string => `campaign-${id}`;

export const campaign: OwnedAggregate<Campaign, CampaignCommand, CampaignEvent> = {
  resource: 'campaign',
  stream: campaignStream,
  events: campaignEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
