import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { checkUrl, guardedLookup, isAllowedAddress } from '../../net/guard.js';
import { forbiddenIPv4, forbiddenIPv6 } from './forbidden-addresses.js';

const NONE: readonly string[] = [];

describe('the address guard', () => {
  const denied = [
    ...forbiddenIPv4,
    ...forbiddenIPv6,
    ...'::127.0.0.1 ::8.8.8.8 [0000::ffff:7f00:1] [::ffff:10.0.0.1] localhost example.com 1.2.3.4.5'.split(' '),
  ];
  for (const address of [...denied, '']) it(`denies '${address}'`, () => expect(isAllowedAddress(address, NONE)).to.equal(false));

  for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2001:4860:4860::8888', '::ffff:8.8.8.8', '2a00:1450:4001:80b::200e'])
    it(`allows ${address}`, () => expect(isAllowedAddress(address, NONE)).to.equal(true));

  it('allows private addresses of allowed networks only', () => {
    const opened = ['127.0.0.0/8', '::1/128', '10.1.0.0/16'];
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1', '10.1.2.3'])
      expect(isAllowedAddress(address, opened), address).to.equal(true);
    for (const address of ['10.2.0.1', '::2', '192.168.0.1', '169.254.169.254']) expect(isAllowedAddress(address, opened), address).to.equal(false);
  });

  it('treats an address without a prefix length as a network of one', () => {
    expect(isAllowedAddress('10.0.0.1', ['10.0.0.1'])).to.equal(true);
    expect(isAllowedAddress('10.0.0.2', ['10.0.0.1'])).to.equal(false);
  });
});

describe('a URL at registration', () => {
  const forbidden = [
    'http://127.0.0.1/',
    'http://127.0.0.1:4000/hook',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/',
    'http://LOCALHOST:80/',
    'http://localhost./',
    'http://ⓛocalhost/',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'https://10.0.0.8/',
  ];
  for (const url of forbidden)
    it(`is refused for its host: ${url}`, () => {
      const problem = checkUrl(url, NONE);
      expect(problem).to.include({ code: 'invalid_url', reason: 'forbidden_address' });
      expect(problem?.message).to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
    });

  const refused: [url: string, reason: string][] = [
    ['', 'malformed'],
    ['example.com/hook', 'malformed'],
    ['/hook', 'malformed'],
    ['http://', 'malformed'],
    ['http://[::1/', 'malformed'],
    ['http://300.1.1.1/', 'malformed'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['https://user:secret@example.com/', 'credentials'],
    ['https://user@example.com/', 'credentials'],
    ['https://:secret@example.com/', 'credentials'],
    [`https://example.com/${'a'.repeat(2048)}`, 'too_long'],
    ['https://example.com/a\nb', 'control_character'],
    ['https://example.com/a\r\nHost: x', 'control_character'],
    ['https://exam\tple.com/', 'control_character'],
    ...[0, 1, 22, 25, 110, 465, 587, 993, 6000, 6667, 10080].map((port): [string, string] => [`https://example.com:${port}/`, 'port']),
  ];
  for (const [url, reason] of refused)
    it(`is refused as ${reason}: '${url.slice(0, 40)}'`, () => expect(checkUrl(url, NONE)).to.include({ code: 'invalid_url', reason }));

  const accepted = [
    'https://example.com/hook',
    'http://example.com:8080/a?b=c#d',
    'https://8.8.8.8/',
    'https://example.com:443/',
    'http://example.com:80/',
    'https://example.com:8443/',
    'http://example.com:3000/',
    'https://[2001:4860:4860::8888]/',
    'https://bücher.example/',
    'https://localhost.example.com/',
    'https://mylocal/',
  ];
  for (const url of accepted) it(`is accepted: ${url}`, () => expect(checkUrl(url, NONE)).to.equal(null));

  it('with letters outside ASCII is accepted however often URLs are checked', () => {
    const answers = Array.from({ length: 20_000 }, () => checkUrl('https://bücher.example/', NONE));
    expect(answers.filter((answer) => answer !== null)).to.deep.equal([]);
  });

  it('may name this machine where its network is allowed', () => {
    const opened = ['127.0.0.0/8'];
    for (const url of ['http://127.0.0.1:4000/', 'http://localhost:4000/', 'http://0x7f000001/']) expect(checkUrl(url, opened), url).to.equal(null);
    expect(checkUrl('http://10.0.0.1/', opened)).to.include({ reason: 'forbidden_address' });
    expect(checkUrl('http://localhost/', ['10.0.0.0/8'])).to.include({ reason: 'forbidden_address' });
  });

  it('may have a private name where any network is allowed, since the connection is checked', () => {
    expect(checkUrl('http://receiver.internal/', ['10.0.0.0/8'])).to.equal(null);
  });
});

describe('the lookup of guarded connections', () => {
  const look = (addresses: LookupAddress[], options: { all: boolean; family?: number }, allowed = NONE) =>
    new Promise<unknown>((resolve, reject) => {
      guardedLookup(allowed, async () => addresses)('target.example', options, (error, found, family) =>
        error ? reject(error) : resolve(options.all ? found : { address: found, family }),
      );
    });
  const v4 = (address: string): LookupAddress => ({ address, family: 4 });
  const v6 = (address: string): LookupAddress => ({ address, family: 6 });
  const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
    promise.then(
      () => expect.fail('it should have failed'),
      (error) => error,
    );

  it('keeps the public addresses of a name and drops the private ones', async () => {
    expect(await look([v4('10.0.0.1'), v4('8.8.8.8'), v6('::1'), v6('2001:4860:4860::8888')], { all: true })).to.deep.equal([
      v4('8.8.8.8'),
      v6('2001:4860:4860::8888'),
    ]);
    expect(await look([v4('10.0.0.1'), v4('8.8.8.8')], { all: false })).to.deep.equal(v4('8.8.8.8'));
  });

  it('returns only the requested address family', async () => {
    expect(await look([v4('8.8.8.8'), v6('2001:4860:4860::8888')], { all: true, family: 6 })).to.deep.equal([v6('2001:4860:4860::8888')]);
  });

  it('fails when no address is left, and names the setting that allows the range', async () => {
    const error = await failure(look([v4('127.0.0.1'), v6('::1')], { all: true }));
    expect(error.code).to.equal('forbidden_address');
    expect(error.message).to.contain('target.example').and.to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS');
  });

  it('keeps the private addresses of an allowed network', async () => {
    expect(await look([v4('127.0.0.1'), v4('10.0.0.1')], { all: true }, ['127.0.0.0/8'])).to.deep.equal([v4('127.0.0.1')]);
  });

  it('returns the error of a name that does not exist', async () => {
    const lookup = guardedLookup(NONE, () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })));
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => lookup('nowhere.example', { all: true }, (e) => resolve(e)));
    expect(error?.code).to.equal('ENOTFOUND');
  });

  it('checks the addresses that are dialed, not earlier answers for the name', async () => {
    const server = http.createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const answers = [[v4('93.184.216.34')], [v4('127.0.0.1')]];
    const asked: string[] = [];
    const resolve = async (hostname: string) => {
      asked.push(hostname);
      return answers.shift() ?? [];
    };
    expect(isAllowedAddress((await resolve('rebinding.example'))[0]?.address ?? '', NONE)).to.equal(true);
    const request = http.get({ hostname: 'rebinding.example', port, agent: new http.Agent({ lookup: guardedLookup(NONE, resolve) }) });
    const error = await new Promise<NodeJS.ErrnoException>((settle) => request.on('error', settle));
    server.close();
    expect(error.code).to.equal('forbidden_address');
    expect(asked).to.deep.equal(['rebinding.example', 'rebinding.example']);
  });
});
