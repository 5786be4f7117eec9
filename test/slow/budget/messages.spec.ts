import { COUNT } from './contacts.js';
import { holdsBudget } from './holds-budget.js';

const message = (nth: number) => ({ to: `+1415${2_000_000 + nth}`, channel: 'sms', message: `Your parcel ${nth} has left our warehouse.` });

describe('the work of messages', () => {
  holdsBudget('1,000 single messages, until they are delivered', async (installation) => async () => {
    await installation.each(COUNT, (nth) => ({ path: '/v1/messages/send', body: message(nth) }));
    await installation.untilRecorded('MessageDelivered', COUNT);
  });

  holdsBudget('a bulk of 1,000 messages, until they are delivered', async (installation) => async () => {
    await installation.ask('POST', '/v1/messages/bulk', { messages: Array.from({ length: COUNT }, (_, nth) => message(nth)) });
    await installation.untilRecorded('MessageDelivered', COUNT);
  });
});
