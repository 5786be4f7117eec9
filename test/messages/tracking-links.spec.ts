import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { guestWithLinks } from '../suppressions/links.js';

const TARGET = 'https://shop.example/sale';
const READER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0' };
const RECORDED = /MessageOpened|MessageClicked/;

describe('the tracking links of a message', () => {
  const world = guestWithLinks();

  async function visited(id: string): Promise<[opened: number, clicked: number, location: string | null, recorded: boolean]> {
    const { opened, clicked } = world.trackingOf(id, TARGET);
    const get = (path: string, accept: string) => fetch(world.service.url + path, { headers: { ...READER, Accept: accept }, redirect: 'manual' });
    const [pixel, target] = [await get(`/v1/public/o/${opened}`, 'image/webp'), await get(`/v1/public/c/${clicked}`, 'text/html')];
    const events = await world.service.api('GET', `/v1/messages/${id}/events?limit=200`);
    return [pixel.status, target.status, target.headers.get('location'), RECORDED.test(events.text)];
  }
  const send = async (to: string, headers = {}): Promise<string> =>
    (await world.service.api('POST', '/v1/messages/send', { to, channel: 'email', message: 'Hello' }, headers)).body.id;

  it('record what a reader does', async () => {
    expect(await visited(await send('ada@example.com'))).to.deep.equal([200, 302, TARGET, true]);
  });

  it('take a HEAD for what a program does, whatever its user agent', async () => {
    const id = await send('ada@example.com');
    const { opened, clicked } = world.trackingOf(id, TARGET);
    for (const path of [`/v1/public/o/${opened}`, `/v1/public/c/${clicked}`]) {
      const { status } = await fetch(world.service.url + path, { method: 'HEAD', headers: READER, redirect: 'manual' });
      expect(status).to.be.oneOf([200, 302]);
    }
    await eventually('both are recorded', async () => {
      const { text } = await world.service.api('GET', `/v1/messages/${id}/events?limit=200`);
      return text.includes('machine_click') && text.includes('machine_open');
    });
  });

  it('of a test message lead on and record nothing', async () => {
    const { key } = (await world.service.api('POST', '/v1/api-keys', { name: 'Trial', mode: 'test' })).body;
    expect(await visited(await send('ada@example.com', { 'X-API-Key': key }))).to.deep.equal([200, 302, TARGET, false]);
  });

  it('of an erased person lead on and record nothing', async () => {
    const { body: grace } = await world.service.api('POST', '/v1/contacts', { email: 'grace@example.com' });
    const id = await send('grace@example.com');
    const erase = () => world.service.api('POST', `/v1/contacts/${grace.id}/erase`);
    await eventually('it is erased', async () => (await erase()).body.status === 'completed');
    expect(await visited(id)).to.deep.equal([200, 302, TARGET, false]);
  });

  it('lead on where the message is unknown', async () => {
    expect((await visited('msg_01HZX3J8Q4N5V6W7X8Y9Z0A1B2')).slice(0, 3)).to.deep.equal([200, 302, TARGET]);
  });
});
