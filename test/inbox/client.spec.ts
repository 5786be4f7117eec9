import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { inboxClient } from '../../ops/app/inbox-client.js';

const MAX_GZIPPED_BYTES = 6_000;

describe('the browser client of the inbox', () => {
  it('has at most 6 kB, compressed', () => {
    expect(gzipSync(inboxClient()(), { level: 9 }).length).to.be.within(1_000, MAX_GZIPPED_BYTES);
  });

  it('depends on no package and on no other address', () => {
    const config = JSON.parse(readFileSync('clients/inbox-js/tsconfig.json', 'utf8'));
    expect(config.compilerOptions.types).to.deep.equal([]);
    expect(inboxClient()()).not.to.match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });
});
