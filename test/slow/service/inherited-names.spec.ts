import { expect } from 'chai';
import { type Document, type WriteRoute, writeRoutes } from '../../service/body-faults/write-routes.js';
import { fuzzSettings } from '../../service/fuzz/fuzz.js';
import { reportBodies } from '../../service/fuzz/reports.js';
import { operationsOf } from '../../service/fuzz/requests.js';
import { inheritedNames, replaced } from '../../support/inherited-names.js';
import { type Reply, Service } from '../../support/service.js';

/** The two that break most, and the others in turn. */
const [first = '', second = ''] = ['constructor', '__proto__'];
const others = inheritedNames.filter((name) => name !== first && name !== second);
const CONCURRENCY = 8;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('a name that every object has, sent from outside', function () {
  this.timeout(120_000);
  const service = Service.own(fuzzSettings);
  let document: Document;
  let routes: WriteRoute[];
  before(async () => {
    document = (await service.api('GET', '/v1/openapi.json')).body;
    routes = await writeRoutes(service, document);
  });

  /** Sends all, and returns those that were answered with a 5xx. */
  async function faults(requests: Iterable<Sent>): Promise<string[]> {
    const found: string[] = [];
    const left = requests[Symbol.iterator]();
    let count = 0;
    const work = async (): Promise<void> => {
      for (let next = left.next(); !next.done; next = left.next()) {
        const { method, path, body, headers } = next.value;
        count++;
        const { status, text } = await service.api(method, path, body, headers);
        if (status >= 500) found.push(`${method} ${path} ${JSON.stringify(body)} -> ${status} ${text}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    expect(count).to.be.greaterThan(0);
    return found;
  }

  /** Each value of each body replaced once, by one of the names. */
  function* bodies(): Generator<Sent> {
    let turn = 0;
    for (const { method, path, body } of routes) {
      const names = [first, second, others[turn++ % others.length] ?? ''];
      const copies = names.map((name) => [...replaced(body, name, name)]);
      for (let i = 0; i < (copies[0]?.length ?? 0); i++) yield { method, path, body: copies[i % names.length]?.[i] };
    }
  }

  it('is no fault of ours as a value or a field of any body', async () => expect(await faults(bodies())).to.deep.equal([]));

  it('is no fault of ours in a report of a carrier, with a password and without', async () => {
    const password = { Authorization: `Basic ${Buffer.from('fuzz:password').toString('base64')}` };
    const requests = reportBodies.flatMap(({ carrier, body }) =>
      [first, second, ...others].flatMap((name) =>
        [name, { toString: 1, valueOf: 1 }]
          .flatMap((value) => [...replaced(body, value, name)])
          .map((one) => ({ method: 'POST', path: `/v1/webhooks/${carrier}`, body: one, headers: carrier === 'postmark' ? password : {} })),
      ),
    );
    expect(await faults(requests)).to.deep.equal([]);
  });

  it('is no fault of ours in a path, as a parameter or as the name of one', async () => {
    const operations = operationsOf(document).filter(({ method, path }) => method === 'GET' && !/stream|live/.test(path));
    const requests = operations.flatMap(({ method, path, query }, i) => {
      const name = [first, second, ...others][i % inheritedNames.length] ?? '';
      const filled = path.replaceAll(/\{\w+\}/g, name);
      const one = (parameters: string): Sent => ({ method, path: `${filled}${parameters}`, headers: { Prefer: 'x' } });
      const ofParameters = query.flatMap(([parameter]) => [
        one(`?${parameter}=${name}`),
        one(`?${parameter}[${first}]=x&${parameter}[${second}]=y`),
        one(`?${parameter}=${first}&${parameter}=${second}`),
      ]);
      return [one(''), one(`?${first}=1&${second}=1&${second}[${first}]=1`), ...ofParameters];
    });
    expect(await faults(requests)).to.deep.equal([]);
  });

  it('is no fault of ours as a header', async () => {
    const headers = ['Accept', 'Accept-Language', 'Content-Type', 'Idempotency-Key', 'If-Match', 'X-API-Key', 'Authorization', 'X-Request-Id'];
    const more = ['X-Service-Consistency', 'X-Service-Min-Position', 'Origin', 'Cookie', 'Content-Encoding', ...inheritedNames];
    const targets = [
      { method: 'POST', path: '/v1/messages/send', body: { to: '+15005550001', channel: 'sms', message: 'Hello' } },
      { method: 'GET', path: '/v1/messages' },
      { method: 'GET', path: '/v1/public/unsubscribe/constructor' },
    ];
    const requests = [...headers, ...more].flatMap((header, i) =>
      [first, second, others[i % others.length] ?? ''].flatMap((name) =>
        targets.map((target) => ({ ...target, headers: { [header.replace('__proto__', 'X-Proto')]: name } })),
      ),
    );
    expect(await faults(requests)).to.deep.equal([]);
  });

  it('is no fault of ours as a column of a table', async () => {
    const post = async (path: string, body: string | FormData, headers = {}): Promise<number> =>
      (await fetch(service.url + path, { method: 'POST', body, headers: { 'X-API-Key': service.key, ...headers } })).status;
    for (const name of inheritedNames) {
      const table = `email,${name},custom_fields.${name}\nada@example.com,x,y\n`;
      const form = new FormData();
      form.set('file', new Blob([table], { type: 'text/csv' }), 'table.csv');
      form.set('mapping', JSON.stringify(Object.fromEntries([[name, name]])));
      expect(await post('/v1/contacts/import', form), name).to.be.within(200, 499);
      form.delete('mapping');
      expect(await post('/v1/contacts/import', form), name).to.be.within(200, 499);
      const suppressed = await post('/v1/account/unsubscribes/api/import', `address,${name}\nada@example.com,x\n`, { 'Content-Type': 'text/csv' });
      expect(suppressed, name).to.be.within(200, 499);
    }
  });

  it('means what it is given as: tags, events and properties', async () => {
    const ok = (reply: Reply): Reply => {
      expect(reply.status, reply.text).to.be.within(200, 299);
      return reply;
    };
    const { id } = ok(await service.api('POST', '/v1/contacts', { email: 'tags@example.com' })).body;
    expect((await service.api('GET', `/v1/contacts/${id}`)).body.tags).to.deep.equal([]);
    const tags = inheritedNames.toSorted();
    ok(await service.api('PATCH', `/v1/contacts/${id}`, { tags }));
    expect((await service.api('GET', `/v1/contacts/${id}`)).body.tags.toSorted()).to.deep.equal(tags);

    for (const name of others) ok(await service.api('POST', '/v1/events', { contact: { id }, event: name, properties: { [name]: name } }));
  });

  it('leaves the service unharmed', async () => {
    expect((await service.api('GET', '/healthz')).status).to.equal(200);
    expect(service.loggedProblems('error')).to.deep.equal([]);
  });
});
