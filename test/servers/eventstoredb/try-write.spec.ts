import { expect } from 'chai';
import { tryEventStoreWrite } from '../../../engines/eventstoredb/index.js';
import { failureOf } from '../../contract/helpers.js';
import { useLogFixture } from './fixture.js';

describe('a try whether EventStoreDB takes writes', () => {
  const log = useLogFixture();

  it('adds nothing to the log', async () => {
    await tryEventStoreWrite(log.store);
    expect((await log.store.readAll('start', 10)).events).to.deep.equal([]);
  });

  it('fails where the server is gone', async () => {
    await tryEventStoreWrite(log.store);
    await log.server.stop();
    expect(await failureOf(tryEventStoreWrite(log.store))).to.be.an('error');
  });
});
