import type { CampaignStatus } from '../../domain/campaigns/campaign.js';
import type { SealedCampaignEvent } from '../../domain/campaigns/campaign-events.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { Projection } from '../runtime/projection.js';

/** A campaign as lists need it; the rest is in the log. */
export interface CampaignDoc extends Doc {
  readonly account: string;
  readonly name: string;
  readonly channel: string;
  readonly category: string;
  readonly status: CampaignStatus | 'deleted';
  readonly deleted: boolean;
  /** Lists and segments that the audience names. */
  readonly uses: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly start_at: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly audience: number | null;
  readonly skipped: number;
  readonly version: number;
  /** Set while a test is not decided. */
  readonly testing: boolean;
  /** Time and id: the order of creation. */
  readonly sort: string;
}

const CAMPAIGNS = 'campaigns';

type DefinitionData = Extract<SealedCampaignEvent, { type: 'CampaignCreated' | 'CampaignChanged' }>['data']['definition'];

const shown = ({ name, channel, category, audience: { include, exclude } }: DefinitionData) => ({
  name,
  channel,
  category,
  uses: [include, exclude ?? {}].flatMap(({ list_ids = [], segment_ids = [] }) => [...list_ids, ...segment_ids]),
});

/** The campaigns of every account, for lists. */
export const campaigns: Projection<SealedCampaignEvent> = {
  name: 'campaigns',
  version: 2,
  handles: [
    'CampaignCreated',
    'CampaignChanged',
    'CampaignScheduled',
    'CampaignStarted',
    'CampaignAudienceFrozen',
    'CampaignPaused',
    'CampaignResumed',
    'CampaignTestStarted',
    'CampaignTestDecided',
    'CampaignExpanded',
    'CampaignSent',
    'CampaignCanceled',
    'CampaignCancelCompleted',
    'CampaignFailed',
    'CampaignDeleted',
  ],
  collections: {
    [CAMPAIGNS]: {
      indexes: [
        ['account', 'deleted', 'sort'],
        ['account', 'deleted', 'status', 'sort'],
      ],
      multi: { fields: ['uses'], scope: 'account', order: 'sort' },
    },
  },
  reads: ({ event }) => [{ collection: CAMPAIGNS, id: event.data.campaign_id, fresh: event.type === 'CampaignCreated' }],
  apply: ({ event, meta }, view) => {
    const { campaign_id: id, at } = event.data;
    if (event.type === 'CampaignCreated') {
      const times = { created_at: at, updated_at: at, start_at: null, started_at: null, finished_at: null };
      const about = { account: meta.account, status: 'draft', deleted: false, audience: null, skipped: 0, version: 1, testing: false } as const;
      view.put(CAMPAIGNS, { id, ...about, ...shown(event.data.definition), ...times, sort: `${at}/${id}` } satisfies CampaignDoc);
      return;
    }
    const before = view.get<CampaignDoc>(CAMPAIGNS, id);
    if (!before) throw new Error(`campaign ${id} has no beginning`);
    view.put(CAMPAIGNS, { ...before, updated_at: at, version: before.version + 1, ...changes(event, before) } satisfies CampaignDoc);
  },
};

function changes(event: Exclude<SealedCampaignEvent, { type: 'CampaignCreated' }>, { testing }: CampaignDoc): Partial<CampaignDoc> {
  const { at } = event.data;
  switch (event.type) {
    case 'CampaignChanged':
      return shown(event.data.definition);
    case 'CampaignScheduled':
      return { status: 'scheduled', start_at: event.data.start_at };
    case 'CampaignStarted':
      return { status: 'sending', started_at: at };
    case 'CampaignAudienceFrozen':
      return { audience: event.data.count };
    case 'CampaignPaused':
      return { status: 'paused' };
    case 'CampaignResumed':
      return { status: testing ? 'testing' : 'sending' };
    case 'CampaignTestStarted':
      return { status: 'testing', testing: true };
    case 'CampaignTestDecided':
      return { status: 'sending', testing: false };
    case 'CampaignExpanded':
      return { skipped: event.data.skipped };
    case 'CampaignSent':
      return { status: 'sent', finished_at: at };
    case 'CampaignCanceled':
      return { status: 'canceled', finished_at: at };
    case 'CampaignFailed':
      return { status: 'failed', finished_at: at };
    case 'CampaignDeleted':
      return { status: 'deleted', deleted: true };
    case 'CampaignCancelCompleted':
      return {};
    default:
      return event satisfies never;
  }
}
