import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMemoryLog } from '../../engines/memory/index.js';
import { loadMasterKey, loadOperatorToken, MasterKeyError, verifySharedMasterKey } from '../../ops/system/secrets.js';

describe('secrets of the data folder', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'heliograph-secrets-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('are created at the first start and read at the next', () => {
    const first = loadMasterKey({ dataDir, masterKey: null });
    expect(first).to.have.length(32);
    expect(loadMasterKey({ dataDir, masterKey: null })).to.deep.equal(first);
    const token = loadOperatorToken({ dataDir, operatorToken: null });
    expect(token).to.match(/^[\w-]{43}$/);
    expect(loadOperatorToken({ dataDir, operatorToken: null })).to.equal(token);
  });

  it('create the folder if it is missing', () => expect(loadMasterKey({ dataDir: join(dataDir, 'a', 'b'), masterKey: null })).to.have.length(32));

  it('are readable by their owner only, and leave no temporary files', () => {
    loadMasterKey({ dataDir, masterKey: null });
    loadOperatorToken({ dataDir, operatorToken: null });
    expect(readdirSync(dataDir).sort()).to.deep.equal(['master.check', 'master.key', 'operator.token']);
    for (const file of readdirSync(dataDir)) expect(statSync(join(dataDir, file)).mode & 0o777, file).to.equal(0o600);
  });

  it('are not written to disk when the configuration has them', () => {
    const given = Buffer.alloc(32, 5);
    expect(loadMasterKey({ dataDir, masterKey: given })).to.equal(given);
    expect(loadOperatorToken({ dataDir, operatorToken: 'a-token-of-twenty-chars' })).to.equal('a-token-of-twenty-chars');
    expect(readdirSync(dataDir)).to.deep.equal(['master.check']);
    expect(readFileSync(join(dataDir, 'master.check'), 'utf8')).not.to.include(given.toString('base64').slice(0, 10));
  });

  it('reject a master key other than the one of the data', () => {
    loadMasterKey({ dataDir, masterKey: Buffer.alloc(32, 1) });
    expect(() => loadMasterKey({ dataDir, masterKey: Buffer.alloc(32, 2) })).to.throw(MasterKeyError, 'another master key');
  });

  it('reject a missing master key when the folder has data', () => {
    writeFileSync(join(dataDir, 'events.db'), '');
    expect(() => loadMasterKey({ dataDir, masterKey: null })).to.throw(MasterKeyError, 'its master key is missing');
  });

  it('reject a damaged master key', () => {
    writeFileSync(join(dataDir, 'master.key'), 'c2hvcnQ=\n');
    expect(() => loadMasterKey({ dataDir, masterKey: null })).to.throw(MasterKeyError, '32 bytes');
  });

  describe('next to the keys that nodes share', () => {
    const { keys } = openMemoryLog();
    before(() => verifySharedMasterKey(keys, Buffer.alloc(32, 1)));

    it('accept the master key of the keys', () => verifySharedMasterKey(keys, Buffer.alloc(32, 1)));

    it('reject another master key', async () => {
      const refused = await verifySharedMasterKey(keys, Buffer.alloc(32, 2)).catch((e: Error) => e);
      expect(refused).to.be.instanceOf(MasterKeyError).and.have.property('message').that.includes('another master key');
    });

    it('reveal nothing about the master key', async () => {
      const [row] = await keys.byId(['master.check']);
      expect(row?.seed).to.have.length(32).and.not.deep.equal(new Uint8Array(32).fill(1));
    });
  });
});
