import { answer, api, type PostBody } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';
import { waitForJob } from '../../../api/jobs.ts';
import { contents } from './contents.ts';
import { eventsOf, PEOPLE, personOf } from './people.ts';

/** What is done at the moment, for who waits for it. */
export type SampleStep = 'people' | 'events' | 'contents' | 'campaign' | 'journey';

/** Events in one call. */
const BATCH = 500;
/** People who enter the journey. */
const ENROLLED = 40;

const people = Array.from({ length: PEOPLE }, (_, index) => index);

/**
 * Adds made-up people with a year of events, two lists, a segment, templates, a campaign that is sent, and a journey with people in it, all by
 * calls of the API. What exists by its name or address is taken as it is, so a repetition completes what was interrupted.
 */
export async function addSample(onStep: (step: SampleStep) => void): Promise<void> {
  onStep('people');
  await addFields();
  const { newsletter, customers } = await addLists();
  await importPeople(people, [newsletter]);
  await importPeople(
    people.filter((index) => eventsOf(index, 0).length > 1),
    [customers],
  );
  onStep('events');
  await recordEvents(people.flatMap((index) => eventsOf(index, Date.now())));
  onStep('contents');
  await addSegment();
  const template = await addTemplates();
  onStep('campaign');
  await sendCampaign(newsletter, template);
  onStep('journey');
  await startJourney();
}

/** The id of the first of a list with a name; made if there is none. */
async function idOf(
  name: string,
  all: readonly { readonly id: string; readonly name: string }[],
  make: () => Promise<{ id: string }>,
): Promise<string> {
  return all.find((one) => one.name === name)?.id ?? (await make()).id;
}

async function addFields(): Promise<void> {
  for (const body of contents.fields) {
    await answer(api.POST('/v1/custom-fields', { body })).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    });
  }
}

async function addLists(): Promise<{ newsletter: string; customers: string }> {
  const { data } = await answer(api.GET('/v1/lists', { params: { query: { limit: 200 } } }));
  const add = (body: PostBody<'/v1/lists'>) => idOf(body.name, data, () => answer(api.POST('/v1/lists', { body })));
  return { newsletter: await add(contents.newsletter), customers: await add(contents.customers) };
}

async function importPeople(indexes: readonly number[], lists: string[]): Promise<void> {
  const body = { contacts: indexes.map(personOf), list_ids: lists, start_journeys: false, ...contents.permission };
  const started = await answer(api.POST('/v1/contacts/import', { body }));
  if (!('id' in started)) throw new Error('The import of the sample did not start.');
  const { id } = started;
  await waitForJob(id);
}

async function recordEvents(events: ReturnType<typeof eventsOf>): Promise<void> {
  const keyed = events.map((event) => ({
    ...event,
    idempotency_key: `sample ${event.contact.email} ${event.event} ${JSON.stringify(event.properties)}`,
  }));
  for (let from = 0; from < keyed.length; from += BATCH)
    await answer(api.POST('/v1/events/batch', { body: { events: keyed.slice(from, from + BATCH), start_journeys: false } }));
}

async function addSegment(): Promise<void> {
  const { data } = await answer(api.GET('/v1/segments', { params: { query: { limit: 200 } } }));
  for (const body of contents.segments) await idOf(body.name, data, () => answer(api.POST('/v1/segments', { body })));
}

/** Returns the template of the campaign. */
async function addTemplates(): Promise<string> {
  const { data } = await answer(api.GET('/v1/templates', { params: { query: { limit: 200 } } }));
  const [offer, ...others] = contents.templates;
  for (const body of others) await idOf(body.name, data, () => answer(api.POST('/v1/templates', { body })));
  return idOf(offer.name, data, () => answer(api.POST('/v1/templates', { body: offer })));
}

async function sendCampaign(list: string, template: string): Promise<void> {
  const { data } = await answer(api.GET('/v1/campaigns', { params: { query: { limit: 200 } } }));
  const body = {
    name: contents.campaign,
    channel: 'email' as const,
    audience: { include: { list_ids: [list] } },
    content: { template_id: template, from: contents.sender },
  };
  const id = await idOf(contents.campaign, data, () => answer(api.POST('/v1/campaigns', { body })));
  const { status } = await answer(api.GET('/v1/campaigns/{id}', { params: { path: { id } } }));
  if (status === 'draft') await answer(api.POST('/v1/campaigns/{id}/send', { params: { path: { id } } }));
}

async function startJourney(): Promise<void> {
  const { data } = await answer(api.GET('/v1/journeys', { params: { query: { limit: 200 } } }));
  const id = await idOf(contents.journey.name, data, () => answer(api.POST('/v1/journeys', { body: contents.journey })));
  const { status } = await answer(api.GET('/v1/journeys/{id}', { params: { path: { id } } }));
  if (status === 'draft') await answer(api.POST('/v1/journeys/{id}/publish', { params: { path: { id } }, body: {} }));
  const events = people.slice(0, ENROLLED).map((index) => {
    const { email } = personOf(index);
    return { contact: { email }, event: contents.joined, properties: {}, idempotency_key: `sample ${email} ${contents.joined}` };
  });
  await answer(api.POST('/v1/events/batch', { body: { events } }));
}
