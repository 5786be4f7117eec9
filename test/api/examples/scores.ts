import { samplePurchases } from '../../../domain/scores/sample-purchases.js';
import { eventually } from '../../support/eventually.js';
import type { ServiceWithLinks } from '../../suppressions/links.js';
import type { Recorder } from './recorder.js';

/** Uses every operation of scores once, with simulated buyers. */
export async function scores(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const events = samplePurchases({ count: 300, seed: 1, days: 365, now: Date.now() });
  const { body } = await service.api('POST', '/v1/events/batch', { events });
  const { id } = (await client.call('refitScores')).body;
  await eventually('the fit is completed', async () => (await service.api('GET', `/v1/jobs/${id}`)).body.status === 'completed', { within: 60_000 });
  await client.call('getContactScores', { path: { id: body.events[0].contact_id } });
  await client.call('listScores');
  await client.call('getScoreDistribution', { path: { name: 'churn_probability' } });
  await client.call('drawScoreReliability', { path: { name: 'churn_probability' } });
  await client.call('drawScoreDistribution', { path: { name: 'churn_probability' } });
}
