import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { KeyRow } from '../../../domain/kernel/ports.js';
import { DESTROYED_KEYS, KEYS } from '../../../engines/mongodb/names.js';
import { withMongo } from '../../support/mongodb.js';
import { MongoFixture } from './fixture.js';

const keyOf = (subject: string): KeyRow => ({ id: `key-${subject}`, subject, seed: Uint8Array.from(randomBytes(32)) });

describe('a missing key in MongoDB', function () {
  const fixture = MongoFixture.use(this);
  const [gone, stays] = [keyOf('gone'), keyOf('stays')];
  const missing = async () => [...(await (await fixture.engine()).keys.missing([gone.id, stays.id, 'key-lost']))];
  const empty = (...collections: string[]) =>
    withMongo((client) => Promise.all(collections.map((name) => client.db(fixture.database).collection(name).deleteMany({}))));

  beforeEach(async () => {
    const { keys } = await fixture.engine();
    await keys.put([gone, stays]);
    await keys.destroy(gone.subject);
  });

  it('is distinguished from a destroyed one by every process, also after all keys are lost', async () => {
    expect(await missing()).to.deep.equal(['key-lost']);
    await empty(KEYS);
    expect(await missing()).to.have.members([stays.id, 'key-lost']);
  });

  it('is not reported where destroyed keys may have left no trace: in a store of an earlier release, and of copied keys', async () => {
    await empty(DESTROYED_KEYS);
    expect(await missing(), 'an earlier release').to.deep.equal([]);
    await empty(KEYS);
    const { keys } = await fixture.engine();
    await keys.markCopied();
    await keys.put([stays]);
    expect(await missing(), 'copied').to.deep.equal([]);
  });
});
