import { campaign, campaignStream, type KnownCampaign } from '../../../domain/campaigns/campaign.js';
import type { SealedCampaignEvent } from '../../../domain/campaigns/campaign-events.js';
import { type AudienceEvent, audienceStream, type ExpandedPart, type ExpansionEvent, expansionStream } from '../../../domain/campaigns/expansion.js';
import type { Position } from '../../../domain/kernel/ports.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadOwn } from '../load-aggregate.js';

/** A campaign of an account. Throws `not_found` if there is none, or it is deleted. */
export async function loadCampaign(log: EventLog, account: string, id: string): Promise<KnownCampaign> {
  return (await loadOwn(log, campaign, account, id)).state;
}

/** The position in the log at which a campaign was started. Throws where it was not. */
export async function loadStartPosition(log: EventLog, id: string): Promise<Position> {
  const started = ((await log.readSealed(campaignStream(id))) ?? []).find(({ event }) => event.type === 'CampaignStarted');
  if (!started) throw new Error(`campaign ${id} was not started`);
  return started.position;
}

/** Whether messages of a campaign wait: it is paused, or canceled and what waits is being canceled. Reads one event. */
export async function isHeld(log: EventLog, id: string): Promise<boolean> {
  const [last] = (await log.readSealed(campaignStream(id), { backwards: true, limit: 1 })) ?? [];
  const type = last?.event.type as SealedCampaignEvent['type'] | undefined;
  return type === 'CampaignPaused' || type === 'CampaignCanceled';
}

/** The last recorded chunk of a frozen audience, and its revision; -1 if there is none. */
export async function loadLastChunk(log: EventLog, id: string): Promise<{ readonly revision: number; readonly last: AudienceEvent['data'] | null }> {
  const [last] = (await log.read<AudienceEvent>(audienceStream(id), { backwards: true, limit: 1 })) ?? [];
  return { revision: last?.revision ?? -1, last: last?.event.data ?? null };
}

/** Throws where the chunk does not exist. */
export async function loadAudienceChunk(log: EventLog, id: string, chunk: number): Promise<readonly string[]> {
  const [stored] = (await log.read<AudienceEvent>(audienceStream(id), { from: chunk, limit: 1 })) ?? [];
  if (!stored) throw new Error(`chunk ${chunk} of the audience of ${id} does not exist`);
  return stored.event.data.contact_ids;
}

/** The last recorded step of an expansion, and its revision; -1 if there is none. */
export async function loadLastPart(log: EventLog, id: string): Promise<{ readonly revision: number; readonly last: ExpandedPart | null }> {
  const [last] = (await log.read<ExpansionEvent>(expansionStream(id), { backwards: true, limit: 1 })) ?? [];
  return { revision: last?.revision ?? -1, last: last?.event.data ?? null };
}

/** The nth step; null after the last one. */
export async function loadPart(log: EventLog, id: string, nth: number): Promise<ExpandedPart | null> {
  const [part] = (await log.read<ExpansionEvent>(expansionStream(id), { from: nth, limit: 1 })) ?? [];
  return part?.event.data ?? null;
}
