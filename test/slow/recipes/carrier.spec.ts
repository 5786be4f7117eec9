import { join } from 'node:path';
import { expect } from 'chai';
import { FakeCarrier } from '../../carriers/fake-carrier.js';
import { eventually, TIMEOUT_FACTOR } from '../../support/eventually.js';
import { Service } from '../../support/service.js';
import { type Edit, recipeOf, type TemporaryCopy, temporaryCopy } from './temporary-copy.js';

const REGISTRY = 'carriers/registry.ts';
const entry: readonly Edit[] = [
  { file: REGISTRY, before: "import { postmark } from './postmark/postmark.js';\n", insert: "import { pigeon } from './pigeon/pigeon.js';\n" },
  { file: REGISTRY, after: 'const descriptors = [', insert: 'pigeon, ' },
];

/** A carrier as CONTRIBUTING.md adds it, in a copy of the project. */
describe('the recipe "Adding a carrier"', function () {
  this.timeout(240_000 * TIMEOUT_FACTOR);
  let copy: TemporaryCopy;
  let service: Service;
  const provider = FakeCarrier.own(() => ({ status: 201, body: { id: 'coo-1' } }));

  before(async () => {
    const files = await recipeOf('Adding a carrier');
    expect(files.map(({ file }) => file)).to.deep.equal(['carriers/pigeon/send.ts', 'carriers/pigeon/pigeon.ts']);
    copy = await temporaryCopy([...files.map(({ file, code }) => ({ file, content: code })), ...entry]);
    await copy.compile();
    const settings = { PIGEON_API_KEY: 'grain', PIGEON_FROM: '+14155550199', PIGEON_WEBHOOK_USER: 'loft', PIGEON_WEBHOOK_PASSWORD: 'seed' };
    const env = { ...settings, PIGEON_BASE_URL: provider.url, HELIOGRAPH_ROUTES: '{"sms":["pigeon"]}' };
    service = Service.node(env, join(copy.folder, 'dist', 'ops', 'cli', 'main.js'));
    await service.restart();
    service.account = await service.createAccount('owner@example.com');
  });
  after(async () => {
    await service?.close();
    await copy?.remove();
  });

  const report = (body: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`loft:${password}`).toString('base64')}`;
    return service.api('POST', '/v1/webhooks/pigeon', body, { authorization });
  };

  it('keeps the rules of the house', () =>
    copy.specs('test/architecture/imports.spec.ts', 'test/architecture/rooms.spec.ts', 'test/carriers/descriptors.spec.ts'));

  it('is configured by its variables, and listed', async () => {
    const { stdout } = await service.cli('carriers', 'list', '--json');
    const { carriers } = JSON.parse(stdout) as { carriers: readonly { name: string }[] };
    expect(carriers.find(({ name }) => name === 'pigeon')).to.deep.include({
      ...{ channels: ['sms'], configured: true, routes: ['sms'], needs: 'PIGEON_API_KEY' },
      set: ['PIGEON_API_KEY', 'PIGEON_FROM', 'PIGEON_WEBHOOK_USER', 'PIGEON_WEBHOOK_PASSWORD', 'PIGEON_BASE_URL'],
    });
    const { stderr } = await Service.node({ HELIOGRAPH_ROUTES: '{"sms":["pigeon"]}' }, join(copy.folder, 'dist', 'ops', 'cli', 'main.js')).cli(
      'serve',
    );
    expect(stderr).to.include("HELIOGRAPH_ROUTES names 'pigeon', which needs PIGEON_API_KEY.");
  });

  it('sends a message, and its receipt is recorded once it is proved', async () => {
    const { id } = (await service.api('POST', '/v1/messages/send', { channel: 'sms', to: '+14155550100', message: 'Home by dusk' })).body;
    const status = async (): Promise<string> => (await service.api('GET', `/v1/messages/${id}`)).body.status;
    await eventually('it is sent', async () => (await status()) === 'sent');
    const [request] = provider.requests;
    expect(request).to.deep.include({ method: 'POST', path: '/messages' });
    expect(request?.headers).to.include({ authorization: 'Bearer grain' });
    expect(JSON.parse(request?.body ?? '')).to.deep.equal({ to: '+14155550100', from: '+14155550199', text: 'Home by dusk', reference: id });
    const receipt = { id: 'coo-1', status: 'delivered', at: new Date().toISOString() };
    expect(await report(JSON.stringify(receipt), 'hawk')).to.include({ status: 401 });
    expect(await status()).to.equal('sent');
    expect((await report(JSON.stringify(receipt), 'seed')).body).to.deep.equal({ received: 1, unreadable: 0 });
    expect(await status()).to.equal('delivered');
  });

  it('has long reports read in a thread of their own', async () => {
    const long = { id: 'coo-1', status: 'circling', note: 'coo '.repeat(10_000) };
    expect((await report(JSON.stringify(long), 'seed')).body).to.deep.equal({ received: 1, unreadable: 0 });
  });

  it('may be set by an account of its own, but for its address', async () => {
    const carriers = { pigeon: { api_key: 'corn', base_url: 'https://hawk.example' } };
    const { status, body } = await service.api('PATCH', '/v1/account/settings', { carriers });
    expect(status).to.equal(422);
    expect(JSON.stringify(body)).to.include('carriers.pigeon.base_url');
    const set = await service.api('PATCH', '/v1/account/settings', { carriers: { pigeon: { api_key: 'corn' } } });
    expect(set.status).to.equal(200);
  });
});
