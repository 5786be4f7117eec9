import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { guestWithLinks } from '../suppressions/links.js';

const READER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0' };
const SCANNER = { 'User-Agent': 'Barracuda Sentinel' };
const NEW = 'https://shop.example/new';
const SALE = 'https://shop.example/sale?c={{ contact.id }}';
const none = { clicks: 0, clickers: 0, clicks_by_machine: 0, clickers_by_machine: 0 };
const WITHIN = 20_000;

describe('the links of a campaign', () => {
  const world = guestWithLinks();

  const follow = (message: string, url: string, headers: Record<string, string> = READER) =>
    fetch(`${world.service.url}/v1/public/c/${world.trackingOf(message, url).clicked}`, { headers, redirect: 'manual' });

  it('are counted as the content names them, by link and by variant, people and programs apart', async () => {
    await world.service.ok('PATCH', '/account/settings', { marketing_consent: { email: 'opt_out' }, quiet_hours: { enabled: false } });
    const contact_ids: string[] = [];
    for (let i = 0; i < 12; i++) contact_ids.push((await world.service.ok('POST', '/contacts', { email: `links${i}@example.com` })).id);
    const html = `<a href="${NEW}">New</a> <a href="${SALE}">Sale</a>`;
    const variants = [
      { key: 'a', weight: 1, content: {} },
      { key: 'b', weight: 1, content: { subject: 'Hi' } },
    ];
    const content = { subject: 'Hello', html };
    const asked = { name: 'Links', channel: 'email', audience: { include: { contact_ids } }, content, variants };
    const { id } = await world.service.ok('POST', '/campaigns', asked);
    await world.service.ok('POST', `/campaigns/${id}/send`);
    await eventually('it is sent', async () => (await world.service.ok('GET', `/campaigns/${id}`)).status === 'sent', { within: WITHIN });
    const messages = (await world.service.ok('GET', `/campaigns/${id}/recipients?limit=50`)).data as {
      id: string;
      contact_id: string;
      variant: string;
    }[];
    expect(messages).to.have.length(12);
    expect((await world.service.ok('GET', `/campaigns/${id}/links`)).data).to.deep.equal([]);

    const saleOf = ({ contact_id }: { contact_id: string }) => `https://shop.example/sale?c=${contact_id}`;
    const [first, second] = messages as [(typeof messages)[0], (typeof messages)[0]];
    for (const one of messages) expect((await follow(one.id, saleOf(one))).status).to.equal(302);
    // Within an hour it counts once; another address of the same link counts again, but makes no other clicker.
    await follow(first.id, saleOf(first));
    await follow(first.id, saleOf(second));
    await follow(second.id, NEW);
    await follow(second.id, NEW, SCANNER);
    await follow(first.id, 'https://elsewhere.example/');

    const { data, ...rest } = await world.service.ok('GET', `/campaigns/${id}/links`);
    expect(rest).to.deep.equal({});
    const sums = data.map(({ by_variant: _, ...sum }: { by_variant: object }) => sum);
    expect(sums).to.deep.equal([
      { url: SALE, ...none, clicks: 13, clickers: 12 },
      { url: null, ...none, clicks: 1, clickers: 1 },
      { url: NEW, clicks: 1, clickers: 1, clicks_by_machine: 1, clickers_by_machine: 1 },
    ]);
    const [{ by_variant }] = data;
    const { by_variant: counts, clicked } = await world.service.ok('GET', `/campaigns/${id}/stats`);
    expect(clicked).to.equal(12);
    expect(Object.keys(counts)).to.include.members([first.variant, second.variant]);
    for (const key of Object.keys(counts)) expect(by_variant[key]?.clickers ?? 0, key).to.equal(counts[key].clicked);
    expect(JSON.stringify(data)).not.to.include(first.contact_id);
  });

  it('are those of campaigns of the account', async () => {
    expect((await world.service.api('GET', '/v1/campaigns/cmp_01HZX3J8Q4N5V6W7X8Y9Z0A1B2/links')).status).to.equal(404);
  });
});
