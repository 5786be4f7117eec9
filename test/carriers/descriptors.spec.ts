import { expect } from 'chai';
import { carrierNames, carrierOf } from '../../carriers/registry.js';
import { readSources, type SourceFile } from '../architecture/source.js';

/**
 * Where the name of a carrier is a fact of its own, outside of `carriers/`: the mail that the API takes, the platforms of devices, and the prefix
 * of the ids of sessions.
 */
const OTHER_FACTS: ReadonlySet<string> = new Set([
  ...['api/messages/record-reports.ts', 'domain/push/subscription.ts'],
  ...['commands/accounts/start-session.ts', 'log/runtime/ids.ts'],
]);

const name = new RegExp(`'(?:${carrierNames.join('|')})'`, 'g');
const namesIn = ({ path, text }: SourceFile): string[] => [...text.matchAll(name)].map(([found]) => `${path} names ${found}`);

describe('descriptors of carriers', () => {
  const sources = readSources(process.cwd()).filter(({ path }) => !/^(test|bench|clients)\//.test(path));

  it('are all in the registry', () => {
    const described = sources.filter(({ text }) => text.includes('= describeCarrier({')).map(({ path }) => path.split('/')[1]?.replace('-', ''));
    expect(described).to.have.members(carrierNames).and.have.length.above(7);
  });

  it('are the only places that know a carrier by its name', () => {
    const others = sources.filter(({ path }) => !path.startsWith('carriers/') && !OTHER_FACTS.has(path));
    expect(others.flatMap(namesIn)).to.deep.equal([]);
    const registry = sources.find(({ path }) => path === 'carriers/registry.ts');
    expect(registry && namesIn(registry)).to.deep.equal([]);
  });

  it('see a name that a table has', () => {
    expect(namesIn({ path: 'ops/app/x.ts', text: "const titles = { carrier: 'twilio' };" })).to.deep.equal(["ops/app/x.ts names 'twilio'"]);
  });

  it('need fields that are defined, and take no two variables for one field', () => {
    for (const { needs, fields } of carrierNames.map(carrierOf)) {
      expect(Object.keys(fields)).to.include.members(needs.flat());
      const variables = Object.values(fields).map(({ env }) => env);
      expect(variables).to.deep.equal([...new Set(variables)]);
    }
  });
});
