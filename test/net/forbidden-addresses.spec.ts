import { expect } from 'chai';
import { isCertificateUrl, isSnsUrl } from '../../carriers/ses/verify.js';
import { createPost } from '../../net/client.js';
import { getText } from '../../net/get-text.js';
import { checkUrl } from '../../net/guard.js';
import { system } from '../support/system.js';
import { embedded, forbiddenIPv4, forbiddenIPv6 } from './forbidden-addresses.js';

const NAME = 'rebinding.example';
const PUBLIC = { address: '93.184.216.34', family: 4 };
const CONFIRM = '/?Action=ConfirmSubscription';
const options = { body: '{}', allowedCidrs: [] };

/** What a call to this URL fails with; it must not reach anything. */
async function errorOf(url: string, post = createPost(system)): Promise<string> {
  const result = await post(url, options);
  return 'error' in result ? result.error.code : `answered ${result.status}`;
}

describe('an address that nobody may reach', () => {
  const all = [...forbiddenIPv4, ...forbiddenIPv6, ...forbiddenIPv4.flatMap(embedded)];
  for (const address of all) {
    const family = address.includes(':') ? 6 : 4;
    const host = family === 6 ? `[${address}]` : address;

    it(`is refused at registration and at connection: ${address}`, async () => {
      for (const url of [`http://${host}/`, `https://${host}:8443/hook?a=b`]) {
        expect(checkUrl(url, []), url).to.include({ code: 'invalid_url', reason: 'forbidden_address' });
        expect(await errorOf(url), url).to.equal('forbidden_address');
      }
      expect(isSnsUrl(`https://${host}${CONFIRM}`)).to.equal(false);
      expect(isCertificateUrl(`https://${host}/a.pem`)).to.equal(false);
    });

    it(`is refused behind a name that had a public address before: ${address}`, async () => {
      const answers = [[PUBLIC], [{ address, family }], [{ address, family }]];
      const resolve = async () => answers.shift() ?? [];
      expect((await resolve())[0]).to.equal(PUBLIC);
      expect(checkUrl(`https://${NAME}/`, [])).to.equal(null);
      expect(await errorOf(`http://${NAME}/`, createPost({ ...system, resolve }))).to.equal('forbidden_address');
      const confirmed = await getText(`https://${NAME}${CONFIRM}`, { clock: system.clock, resolve }).catch((e: Error & { code?: string }) => e.code);
      expect(confirmed).to.equal('forbidden_address');
    });
  }

  it('is refused behind a user and a password, and in every spelling', async () => {
    const tricks: readonly (readonly [url: string, reason: string, code: string])[] = [
      ['http://example.com@127.0.0.1/', 'credentials', 'invalid_url'],
      ['http://example.com:80@127.0.0.1/', 'credentials', 'invalid_url'],
      ['http://127.0.0.1@example.com/', 'credentials', 'invalid_url'],
      ['http://127.0.0.1%2f@example.com/', 'credentials', 'invalid_url'],
      ['http://0x7f.0.0.1/', 'forbidden_address', 'forbidden_address'],
      ['http://017700000001/', 'forbidden_address', 'forbidden_address'],
      ['http://127.0.1/', 'forbidden_address', 'forbidden_address'],
      ['http://0/', 'forbidden_address', 'forbidden_address'],
      ['http:\\\\127.0.0.1/', 'forbidden_address', 'forbidden_address'],
      ['http:127.0.0.1', 'forbidden_address', 'forbidden_address'],
      ['http://①②⑦.⓪.⓪.①/', 'forbidden_address', 'forbidden_address'],
      ['http://127。0。0。1/', 'forbidden_address', 'forbidden_address'],
    ];
    for (const [url, reason, code] of tricks) {
      expect(checkUrl(url, []), url).to.include({ reason });
      expect(await errorOf(url), url).to.equal(code);
    }
  });

  it('is not confirmed as a subscription, whatever its URL looks like', () => {
    const own = 'sns.eu-west-1.amazonaws.com';
    expect(isSnsUrl(`https://${own}${CONFIRM}`)).to.equal(true);
    for (const url of [
      `http://${own}${CONFIRM}`,
      `https://${own}@127.0.0.1${CONFIRM}`,
      `https://user@${own}${CONFIRM}`,
      `https://${own}:8443${CONFIRM}`,
      `https://${own}.evil.example${CONFIRM}`,
      `https://evil.example/${own}${CONFIRM}`,
      `https://sns.eu-west-1.amazonaws.com.evil.example${CONFIRM}`,
      `https://evil-sns.eu-west-1.amazonaws.com${CONFIRM}`,
      `https://sns.127.0.0.1.amazonaws.com${CONFIRM}`,
      `https://127.0.0.1#${own}`,
      `https://127.0.0.1\\@${own}`,
    ])
      expect(isSnsUrl(url), url).to.equal(false);
  });
});
