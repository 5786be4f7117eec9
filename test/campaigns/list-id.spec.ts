import { expect } from 'chai';
import { addToList } from '../../commands/lists/add-to-list.js';
import { createList } from '../../commands/lists/create-list.js';
import { listDomainOf, listIdHeader } from '../../formats/messages/list-id.js';
import { CampaignApp } from './campaign-app.js';

describe('the List-Id of the mail of a campaign', () => {
  it('is that of its list, where it goes to the subscribers of one list alone', async () => {
    const world = new CampaignApp();
    await world.contacts(2);
    const [first = '', second = ''] = world.ids;
    const lists = await Promise.all(
      ['Summer "hits"', 'Other'].map(async (name) => (await world.app.execute(createList, { name, description: null, opt_in: 'single' })).output.id),
    );
    for (const list_id of lists)
      await world.app.execute(addToList, { list_id, contact_ids: [first], emails: [], phones: [], by: 'account', source: 'api', base_url: null });
    const headersFor = async (include: object, more: object = {}) => {
      const id = await world.campaign({ audience: { include }, ...more });
      while (await world.work(id));
      const { items } = await world.result(id);
      expect(items).to.have.length.greaterThan(0);
      return items.map(({ content }) => content?.headers);
    };
    const [list = '', other = ''] = lists;
    expect(await headersFor({ list_ids: [list] })).to.deep.equal([{ 'List-Id': `"Summer \\"hits\\"" <${list}.mail.example.com>` }]);
    const others: object[] = [{ list_ids: [list, other] }, { list_ids: [list], contact_ids: [second] }, { everyone: true }, { contact_ids: [first] }];
    for (const include of others) for (const headers of await headersFor(include)) expect(headers, JSON.stringify(include)).to.equal(undefined);
  });

  it('has the identifier alone where the name needs an encoding, and a domain where the service has an address', () => {
    expect(listIdHeader({ id: 'lst_1', name: 'Grüße' }, 'example.com')).to.equal('<lst_1.example.com>');
    expect(listIdHeader({ id: 'lst_1', name: 'News\r\nBcc: eve@example.com' }, 'example.com')).to.equal('<lst_1.example.com>');
    const domains = ['https://mail.example.com/x', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost:3000', null];
    expect(domains.map(listDomainOf)).to.deep.equal(['mail.example.com', 'localhost', 'localhost', 'localhost', null]);
  });
});
