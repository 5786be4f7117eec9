import { COUNT, importContacts } from './contacts.js';
import { holdsBudget } from './holds-budget.js';

describe('the work of webhooks', () => {
  holdsBudget('1,000 deliveries of webhooks that wait', async (installation) => {
    installation.holdsWebhooks = true;
    await installation.ask('POST', '/v1/webhook-endpoints', { url: 'https://receiver.example/hooks', events: ['contact.created'] });
    await importContacts(installation);
    return async () => {
      installation.holdsWebhooks = false;
      await installation.untilRecorded('DeliverySucceeded', COUNT);
    };
  });
});
