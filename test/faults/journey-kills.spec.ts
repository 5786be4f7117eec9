import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { chosenSeed, seeded } from './random.js';

const ENROLLMENTS = process.env.FAULTS === 'long' ? 1_000 : 100;
const KILLS = process.env.FAULTS === 'long' ? 50 : 3;
const CALLS = 10;

const send = (id: string, next: string | null) => ({
  ...{ id, kind: 'send', channel: 'email', category: 'transactional', subject: id, message: `Hi from ${id}`, next },
});
const definition = {
  name: 'Kills',
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'first' },
    send('first', 'd'),
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT3S', next: 'b' },
    {
      ...{ id: 'b', kind: 'branch', mode: 'rule', else: 'odd' },
      branches: [{ id: 'even', rule: { type: 'attribute', field: 'tags', op: 'contains', value: 'even' }, next: 'even' }],
    },
    send('even', 'd2'),
    send('odd', 'd2'),
    { id: 'd2', kind: 'delay', mode: 'duration', duration: 'PT2S', next: 'last' },
    send('last', null),
  ],
};

describe(`${ENROLLMENTS} enrollments in a service that is killed ${KILLS} times`, () => {
  const random = seeded(chosenSeed());
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
  const handOverLog = join(folder, 'handed-over.log');
  let service: Service;
  let journey: string;
  before(async () => {
    service = await Service.start({ HELIOGRAPH_SANDBOX_LOG: handOverLog });
    const made = await service.api('POST', '/v1/journeys', definition);
    expect(made.status, made.text).to.equal(201);
    journey = made.body.id;
    expect((await service.api('POST', `/v1/journeys/${journey}/publish`)).status).to.equal(200);
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const emailOf = (n: number): string => `journey${n}@example.com`;
  async function start(n: number): Promise<void> {
    const contact = { email: emailOf(n), tags: n % 2 === 0 ? ['even'] : [] };
    expect((await service.api('POST', '/v1/contacts', contact)).status).to.equal(201);
    expect((await service.api('POST', '/v1/events', { contact: { email: emailOf(n) }, event: 'go' })).status).to.equal(202);
  }
  const stats = async () => (await service.api('GET', `/v1/journeys/${journey}/stats`)).body;

  it('go the way that they go in one that is not', async () => {
    for (let n = 0; n < ENROLLMENTS; n += CALLS) await Promise.all(Array.from({ length: CALLS }, (_, i) => start(n + i)));
    let active = 0;
    for (let n = 0; n < KILLS; n++) {
      const moment = Date.now() + 200 + Math.floor(random() * 1_500);
      await eventually('the moment of the kill', () => Date.now() >= moment, { within: 10_000 });
      active += (await stats()).active;
      await service.kill9();
      await service.restart();
    }
    expect(active, 'no kill came before their end').to.be.above(0);
    await eventually('all have ended', async () => (await stats()).exited.completed === ENROLLMENTS, { within: 120_000 });
    expect(await stats()).to.include({ started: ENROLLMENTS, active: 0 });
  });

  it('have one message for each node, which is handed over', async () => {
    await service.caughtUp();
    const listed = await service.api('GET', `/v1/journeys/${journey}/enrollments?limit=200`);
    const messages = new Map<string, string>();
    for (const { id, contact_id } of listed.body.data) {
      const { path } = (await service.api('GET', `/v1/enrollments/${id}`)).body;
      const { tags } = (await service.api('GET', `/v1/contacts/${contact_id}`)).body;
      const way = tags.includes('even') ? 'even' : 'odd';
      const taken = way === 'even' ? 'branch:even' : 'else';
      expect(path.map(({ node, outcome }: Record<string, string>) => `${node} ${outcome}`)).to.deep.equal([
        ...['t started', 'first sent', 'd next', `b ${taken}`, `${way} sent`, 'd2 next', 'last sent'],
      ]);
      for (const { node, message_id } of path) if (message_id) messages.set(message_id, `${id}/${node}`);
    }
    expect(messages.size).to.equal(listed.body.data.length * 3);
    const handedOver = () => new Set(readFileSync(handOverLog, 'utf8').match(/msg_[0-9A-Z]+/g) ?? []);
    await eventually('all are handed over', () => handedOver().size >= ENROLLMENTS * 3, { within: 120_000 });
    expect(handedOver().size, 'no other message').to.equal(ENROLLMENTS * 3);
    for (const id of messages.keys()) expect(handedOver().has(id), messages.get(id)).to.equal(true);
  });

  it('keep read models that equal the log', async () => {
    for (const name of ['journey-enrollments', 'messages']) {
      const { code, stdout, stderr } = await service.cli('projections', 'verify', name);
      expect(code, stdout + stderr).to.equal(0);
    }
  });
});
