import { expect } from 'chai';
import type { CopyResult } from '../../../ops/engines/copy.js';
import type { CopyLocations } from '../../../ops/engines/locations.js';
import { nextSteps, toDocument, toLines } from '../../../ops/engines/report.js';

const locations: CopyLocations = {
  from: { engine: 'sqlite', dir: '/data' },
  to: { engine: 'eventstoredb', url: 'esdb://ops:hush@db:2113' },
  keysFrom: { engine: 'sqlite', dir: '/data' },
  keysTo: { engine: 'mongodb', url: 'mongodb://ops:hush@db/heliograph' },
};
const named = { stream: 'item-1', revision: 4, type: 'Moved', id: 'a1' };
const good: CopyResult = {
  verified: true,
  events: { found: 10, copied: 90, source: { count: 100, sha256: 'aa' }, target: { count: 100, sha256: 'aa' }, parting: null },
  keys: { copied: 5, destroyed: 1, source: { count: 7, sha256: 'bb' }, target: { count: 7, sha256: 'bb' } },
  took: { comparing: 10, keys: 20, copying: 3_000, verifying: 500 },
};

describe('the report of a copy', () => {
  it('contains counts, durations and the verification, without passwords', () => {
    const lines = toLines(locations, good);
    expect(lines).to.deep.equal([
      'Copied 90 events to esdb://<hidden>@db:2113 in 3.0 s (30 a second); it had 10.',
      'Copied 5 keys to mongodb://<hidden>@db/heliograph, destroyed 1 whose subjects were erased.',
      'Read the target in 0.5 s (200 a second).',
      'verified: 100 events, SHA-256 aa',
      'verified: 7 keys, SHA-256 bb',
    ]);
    expect(JSON.stringify(toDocument(locations, good))).not.to.include('hush');
  });

  it('contains the differences and their location', () => {
    const target = { count: 99, sha256: 'cc' };
    const events = { ...good.events, target, parting: { event: 42, source: named, target: { ...named, id: 'b2' } } };
    const lines = toLines(locations, { ...good, verified: false, events });
    expect(lines.slice(3)).to.deep.equal([
      'DIFFERENT: the source has 100 events with SHA-256 aa, the target 99 with cc.',
      'The first difference: event 42 is item-1#4 Moved a1 in the source and item-1#4 Moved b2 in the target.',
    ]);
    const keys = { copied: 0, destroyed: 0, source: { count: 7, sha256: 'bb' }, target: { count: 8, sha256: 'dd' } };
    expect(toLines(locations, { ...good, verified: false, keys }).slice(3)).to.deep.equal([
      'DIFFERENT: the source has 7 keys with SHA-256 bb, the target 8 with dd.',
    ]);
  });

  it('names keys that stay and read models to delete', () => {
    expect(toLines({ ...locations, keysTo: locations.keysFrom }, { ...good, keys: null })[1]).to.equal('The keys stay at sqlite:/data.');
    expect(nextSteps(null).join()).not.to.include('Delete');
    expect(nextSteps('/data/views').join()).to.include('Delete /data/views before');
  });
});
