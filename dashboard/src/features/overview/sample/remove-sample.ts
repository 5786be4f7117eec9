import { answer, api } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';
import { waitForJob } from '../../../api/jobs.ts';
import { isSample, sampleFields } from './contents.ts';
import { SAMPLE_TAG } from './people.ts';

const query = { limit: 200 };

/**
 * Removes the people, lists, segments, templates, campaign, journey and fields of the sample. What was sent stays in the history. A repetition
 * completes what was interrupted.
 */
export async function removeSample(): Promise<void> {
  await removeAll(api.GET('/v1/journeys', { params: { query } }), async (id) => {
    const path = { params: { path: { id } } };
    await unless(409, api.POST('/v1/journeys/{id}/stop', path));
    await unless(409, api.POST('/v1/journeys/{id}/archive', path));
    await unless(409, api.DELETE('/v1/journeys/{id}', path));
  });
  await removeAll(api.GET('/v1/campaigns', { params: { query } }), (id) =>
    unless(409, api.DELETE('/v1/campaigns/{id}', { params: { path: { id } } })),
  );
  await removeAll(api.GET('/v1/templates', { params: { query } }), (id) =>
    unless(409, api.DELETE('/v1/templates/{id}', { params: { path: { id } } })),
  );
  await removeAll(api.GET('/v1/segments', { params: { query } }), (id) => unless(409, api.DELETE('/v1/segments/{id}', { params: { path: { id } } })));
  await removeAll(api.GET('/v1/lists', { params: { query } }), (id) => unless(409, api.DELETE('/v1/lists/{id}', { params: { path: { id } } })));
  const job = await answer(api.POST('/v1/contacts/bulk', { body: { filter: { tag: SAMPLE_TAG }, action: 'delete' } }));
  if ('id' in job) await waitForJob(job.id);
  const { data: fields } = await answer(api.GET('/v1/custom-fields', { params: { query } }));
  for (const { id, key } of fields) if (sampleFields.has(key)) await unless(409, api.DELETE('/v1/custom-fields/{id}', { params: { path: { id } } }));
}

type Call = Parameters<typeof answer>[0];

/** Passes a refusal with this status over: it is gone, or in use by what is not of the sample. */
async function unless(status: number, call: Call): Promise<void> {
  await answer(call).catch((error: unknown) => {
    if (!(error instanceof ApiError && (error.status === status || error.status === 404))) throw error;
  });
}

interface Listed {
  readonly data: readonly { readonly id: string; readonly name: string }[];
}

async function removeAll(
  list: Promise<{ data?: Listed; error?: unknown; response: Response }>,
  remove: (id: string) => Promise<void>,
): Promise<void> {
  for (const { id, name } of (await answer(list)).data) if (isSample(name)) await remove(id);
}
