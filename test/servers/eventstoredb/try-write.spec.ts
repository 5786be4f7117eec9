import { expect } from 'chai';
import { tryWrite } from '../../../engines/eventstoredb/index.js';
import { failureOf } from '../../contract/helpers.js';
import { useLogFixture } from './fixture.js';

describe('a try whether EventStoreDB takes writes', () => {
  const log = useLogFixture();

  it('adds nothing to the log', async () => {
    await tryWrite(log.store);
    expect((await log.store.readAll('start', 10)).events).to.deep.equal([]);
  });

  it('fails where the server is gone', async () => {
    await tryWrite(log.store);
    await log.server.stop();
    expect(await failureOf(tryWrite(log.store))).to.be.an('error');
  });
});
