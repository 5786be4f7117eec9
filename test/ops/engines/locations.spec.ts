import { resolve } from 'node:path';
import { expect } from 'chai';
import { UsageError } from '../../../ops/cli/terminal/usage-error.js';
import { formatLocation, type LocationOptions, parseLocations } from '../../../ops/engines/locations.js';

const none = { eventstoredbUrl: null, mongodbUrl: null };
const set = { eventstoredbUrl: 'esdb://ops:changeit@db:2113', mongodbUrl: 'mongodb://ops:changeit@db/heliograph' };

function problems(options: LocationOptions): string[] {
  try {
    parseLocations(options, none);
  } catch (e) {
    expect(e).to.be.instanceOf(UsageError);
    return (e as Error).message.split('\n').slice(1);
  }
  return expect.fail('the options were accepted');
}

describe('the locations of a copy', () => {
  it('are folders and addresses; keys of a folder are in the folder by default', () => {
    expect(parseLocations({ from: 'sqlite:data', to: 'esdb+discover://a:2113,b:2113?tls=true', keysTo: 'mongodb://m' }, none)).to.deep.equal({
      from: { engine: 'sqlite', dir: resolve('data') },
      to: { engine: 'eventstoredb', url: 'esdb+discover://a:2113,b:2113?tls=true' },
      keysFrom: { engine: 'sqlite', dir: resolve('data') },
      keysTo: { engine: 'mongodb', url: 'mongodb://m' },
    });
  });

  it('may refer to configured addresses, to keep passwords off the command line', () => {
    const { to, keysTo } = parseLocations({ from: 'sqlite:/a', to: 'eventstoredb', keysTo: 'mongodb' }, set);
    expect(to).to.include({ url: set.eventstoredbUrl });
    expect(keysTo).to.include({ url: set.mongodbUrl });
  });

  it('are all named if missing', () => {
    const [from, to, ...others] = problems({});
    expect(from).to.include('--from is missing').and.include('sqlite:<folder>');
    expect(to).to.include('--to is missing');
    expect(others).to.deep.equal([]);
    const [keysFrom] = problems({ from: 'esdb://a', to: 'sqlite:/b' });
    expect(keysFrom).to.include('--keys-from is missing').and.include('mongodb://');
    expect(problems({ from: 'sqlite:/a', to: 'esdb://b' }).join()).to.include('--keys-to is missing');
  });

  it('are all named if invalid, without their passwords', () => {
    const found = problems({ from: 'postgres://me:hush@db', to: 'eventstoredb', keysFrom: 'sqlite:', keysTo: 'mongodb' });
    expect(found).to.have.length(4);
    expect(found.join()).not.to.include('hush');
    expect(found[0]).to.include("--from 'postgres://").and.include('is not allowed');
    expect(found[1]).to.include('--to eventstoredb needs EVENTSTOREDB_URL');
    expect(found[2]).to.include("--keys-from 'sqlite:'");
    expect(found[3]).to.include('--keys-to mongodb needs MONGODB_URL');
  });

  it('must be two different logs, and not two servers', () => {
    expect(problems({ from: 'sqlite:/a', to: 'sqlite:/b/../a' }).join()).to.include('the same log');
    expect(problems({ from: 'esdb://a', to: 'esdb://b', keysFrom: 'sqlite:/a', keysTo: 'sqlite:/a' }).join()).to.include('copy into a folder first');
  });

  it('are shown without user and password', () => {
    expect(formatLocation({ engine: 'eventstoredb', url: set.eventstoredbUrl })).to.equal('esdb://<hidden>@db:2113');
    expect(formatLocation({ engine: 'sqlite', dir: '/data' })).to.equal('sqlite:/data');
  });
});
