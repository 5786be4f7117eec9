import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Heliograph, HeliographError, verifyWebhook, WebhookError } from '../../../clients/node/src/index.js';
import { systemClock } from '../../../ops/system/clock.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';
import { Receiver } from '../../webhooks/receiver.js';

describe('the client for Node.js', () => {
  const service = Service.guest();
  let client: Heliograph;
  before(async () => {
    client = new Heliograph({ url: service.url, key: service.key });
  });

  /** A client whose calls pass through `each`, before they reach the service. */
  const through = (each: (nth: number, init: RequestInit | undefined) => Response | null | Promise<Response | null>, retries = 4) => {
    let calls = 0;
    const seen: RequestInit[] = [];
    const passing: typeof fetch = async (target, init) => {
      seen.push(init ?? {});
      return (await each(++calls, init)) ?? fetch(target, init);
    };
    return { seen, client: new Heliograph({ url: service.url, key: service.key, retries, fetch: passing }) };
  };

  it('has the types of the current OpenAPI document', async () => {
    const { schemasOf } = (await import(new URL('../../../../clients/node/scripts/reduce.mjs', import.meta.url).href)) as {
      schemasOf: (document: unknown) => unknown;
    };
    const document = await (await fetch(`${service.url}/v1/openapi.json`)).json();
    const hash = createHash('sha256')
      .update(JSON.stringify(schemasOf(document)))
      .digest('hex')
      .slice(0, 16);
    const [first] = readFileSync('clients/node/src/api.ts', 'utf8').split('\n');
    expect(first, 'run `npm run generate` in clients/node, with HELIOGRAPH_URL of a running service').to.include(hash);
  });

  it('sends a message, reads it, and goes through lists page by page', async () => {
    const sent = await client.post('/v1/messages/send', { body: { to: '+14155550161', channel: 'sms', message: 'Hello', tags: ['client'] } });
    const id: string = sent.id;
    const found = await eventually('the message is delivered', async () => {
      const message = await client.get('/v1/messages/{id}', { params: { id } });
      return message.status === 'delivered' && message;
    });
    expect(found.to).to.equal('+14155550161');
    for (const last of ['62', '63', '64']) {
      await client.post('/v1/messages/send', { body: { to: `+141555501${last}`, channel: 'sms', message: 'Hello', tags: ['client'] } });
    }
    const all: string[] = [];
    for await (const one of client.list('/v1/messages', { query: { tag: 'client', limit: 2 } })) all.push(one.to ?? '');
    expect(all).to.deep.equal(['+14155550164', '+14155550163', '+14155550162', '+14155550161']);
  });

  it('tries again after a lost answer, and does nothing twice', async () => {
    const { client: shaky, seen } = through(async (nth, init) => {
      if (nth > 1) return null;
      await fetch(`${service.url}/v1/messages/send`, init);
      throw new TypeError('fetch failed');
    });
    await shaky.post('/v1/messages/send', { body: { to: '+14155550165', channel: 'sms', message: 'Once', tags: ['once'] } });
    expect(new Set(seen.map(({ headers }) => (headers as Record<string, string>)['Idempotency-Key'])).size).to.equal(1);
    const list = await client.get('/v1/messages', { query: { tag: 'once' } });
    expect(list.data).to.have.lengthOf(1);
  });

  it('waits as long as the service says, and gives up in the end', async () => {
    const busy = () => Response.json({ code: 'unavailable', message: 'Wait.' }, { status: 503, headers: { 'Retry-After': '0' } });
    const { client: patient, seen } = through((nth) => (nth < 4 ? busy() : null));
    await patient.get('/v1/messages');
    expect(seen).to.have.lengthOf(4);
    const { client: unlucky, seen: tried } = through(busy, 2);
    const error = await unlucky.get('/v1/messages').catch((one: unknown) => one);
    expect(error).to.be.instanceOf(HeliographError).and.include({ status: 503, code: 'unavailable' });
    expect(tried).to.have.lengthOf(3);
  });

  it('throws errors with all problems, without trying again', async () => {
    const { client: strict, seen } = through(() => null);
    const body = { to: 'nobody', channel: 'sms', message: '' } as const;
    const error = (await strict.post('/v1/messages/send', { body }).catch((one: unknown) => one)) as HeliographError;
    expect(error).to.be.instanceOf(HeliographError).and.include({ status: 422, code: 'validation_error' });
    expect(error.problems.map(({ field }) => field)).to.include('to');
    expect(error.requestId).to.match(/^req_/);
    expect(seen).to.have.lengthOf(1);
  });

  it('verifies webhooks, and refuses changed, old and foreign ones', async () => {
    const receiver = await Receiver.start(systemClock, () => 200);
    try {
      await client.post('/v1/messages/send', { body: { to: '+14155550166', channel: 'sms', message: 'Hi', webhook_url: receiver.origin } });
      const { headers, body } = await receiver.next();
      const webhook = { secret: service.secret, headers, body };
      expect(verifyWebhook(webhook)).to.include({ event: JSON.parse(String(body)).event });
      expect(verifyWebhook({ ...webhook, headers: new Headers(headers as Record<string, string>) })).to.have.property('event_id');
      for (const wrong of [
        { ...webhook, body: `${body} ` },
        { ...webhook, secret: 'whsec_other' },
        { ...webhook, headers: {} },
        { ...webhook, toleranceMs: -1 },
      ])
        expect(() => verifyWebhook(wrong)).to.throw(WebhookError);
    } finally {
      await receiver.close();
    }
  });
});
