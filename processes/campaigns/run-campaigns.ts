import { campaignCancelJobId, campaignJobId } from '../../commands/campaigns/campaign-kinds.js';
import { beginCampaignJob, decideCampaignTest, finishCampaign, startDueCampaign } from '../../commands/campaigns/steps.js';
import type { SealedCampaignEvent } from '../../domain/campaigns/campaign-events.js';
import type { JobEvent } from '../../domain/jobs/job.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type Intention, type PerformContext, type ProcessManager, performEach, type Todo, type TryLater } from '../runtime/process-manager.js';

/** The next step of a campaign. A campaign has at most one to-do of each step. */
export interface CampaignTodo extends Todo {
  readonly correlation: string;
  readonly campaign_id: string;
  readonly step: 'start' | 'send' | 'cancel' | 'decide' | 'finish';
  readonly run: number;
  /** Of a start. */
  readonly due?: string;
  readonly test?: boolean;
}

/** What the counters say about a campaign; null as long as they lack what is in the log. */
export interface CampaignProgress {
  /** Counters by name, for its end; null while a message has not left queued and sending. */
  finished(account: string, campaignId: string): Promise<Readonly<Record<string, number>> | null>;
  /** The result of its test at the time of its decision; null where it cannot be decided yet. */
  decided(account: string, campaignId: string): Promise<{ readonly variant: string; readonly result: 'winner' | 'no_clear_winner' | 'void' } | null>;
}

type HandledEvent = SealedCampaignEvent | Extract<JobEvent, { type: 'JobAccepted' }>;

/** Leads campaigns on: starts them at their time, begins their jobs, decides their tests, and records their end. */
export const runCampaigns = (progress: CampaignProgress): ProcessManager<HandledEvent, CampaignTodo> => ({
  name: 'campaigns/run-campaigns',
  version: 1,
  handles: [
    'CampaignScheduled',
    'CampaignStarted',
    'CampaignResumed',
    'CampaignTestStarted',
    'CampaignTestDecided',
    'CampaignExpanded',
    'CampaignSent',
    'CampaignCanceled',
    'CampaignFailed',
    'CampaignDeleted',
    'JobAccepted',
  ],
  reads: (stored) => ({ todos: idsOf(stored.event) }),
  react,
  concurrency: { lane: 4, total: 16 },
  perform: performEach((todo, performing) => perform(todo, performing, progress)),
});

/** Between two looks at the counters. */
const ASK_AGAIN_MS = 1_000;

const todoId = (campaignId: string, step: CampaignTodo['step']): string => `${campaignId}/${step}`;
/** The to-do that begins a job is named by it, so that its acceptance ends it. */
const jobTodoId = (job: string): string => `job/${job}`;

function idsOf(event: HandledEvent): string[] {
  if (event.type === 'JobAccepted') return [jobTodoId(event.data.job_id)];
  const { campaign_id } = event.data;
  const steps = ['start', 'decide', 'finish'] as const;
  const job = 'run' in event.data ? [jobTodoId(campaignJobId(campaign_id, event.data.run))] : [];
  return [...steps.map((step) => todoId(campaign_id, step)), ...job, jobTodoId(campaignCancelJobId(campaign_id))];
}

function react({ event, meta }: LogEvent<HandledEvent>): readonly Intention[] {
  if (event.type === 'JobAccepted')
    return event.data.kind.startsWith('campaign_')
      ? [{ do: 'cancel', id: jobTodoId(event.data.job_id) }]
      : [{ do: 'ignore', reason: 'no_job_of_a_campaign' }];
  const { campaign_id, at } = event.data;
  const from = { account: meta.account, correlation: meta.$correlationId, priority: 2, lane: 'campaigns', campaign_id } as const;
  const schedule = (step: CampaignTodo['step'], id: string, more: { due_at: string; run?: number; due?: string; test?: boolean }): Intention => {
    const { due_at, run = 0, ...rest } = more;
    const todo: CampaignTodo = { id, ...from, step, run, due_at: Date.parse(due_at), ...rest };
    return { do: 'schedule', todo };
  };
  const send = (run: number): Intention => schedule('send', jobTodoId(campaignJobId(campaign_id, run)), { due_at: at, run });
  const cancel = (...steps: CampaignTodo['step'][]): Intention[] => steps.map((step) => ({ do: 'cancel', id: todoId(campaign_id, step) }));
  switch (event.type) {
    case 'CampaignScheduled': {
      const { start_at, test = false } = event.data;
      return [schedule('start', todoId(campaign_id, 'start'), { due_at: start_at, due: start_at, test })];
    }
    case 'CampaignStarted':
      return [...cancel('start'), send(event.data.run)];
    case 'CampaignResumed':
      return [send(event.data.run)];
    case 'CampaignTestStarted':
      return [schedule('decide', todoId(campaign_id, 'decide'), { due_at: event.data.decide_at })];
    case 'CampaignTestDecided':
      return [...cancel('decide'), send(event.data.run)];
    case 'CampaignExpanded':
      return [schedule('finish', todoId(campaign_id, 'finish'), { due_at: at })];
    case 'CampaignCanceled':
      return [
        ...cancel('start', 'decide', 'finish'),
        ...(event.data.started === undefined ? [] : [schedule('cancel', jobTodoId(campaignCancelJobId(campaign_id)), { due_at: at })]),
      ];
    case 'CampaignSent':
    case 'CampaignFailed':
    case 'CampaignDeleted':
      return cancel('start', 'decide', 'finish');
    default:
      return [{ do: 'ignore', reason: 'no_step_follows' }];
  }
}

async function perform(todo: CampaignTodo, { execute, clock }: PerformContext, progress: CampaignProgress): Promise<Checkpoint | TryLater> {
  const { id, campaign_id, account, correlation, step, run, due = '', test = false } = todo;
  const about = { account, correlation, about: id };
  switch (step) {
    case 'start':
      return (await execute(startDueCampaign, { campaign_id, due }, { ...about, about: `${id}/${due}`, ...(test && { test: true }) })).position;
    case 'send':
    case 'cancel':
      return (await execute(beginCampaignJob, { campaign_id, run, job: step }, about)).position;
    case 'decide': {
      const decided = await progress.decided(account, campaign_id);
      return decided ? (await execute(decideCampaignTest, { campaign_id, ...decided }, about)).position : { retry_at: clock.now() + ASK_AGAIN_MS };
    }
    case 'finish': {
      const counts = await progress.finished(account, campaign_id);
      return counts
        ? (await execute(finishCampaign, { campaign_id, counts: { ...counts } }, about)).position
        : { retry_at: clock.now() + ASK_AGAIN_MS };
    }
    default:
      return step satisfies never;
  }
}
