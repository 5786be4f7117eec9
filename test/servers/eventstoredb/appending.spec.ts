import { expect } from 'chai';
import { openEventStoreLog, setUp } from '../../../engines/eventstoredb/index.js';
import { eventsOf, expectConflict, failureOf, newEvent, newEvents, newStream } from '../../contract/helpers.js';
import { eventually, TIMEOUT_FACTOR } from '../../support/eventually.js';
import { outcomeOf, SHORT_TIMEOUTS, useLogFixture } from './fixture.js';

describe('appends to EventStoreDB under faults', () => {
  const log = useLogFixture();
  const append = (stream: string, events = newEvents(2)) => log.store.append(stream, 'no-stream', events);
  /** Connects the client, so that faults occur after the connection. */
  const warm = () => append(newStream());
  const once = async (stream: string) => expect(await eventsOf(log.store, stream)).to.have.length(2);

  it('throw StoreUnavailable when the server never answered', async () => {
    log.server.faults.silent = true;
    const stream = newStream();
    expect(await outcomeOf(append(stream))).to.equal('StoreUnavailable');
    log.server.faults.silent = false;
    expect(await log.store.read(stream)).to.equal('not-found');
    await append(stream);
  });

  it('throw OutcomeUnknown when the server falls silent, send nothing until it answers, and can be repeated', async () => {
    await warm();
    const [first, later] = [newStream(), newStream()];
    const batch = newEvents(2);
    log.server.faults.silent = true;
    expect(await outcomeOf(append(first, batch))).to.equal('OutcomeUnknown');
    expect(await outcomeOf(append(later))).to.equal('StoreUnavailable');
    expect(await outcomeOf(append(first, batch)), 'the repeat cannot know that nothing was sent').to.equal('OutcomeUnknown');
    log.server.faults.silent = false;
    expect((await append(first, batch)).revision).to.equal(1);
    await once(first);
    expect(await log.store.read(later)).to.equal('not-found');
  });

  it('share one probe of a silent server', async () => {
    await warm();
    log.server.faults.silent = true;
    await outcomeOf(append(newStream()));
    const startedAt = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcomeOf(append(newStream()))));
    expect(new Set(outcomes)).to.deep.equal(new Set(['StoreUnavailable']));
    expect(performance.now() - startedAt).to.be.below(SHORT_TIMEOUTS.probeMs * 3 * TIMEOUT_FACTOR);
  });

  it('write once and succeed when an answer is lost, as the same append is sent once more', async () => {
    await warm();
    const stream = newStream();
    log.server.faults.loseNextAnswer = 'silently';
    expect((await append(stream)).revision).to.equal(1);
    await once(stream);
  });

  it('write once when the connection breaks and the append is repeated', async () => {
    await warm();
    const stream = newStream();
    const batch = newEvents(2);
    log.server.faults.loseNextAnswer = 'breaking';
    expect(await outcomeOf(append(stream, batch))).to.equal('OutcomeUnknown');
    expect((await append(stream, batch)).revision).to.equal(1);
    await once(stream);
  });

  for (const how of ['silently', 'breaking'] as const) {
    it(`recognise their own events in a conflict when an answer was lost ${how}`, async () => {
      await warm();
      const stream = newStream();
      const batch = newEvents(2);
      log.server.faults.loseNextAnswer = how;
      log.server.database.forgetful = true;
      if (how === 'breaking') expect(await outcomeOf(append(stream, batch))).to.equal('OutcomeUnknown');
      const answer = await append(stream, batch);
      expect(answer).to.deep.equal({ revision: 1, position: (await eventsOf(log.store, stream))[1]?.position });
      await once(stream);
      await expectConflict(append(stream), { stream, expected: 'no-stream', actual: 1 });
    });
  }

  it('share one call while identical ones are in flight', async () => {
    await warm();
    const [stream, batch, before] = [newStream(), newEvents(2), log.server.counts.appends];
    const answers = await Promise.all(Array.from({ length: 64 }, () => append(stream, batch)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
    expect(log.server.counts.appends - before).to.equal(1);
    await append(stream, batch);
    expect(log.server.counts.appends - before, 'a later repeat is a call of its own').to.equal(2);
  });

  it('succeed where the server leaves identical ones of several processes without an answer', async () => {
    await warm();
    const [stream, batch] = [newStream(), newEvents(3)];
    const others = Array.from({ length: 32 }, () => openEventStoreLog({ url: log.server.url, ...SHORT_TIMEOUTS }));
    try {
      const answers = await Promise.all(others.map((store) => store.append(stream, 'no-stream', batch)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
      expect(log.server.counts.appends, 'those without an answer were repeated').to.be.above(1 + others.length);
    } finally {
      await Promise.all(others.map((store) => store.close()));
    }
    expect(await eventsOf(log.store, stream)).to.have.length(3);
  });

  it('report a conflict with other events after an unknown outcome', async () => {
    await warm();
    const stream = newStream();
    const batch = newEvents(2);
    log.server.faults.busy = true;
    expect(await outcomeOf(append(stream, batch)), 'an error that this client cannot parse').to.equal('OutcomeUnknown');
    log.server.faults.busy = false;
    await append(stream);
    await expectConflict(append(stream, batch), { stream, expected: 'no-stream', actual: 1 });
    await once(stream);
  });

  it('throw OutcomeUnknown when the server is killed, and succeed when it is back', async () => {
    await warm();
    log.server.faults.slowMs = 30;
    const stream = newStream();
    const batch = newEvents(2);
    const underWay = outcomeOf(append(stream, batch));
    await new Promise((resolve) => setImmediate(resolve));
    log.server.crash();
    expect(await underWay).to.equal('OutcomeUnknown');
    expect(await outcomeOf(append(newStream()))).to.equal('StoreUnavailable');
    log.server.faults.slowMs = 0;
    await log.server.start();
    for (let settled = ''; settled !== 'done'; ) settled = await outcomeOf(append(stream, batch));
    await once(stream);
  });

  for (const how of ['end', 'fail'] as const) {
    it(`return the true outcome of large appends in flight when the server ${how}s their stream`, async () => {
      await warm();
      log.server.faults.slowMs = 100;
      const before = log.server.counts.appends;
      const appends = Array.from({ length: 40 }, () => ({ stream: newStream(), events: [newEvent({ data: JSON.stringify('x'.repeat(100_000)) })] }));
      const outcomes = appends.map(({ stream, events }) => outcomeOf(append(stream, events)));
      await eventually('the server has some of them', () => log.server.counts.appends > before, { every: 1 });
      log.server.faults.dropBatches(how);
      const outcome = await Promise.all(outcomes);
      log.server.faults.slowMs = 0;
      expect(outcome).to.include('OutcomeUnknown');
      for (const [i, { stream, events }] of appends.entries()) {
        const there = await log.store.read(stream);
        if (outcome[i] === 'done') expect(there).to.have.length(1);
        if (outcome[i] === 'StoreUnavailable') expect(there).to.equal('not-found');
        expect((await append(stream, events)).revision).to.equal(0);
        expect(await eventsOf(log.store, stream)).to.have.length(1);
      }
    });
  }

  it('recover from a failed request for server features, which the client caches', async () => {
    log.server.faults.featuresBroken = true;
    for (let n = 0; n < 4; n++) expect(await outcomeOf(append(newStream()))).to.equal('StoreUnavailable');
    log.server.faults.featuresBroken = false;
    const outcomes: string[] = [];
    for (let n = 0; n < 4; n++) outcomes.push(await outcomeOf(append(newStream())));
    expect(outcomes).to.include('done');
    expect(outcomes.at(-1)).to.equal('done');
  });

  it('reject a too large append before it is sent, without affecting others', async () => {
    await warm();
    const others = Array.from({ length: 20 }, () => append(newStream()));
    const large = append(newStream(), [newEvent({ data: JSON.stringify('x'.repeat(17 * 1_048_576)) })]);
    expect(await failureOf(large)).to.include({ name: 'AppendTooLarge' });
    expect(
      await failureOf(
        append(
          newStream(),
          Array.from({ length: 3 }, () => newEvent({ data: JSON.stringify('x'.repeat(400_000)) })),
        ),
      ),
    ).to.include({
      name: 'AppendTooLarge',
    });
    await Promise.all(others);
  });

  it('reject an invalid id before anything is sent', async () => {
    expect(await failureOf(append(newStream(), [newEvent({ id: 'one' })]))).to.be.instanceOf(TypeError);
  });

  for (const batches of [true, false]) {
    it(`send texts unchanged with the content type JSON, ${batches ? 'in batches' : 'one by one'}`, async () => {
      log.server.batches = batches;
      const stream = newStream();
      const event = newEvent({ data: '{ "b": 1.0, "a": 12345678901234567890 }', metadata: '{ "c": "\u0105ż" }' });
      await append(stream, [event]);
      const there = await log.server.database.read(stream, 0, 1, false);
      const [stored] = typeof there === 'string' ? [] : there;
      expect(stored).to.include({ id: event.id, type: 'Tested', contentType: 'application/json' });
      expect(Buffer.from(stored?.data ?? []).toString()).to.equal(event.data);
      expect(Buffer.from(stored?.metadata ?? []).toString()).to.equal(event.metadata);
    });
  }

  it('succeed after a stream was deleted, and throw StreamTombstoned after a tombstone', async () => {
    const client = (await import('@eventstore/db-client')).EventStoreDBClient.connectionString(log.server.url);
    const [deleted, buried] = [newStream(), newStream()];
    await append(deleted);
    await append(buried);
    await client.deleteStream(deleted);
    await client.tombstoneStream(buried);
    await client.dispose();
    expect(await log.store.read(deleted)).to.equal('not-found');
    expect((await append(deleted)).revision).to.equal(3);
    expect(await log.store.read(buried)).to.equal('not-found');
    expect(await failureOf(append(buried))).to.include({ name: 'StreamTombstoned' });
  });
});

describe('appends to an EventStoreDB without batch appends', () => {
  const log = useLogFixture({ batches: false });

  it('succeed, conflict and settle lost answers in the same way', async () => {
    const stream = newStream();
    const batch = newEvents(2);
    log.server.faults.loseNextAnswer = 'breaking';
    expect(await outcomeOf(log.store.append(stream, 'no-stream', batch))).to.equal('OutcomeUnknown');
    log.server.faults.loseNextAnswer = 'silently';
    expect((await log.store.append(stream, 'no-stream', batch)).revision).to.equal(1);
    await expectConflict(log.store.append(stream, 0, newEvents(1)), { stream, expected: 0, actual: 1 });
    expect(await eventsOf(log.store, stream)).to.have.length(2);
  });
});

describe('a connection to EventStoreDB', () => {
  const log = useLogFixture({ cluster: true });
  const append = () => log.store.append(newStream(), 'no-stream', newEvents(1));

  it('discovers the leader of a cluster, also after all nodes were down', async () => {
    await append();
    log.server.crash();
    const outcomes = [await outcomeOf(append()), await outcomeOf(append())];
    expect(outcomes.at(-1)).to.equal('StoreUnavailable');
    await log.server.start();
    for (let settled = ''; settled !== 'done'; ) settled = await outcomeOf(append());
  });

  it('is limited to one per process, and rejects unsafe addresses', () => {
    expect(() => openEventStoreLog({ url: 'esdb://127.0.0.1:1?tls=false' })).to.throw(/one at a time/);
    expect(() => openEventStoreLog({ url: 'esdb://127.0.0.1:1?tls=false&throwOnAppendFailure=false' })).to.throw(/throwOnAppendFailure/);
    expect(() => openEventStoreLog({ url: 'esdb://127.0.0.1:1?tls=false&nodePreference=subscriber' })).to.throw(/nodePreference/);
    expect(() => openEventStoreLog({ url: 'http://127.0.0.1:1' })).to.throw(/esdb:/);
  });

  it('grants a user the needed rights repeatedly, and keeps those of others', async () => {
    for (const user of ['other', 'heliograph', 'heliograph']) await setUp({ url: `${log.server.clusterUrl}&maxDiscoverAttempts=2`, user });
    const last = async (stream: string) => JSON.parse((await eventsOf(log.store, stream)).at(-1)?.data ?? 'null');
    expect(await last('$$$all')).to.deep.equal({ $acl: { $r: ['$admins', 'other', 'heliograph'], $mr: ['$admins'], $mw: ['$admins'] } });
    expect((await last('$settings')).$userStreamAcl.$w).to.deep.equal(['$admins', 'heliograph']);
  });
});
