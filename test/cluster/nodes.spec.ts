import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isFinal, type Status, statusNames } from '../../domain/messages/status.js';
import { dispatches, type Ledger, type MessageHistory, readLedger, wholeHistory } from '../faults/ledger.js';
import { Load, type Pace } from '../faults/load.js';
import { between, chosenSeed, pick, seeded } from '../faults/random.js';
import { FRESH } from '../support/eventstoredb/real.js';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../webhooks/receiver.js';
import { Cluster } from './cluster.js';
import { Deck, type Fault } from './cluster-faults.js';
import type { Node } from './cluster-node.js';
import { type Takeover, Watch } from './cluster-takeover.js';

const MAX_ROUNDS = Number(process.env.FAULTS_ROUNDS ?? 20);
const CALLERS = 4;
/** Slow enough for the test servers, which write each document to disk separately. */
const PACE: Pace = { pauseMs: 600, bulks: [[1, { from: 3, to: 20 }]] };
/** Numbers of messages without dispatch at which callers pause and resume, so that a busy machine can catch up. */
const BACKLOG = { stop: 60, resume: 15 } as const;
/** Before the first fault of a round. */
const QUIET_MS = [300, 1_500] as const;
/** From the end of the faults until all nodes work again. */
const RECOVERY_MS = 45_000;
const SETTLE_MS = 180_000;
/** The longest takeover by another worker while the servers work. */
const TAKEOVER_MS = 10_000;
/** The longest answer, even with silent servers: each call to a server has a timeout, and a request makes few calls. */
const ANSWER_MS = 20_000;
const NOT_FINAL = statusNames.filter((status) => !isFinal(status));

describe(`two API nodes and two workers through ${MAX_ROUNDS} rounds of faults`, () => {
  const seed = chosenSeed();
  // Only for the faults, so that the seed repeats them independently of the load.
  const random = seeded(seed);
  const loadRandom = seeded(seed + 1);
  const deck = new Deck(random, Boolean(process.env[FRESH]));
  const takeovers: { readonly fault: string; readonly times: Takeover }[] = [];
  let cluster: Cluster;
  const receiver = Receiver.own(({ url, headers }) => (url === '/shaky' && headers['x-service-attempt'] === '1' ? 500 : 200));
  let load: Load;
  let ledger: Ledger;
  let history: Map<string, string>;
  let handed: Map<string, number[]>;
  let rounds = 0;

  before(async () => {
    cluster = await Cluster.start(loadRandom);
    load = new Load(cluster, receiver.origin, loadRandom, PACE);
  });

  after(async () => {
    console.log(summary());
    await cluster?.close();
  });

  /** The worker with most leases three times out of four, otherwise the other one. */
  async function victims() {
    const held = await Watch.held(cluster);
    const [most, least] = [...cluster.workers].sort((a, b) => (held.get(b)?.length ?? 0) - (held.get(a)?.length ?? 0)) as [Node, Node];
    const worker = pick(random, [
      [3, most],
      [1, least],
    ]);
    const api = cluster.apis[between(random, 0, cluster.apis.length)] as Node;
    return { cluster, worker, api, random, held: held.get(worker) ?? [] };
  }

  async function round(faults: readonly Fault[]): Promise<void> {
    const targets = await victims();
    await sleep(between(random, ...QUIET_MS));
    const [first] = faults as [Fault];
    const watched = faults.length === 1 && first.takenOver && targets.held.length > 0;
    const watch = watched ? await Watch.on(cluster, targets.worker, targets.held) : null;
    const takeover = watch?.takeover();
    await Promise.all(
      faults.map(async (fault) => {
        const end = await fault.begin(targets);
        await sleep(between(random, ...fault.durationMs));
        await takeover;
        await end();
      }),
    );
    if (takeover) takeovers.push({ fault: first.name, times: await takeover });
    await recovered();
  }

  /** Waits until each API node accepts a message, a worker hands messages over, and the backlog is small. */
  async function recovered(): Promise<void> {
    const before = await dispatched();
    await eventually(
      'all nodes work again',
      async () => {
        const sent = { to: '+14155550100', channel: 'sms', message: 'Are you there?', tags: ['recovered'] };
        const replies = await Promise.all(cluster.apis.map((node) => cluster.ask(node, 'POST', '/v1/messages/send', sent)));
        expect(replies.map(({ status }) => status)).to.deep.equal([202, 202]);
        expect(await dispatched()).to.be.above(before);
        return true;
      },
      { within: RECOVERY_MS, every: 200 },
    );
    if ((await backlog()) < BACKLOG.stop) return;
    load.close();
    await eventually('the backlog is handed over', async () => (await backlog()) < BACKLOG.resume, { within: SETTLE_MS, every: 200 });
    load.open();
  }

  const backlog = async (): Promise<number> => load.requests.reduce((sum, { answer }) => sum + (answer?.ids.length ?? 0), 0) - (await dispatched());

  const dispatched = async (): Promise<number> => (await allDispatches()).size;

  /** The attempts of each message by all workers. */
  async function allDispatches(): Promise<Map<string, number[]>> {
    const all = new Map<string, number[]>();
    for (const { dispatchLogFile } of cluster.workers.filter((worker) => existsSync(worker.dispatchLogFile))) {
      for (const [id, attempts] of await dispatches(dispatchLogFile)) all.set(id, [...(all.get(id) ?? []), ...attempts]);
    }
    return all;
  }

  it('recovers after each fault, and callers get only answers, 503 or broken connections', async () => {
    load.start(CALLERS);
    while (rounds < MAX_ROUNDS) {
      const faults = deck.deal();
      const startedAt = performance.now();
      await round(faults).catch((e) => {
        throw new Error(`round ${rounds} of seed ${seed}: ${faults.map(({ name }) => name).join(' while ')}`, { cause: e });
      });
      rounds += 1;
      console.log(`    round ${rounds}, ${seconds(performance.now() - startedAt)}: ${faults.map(({ name }) => name).join(' while ')}`);
      expect(allUnexpectedExits(), `round ${rounds} of seed ${seed}`).to.deep.equal([]);
    }
    await load.finish();
    expect([...load.unexpected, ...cluster.unexpected]).to.deep.equal([]);
  });

  it(`answers every request within ${ANSWER_MS / 1_000} s`, () => {
    expect(cluster.longest.ms, cluster.longest.what).to.be.below(ANSWER_MS);
  });

  it(`takes over the leases of a lost worker within ${TAKEOVER_MS / 1_000} s`, () => {
    const late = takeovers.filter(({ times }) => Math.max(times.leases, Math.min(times.projections, times.dispatches)) > TAKEOVER_MS);
    expect(late).to.deep.equal([]);
  });

  it('brings every message to its final status', async () => {
    await eventually(
      'all statuses are final',
      async () => {
        const pages = await Promise.all(NOT_FINAL.map((status) => cluster.api('GET', `/v1/messages?limit=1&status=${status}`)));
        return pages.every(({ body }) => body.data.length === 0);
      },
      { within: SETTLE_MS, every: 500 },
    );
    [ledger, history, handed] = [await readLedger(cluster), await wholeHistory(cluster), await allDispatches()];
    expect([...history].filter(([, status]) => !isFinal(status as Status))).to.deep.equal([]);
    expect(new Set(history.values())).to.deep.equal(new Set(['delivered']));
  });

  it('loses no accepted message', () => {
    const answered = load.requests.flatMap(({ answer }) => answer?.ids ?? []);
    expect(answered.length).to.be.above(MAX_ROUNDS);
    expect(answered.filter((id) => history.get(id) !== 'delivered')).to.deep.equal([]);
    expect(answered.filter((id) => !handed.has(id))).to.deep.equal([]);
  });

  it('processes each request once, also if it is repeated at another node', () => {
    const wrong = load.requests.filter(({ tag, size, answer, key }) => {
      const count = ledger.byTag.get(tag)?.length ?? 0;
      return answer || key !== null ? count !== size : count !== 0 && count !== size;
    });
    expect(wrong.map(({ tag, size }) => `${tag}: ${ledger.byTag.get(tag)?.length ?? 0} of ${size}`)).to.deep.equal([]);
  });

  it('has exactly the messages of the log in its history', () => {
    expect([...ledger.histories.keys()].filter((id) => !history.has(id))).to.deep.equal([]);
    expect([...history.keys()].filter((id) => !ledger.histories.has(id))).to.deep.equal([]);
  });

  it('can open all sealed fields after a restart, without cached keys', async () => {
    await Promise.all(cluster.apis.map((node) => node.kill()));
    await Promise.all(cluster.apis.map((node) => node.start()));
    const closed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await cluster.api('GET', `/v1/messages?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      for (const message of body.data) if (!/^\+1415\d{7}$|^\+15005550005$/.test(message.to)) closed.push(`${message.id}: ${message.to}`);
      cursor = body.next_cursor;
    }
    expect(closed).to.deep.equal([]);
  });

  it('queues every message once and records one acceptance by the carrier', () => {
    const wrong = [...ledger.histories.values()].filter(({ types }) => {
      const count = (wanted: string) => types.filter((type) => type === wanted).length;
      return count('MessageQueued') !== 1 || count('MessageSent') > 1 || count('MessageDelivered') !== 1;
    });
    expect(wrong.map(({ id, types }) => `${id}: ${types}`)).to.deep.equal([]);
  });

  it('hands a message to the carrier twice only if another worker took over before the outcome was recorded', () => {
    const unexplained = [...handed].flatMap(([id, attempts]) => {
      const message = ledger.histories.get(id);
      return message && attempts.length <= mostDispatches(message) && new Set(attempts).size === attempts.length
        ? []
        : [`${id}: ${attempts} of ${line(message)}`];
    });
    expect(unexplained).to.deep.equal([]);
  });

  it('delivers every webhook under one id and retries until a 200', async () => {
    const wanted = load.requests
      .filter(({ webhook }) => webhook)
      .flatMap(({ tag }) =>
        (ledger.byTag.get(tag) ?? []).flatMap(({ id }) => ['message.sent', 'message.delivered'].map((event) => `${id} ${event}`)),
      );
    expect(wanted.length).to.be.above(0);
    await eventually('all webhooks are delivered', () => wanted.every((one) => deliveryIds('good').has(one)), { within: 60_000, every: 1_000 });
    expect([...deliveryIds('any')].filter(([, ids]) => ids.size !== 1)).to.deep.equal([]);
  });

  it('keeps read models that equal the log, and none is behind or halted', async () => {
    const projections = await eventually(
      'every projection has caught up',
      async () => {
        const { body } = await cluster.system('/v1/system/projections');
        for (const { name, position, head, status } of body) expect([name, position, status]).to.deep.equal([name, head, 'live']);
        return body;
      },
      { within: 60_000, every: 250 },
    );
    const names: string[] = projections.map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['messages', 'todo/messages/dispatch', 'todo/webhooks/deliver-status']);
    for (const name of names) {
      const verified = await cluster.cli('projections', 'verify', name, '--json');
      expect(verified.code, `${name}: ${verified.stdout}${verified.stderr}`).to.equal(0);
    }
  });

  it('leaves no unhandled rejection, and exits with 0 on SIGTERM', async () => {
    await Promise.all(cluster.nodes.map((node) => node.kill('SIGTERM')));
    for (const { name, output, exitCode } of cluster.nodes) {
      expect(output.match(/.*(unhandled|Warning: ).*/gi), name).to.equal(null);
      expect([name, exitCode]).to.deep.equal([name, 0]);
    }
  });

  /** Processes that exited unexpectedly. */
  const allUnexpectedExits = (): string[] => [
    ...cluster.nodes.flatMap(({ faults }) => faults),
    ...cluster.log.unexpectedExits,
    ...cluster.mongo.unexpectedExits,
  ];

  /** Delivery ids by message and event: of all attempts, or of those that were answered with 200. */
  function deliveryIds(which: 'any' | 'good'): Map<string, Set<string>> {
    const ids = new Map<string, Set<string>>();
    for (const { url, headers, body } of receiver.requests) {
      if (which === 'good' && url === '/shaky' && headers['x-service-attempt'] === '1') continue;
      const { message_id, event } = JSON.parse(body);
      const name = `${message_id} ${event}`;
      ids.set(name, (ids.get(name) ?? new Set()).add(String(headers['x-service-delivery'])));
    }
    return ids;
  }

  function summary(): string {
    const doubles = [...(handed ?? [])].filter(([id, attempts]) => attempts.length > 1 + deferrals(ledger?.histories.get(id))).length;
    const starts = cluster?.nodes.reduce((sum, { failedStarts }) => sum + failedStarts, 0);
    return [
      `seed ${seed} (FAULTS_SEED=${seed} repeats the choices), ${rounds} rounds`,
      `${load?.requests.length} requests sent, ${load?.answers} answers, ${cluster?.unavailable} answers with 503, ${load?.broken} requests failed by a 503 or a broken connection`,
      `longest answer ${cluster?.longest.ms.toFixed(0)} ms (${cluster?.longest.what}); ${starts} starts failed while a server was unavailable`,
      `${ledger?.histories.size} messages, ${ledger?.events} events, ${receiver.requests.length} webhook attempts; ${doubles} messages handed over more than once because another worker took over`,
      ...takeovers.map(
        ({ fault, times }) =>
          `${fault}: leases after ${seconds(times.leases)}, projections after ${seconds(times.projections)}, hand-overs after ${seconds(times.dispatches)}`,
      ),
    ].join('\n    ');
  }
});

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const deferrals = (message: MessageHistory | undefined): number => message?.types.filter((type) => type === 'MessageDispatchDeferred').length ?? 0;
const line = (message: MessageHistory | undefined): string => (message ? `${message.types} ${JSON.stringify(message.dispatches)}` : 'no message');

/** One, plus one for each busy answer of the carrier and one for each takeover by another worker. */
function mostDispatches(message: MessageHistory): number {
  const taken = message.dispatches.filter(({ repeat, epoch }, i) => repeat && epoch > (message.dispatches[i - 1]?.epoch ?? 0)).length;
  return 1 + deferrals(message) + taken;
}
