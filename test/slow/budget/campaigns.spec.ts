import { COUNT, importContacts } from './contacts.js';
import { holdsBudget } from './holds-budget.js';

const template = {
  name: 'News',
  channel: 'email',
  subject: 'Hello {{ contact.first_name }}',
  html: '<p>Hi {{ contact.first_name }}, <a href="https://shop.example/news">the news</a>.</p>',
};

describe('the work of campaigns', () => {
  holdsBudget('a campaign of 1,000 mails by SMTP, until all are handed over', async (installation) => {
    await installation.ask('PATCH', '/v1/account/settings', {
      marketing_consent: { email: 'opt_out' },
      quiet_hours: { enabled: false },
      senders: { email: 'news@shop.example' },
    });
    const { id: list } = await installation.ask('POST', '/v1/lists', { name: 'Readers' });
    await importContacts(installation, { list_ids: [list], confirmed: true, proof: { text: 'They signed up in the shop.' } });
    const { id: template_id } = await installation.ask('POST', '/v1/templates', template);
    const draft = { name: 'Spring', channel: 'email', audience: { include: { list_ids: [list] } }, content: { template_id } };
    const { id } = await installation.ask('POST', '/v1/campaigns', draft);
    return async () => {
      await installation.ask('POST', `/v1/campaigns/${id}/send`, {});
      await installation.untilRecorded('MessageSent', COUNT);
    };
  });
});
