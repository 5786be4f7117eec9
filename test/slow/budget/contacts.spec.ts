import { COUNT, emailOf, importContacts } from './contacts.js';
import { holdsBudget } from './holds-budget.js';

const SEGMENTS = 50;
/** Of the purchases, whose values are spread evenly, each brings its contact into half of them on average. */
const segment = (nth: number) => ({
  name: `Segment ${nth}`,
  rules: {
    type: 'event',
    event: 'purchase',
    where: [{ property: 'value', op: 'gt', value: (nth * COUNT) / SEGMENTS }],
    count: { op: 'gte', value: 1 },
  },
});

describe('the work of contacts', () => {
  holdsBudget('an import of 1,000 rows', async (installation) => () => importContacts(installation));

  holdsBudget('1,000 custom events with 50 segments', async (installation) => {
    await importContacts(installation);
    for (let nth = 0; nth < SEGMENTS; nth++) await installation.ask('POST', '/v1/segments', segment(nth));
    await installation.untilAnswered('/v1/segments?limit=100', ({ data }) => data.every(({ status }: { status: string }) => status === 'live'));
    return async () => {
      await installation.each(COUNT, (nth) => ({
        path: '/v1/events',
        body: { contact: { email: emailOf(nth) }, event: 'purchase', properties: { value: nth } },
      }));
      await installation.untilRecorded('CustomEventRecorded', COUNT);
    };
  });
});
