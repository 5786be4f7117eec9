import { expect } from 'chai';
import { TIMEOUT_FACTOR } from '../../support/eventually.js';
import { type Edit, recipeOf, temporaryCopy } from './temporary-copy.js';

const EVENTS = 'domain/webhooks/platform-events.ts';
const PAYLOADS = 'projections/webhooks/platform-payloads.ts';
const CHECK = 'test/webhooks/list-created.spec.ts';

/** What the copy must do then: a list is created, and the endpoint has the event with a body by its published schema. */
const check = `
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { listStream } from '../../domain/lists/list.js';
import { endpointsStream } from '../../domain/webhooks/endpoint.js';
import { platformBodies, platformBodyExample } from '../../domain/webhooks/platform-body.js';
import { webhookFixtures } from './fixtures.js';
import { ACCOUNT, SECRET } from './webhook-fixture.js';

describe('a list that is created', () => {
  const { startReceiver, startFixture } = webhookFixtures();
  const at = '2026-01-15T10:30:00.000Z';

  it('is reported to endpoints', async () => {
    const receiver = await startReceiver(() => 200);
    const fixture = startFixture();
    const target = { url: receiver.origin + '/hook', lane: 'host', events: ['list.created'], description: null, headers: {}, secret: SECRET };
    const endpoint = { type: 'EndpointCreated', data: { account_id: ACCOUNT, endpoint_id: 'whe_1', ...target, at } };
    await fixture.append(endpointsStream(ACCOUNT), -1, [endpoint]);
    const list = { type: 'ListCreated', data: { list_id: 'lst_1', name: 'News', description: null, opt_in: 'single', at } };
    await fixture.append(listStream('lst_1'), -1, [list]);

    const body = JSON.parse((await receiver.next()).body);
    expect(body).to.deep.include({ event: 'list.created', account_id: ACCOUNT });
    expect(body.data).to.deep.equal({ list: { id: 'lst_1', name: 'News', created_at: at } });
    expect((await fixture.outcome()).type).to.equal('DeliverySucceeded');

    const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false })) as Ajv2020;
    const isValid = ajv.compile(platformBodies['list.created']);
    for (const one of [body, platformBodyExample('list.created', { contact: {}, message: {} })])
      expect(isValid(one), JSON.stringify(isValid.errors)).to.equal(true);
  });
});
`;

describe('the recipe of a platform event', function () {
  this.timeout(480_000 * TIMEOUT_FACTOR);

  const edits = async (): Promise<{ readonly domain: Edit[]; readonly payload: Edit }> => {
    const steps = await recipeOf('Adding a platform event');
    expect(steps.map(({ file }) => file)).to.deep.equal([EVENTS, EVENTS, PAYLOADS]);
    const [descriptor = '', union = '', payload = ''] = steps.map(({ code }) => code);
    return {
      domain: [
        { file: EVENTS, before: '} as const satisfies Readonly<Record<string, PlatformEvent>>;', insert: descriptor },
        { file: EVENTS, after: 'type LoggedEvent =\n', insert: union },
        { file: EVENTS, before: 'import type { SealedInboundEmailEvent }', insert: "import type { ListEvent } from '../lists/list.js';\n" },
      ],
      payload: { file: PAYLOADS, after: "  'form.submitted': formSubmitted,\n", insert: payload },
    };
  };

  it('makes one that is delivered, in two files, and does not compile without its payload', async () => {
    const { domain, payload } = await edits();
    const half = await temporaryCopy(domain);
    try {
      const refusal = await half.compile().then(
        () => 'compiled',
        (error: unknown) => String(error),
      );
      expect(refusal).to.match(/platform-payloads\.ts.*Property '"list\.created"' is missing/);
    } finally {
      await half.remove();
    }
    const copy = await temporaryCopy([...domain, payload, { file: CHECK, content: check }]);
    try {
      await copy.compile();
      expect(await copy.specs(CHECK)).to.contain('1 passing');
    } finally {
      await copy.remove();
    }
  });
});
