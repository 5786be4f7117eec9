import { completeJourneyDefinition, type JourneyDefinitionInput } from '../../domain/journeys/definition.js';
import { type JourneyCommand, type JourneyEvent, journey } from '../../domain/journeys/journey.js';
import { specification } from '../given.js';
import { abandonedCart } from './definitions.js';

const { given } = specification(journey);
const about = { journey_id: 'jrn_1', account_id: 'acc_1' };
const before = '2026-01-01T00:00:00.000Z';
const now = '2026-01-02T00:00:00.000Z';

const first = completeJourneyDefinition(abandonedCart() as unknown as JourneyDefinitionInput);
const second = { ...first, definition: { ...first.definition, name: 'Cart' } };
const elsewhere = { ...first, receivers: { p: { url: 'https://example.com/other' } } };

const drafted: JourneyEvent = { type: 'JourneyDrafted', data: { ...about, version: 1, ...first, at: before } };
const published: JourneyEvent = { type: 'JourneyPublished', data: { ...about, version: 1, ...first, in_flight: 'pinned', at: before } };
const changed: JourneyEvent = { type: 'JourneyDraftChanged', data: { ...about, version: 2, ...second, at: now } };
const event = (type: 'JourneyPaused' | 'JourneyResumed' | 'JourneyStopped' | 'JourneyArchived' | 'JourneyDeleted'): JourneyEvent => ({
  type,
  data: { journey_id: 'jrn_1', at: now },
});
const paused = event('JourneyPaused');
const resumed = event('JourneyResumed');
const stopped = event('JourneyStopped');
const archived = event('JourneyArchived');
const deleted = event('JourneyDeleted');

const to = (type: 'Pause' | 'Resume' | 'Stop' | 'Archive' | 'Delete'): JourneyCommand => ({ type, journey_id: 'jrn_1', now });
const publish = (in_flight: 'pinned' | 'migrate' = 'pinned'): JourneyCommand => ({ type: 'Publish', ...about, in_flight, test: false, now });
const change = (what: typeof first, expected: number | null = null): JourneyCommand => ({ type: 'ChangeDraft', ...about, ...what, expected, now });

describe('Journey', () => {
  it('is drafted, once', () => {
    const draft: JourneyCommand = { type: 'Draft', ...about, ...first, now: before };
    given().when(draft).then(drafted);
    given(drafted).when(draft).thenNothing();
  });

  it('keeps the number of its draft until it is published', () => {
    given(drafted)
      .when(change(second))
      .thenIncludes({ type: 'JourneyDraftChanged', data: { version: 1 } });
    given(drafted, published).when(change(second)).then(changed);
    given(drafted, published, changed)
      .when(change(first))
      .thenIncludes({ type: 'JourneyDraftChanged', data: { version: 2 } });
  });

  it('takes the same definition as no change, but another receiver as one', () => {
    given(drafted).when(change(first)).thenNothing();
    given(drafted, published).when(change(first)).thenNothing();
    given(drafted)
      .when(change(elsewhere))
      .thenIncludes({ type: 'JourneyDraftChanged', data: { receivers: elsewhere.receivers } });
  });

  it('is changed only at the version that the caller has read', () => {
    given(drafted, published).when(change(second, 1)).thenRefused('version_conflict');
    given(drafted, published).when(change(second, 2)).then(changed);
  });

  it('publishes its draft as an immutable version, once', () => {
    given(drafted)
      .when(publish('migrate'))
      .thenIncludes({ type: 'JourneyPublished', data: { version: 1, ...first, in_flight: 'migrate' } });
    given(drafted, published).when(publish()).thenNothing();
    given(drafted, published, changed)
      .when(publish())
      .thenIncludes({ type: 'JourneyPublished', data: { version: 2, ...second } });
  });

  it('is paused and resumed; a version that is published meanwhile lets nobody go on', () => {
    given(drafted, published).when(to('Pause')).then(paused);
    given(drafted, published, paused).when(to('Pause')).thenNothing();
    given(drafted, published, paused, changed, { type: 'JourneyPublished', data: { ...published.data, version: 2, ...second } } as JourneyEvent)
      .when(to('Resume'))
      .then(resumed);
    given(drafted).when(to('Pause')).thenRefused('invalid_state');
  });

  it('is stopped, and starts again by a resume or a publication', () => {
    given(drafted, published).when(to('Stop')).then(stopped);
    given(drafted, published, stopped).when(to('Stop')).thenNothing();
    given(drafted, published, stopped).when(to('Resume')).then(resumed);
    given(drafted, published, stopped).when(publish()).then(resumed);
    given(drafted, published, stopped, changed)
      .when(publish())
      .thenIncludes({ type: 'JourneyPublished', data: { version: 2 } });
  });

  it('is archived for good', () => {
    given(drafted, published, paused).when(to('Archive')).then(archived);
    given(drafted, archived).when(to('Archive')).thenNothing();
    for (const command of [publish(), to('Resume'), to('Pause'), change(second)])
      given(drafted, published, archived).when(command).thenRefused('invalid_state');
  });

  it('is deleted when nobody can be in it', () => {
    given(drafted).when(to('Delete')).then(deleted);
    given(drafted, published, stopped).when(to('Delete')).then(deleted);
    given(drafted, published).when(to('Delete')).thenRefused('invalid_state');
    given(drafted, deleted).when(to('Delete')).thenNothing();
    given(drafted, deleted).when(publish()).thenRefused('not_found');
    given().when(publish()).thenRefused('not_found');
  });
});
