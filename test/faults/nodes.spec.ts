import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isFinal } from '../../domain/messages/message.js';
import { type Status, statusNames } from '../../domain/messages/status.js';
import { systemClock } from '../../ops/clock.js';
import { eventually } from '../support/eventually.js';
import { Receiver } from '../webhooks/receiver.js';
import { Cluster } from './cluster.js';
import { Deck, type Fault } from './cluster-faults.js';
import type { Node } from './cluster-node.js';
import { type Takeover, Watch } from './cluster-takeover.js';
import { handOvers, type Ledger, type Life, readLedger, wholeHistory } from './ledger.js';
import { Load, type Pace } from './load.js';
import { between, chosenSeed, pick, seeded } from './random.js';

const ROUNDS = Number(process.env.FAULTS_ROUNDS ?? 20);
const CALLERS = 4;
/** What the servers for tests, which write each document to the disk by itself, can keep up with. */
const PACE: Pace = { pauseMs: 600, bulks: [[1, { from: 3, to: 20 }]] };
/** Beyond so many messages that still wait for their hand-over nothing new is asked: a busy machine would never get to the end of them. */
const BACKLOG = { stop: 60, goOn: 15 } as const;
/** Before the first fault of a round. */
const QUIET_MS = [300, 1_500] as const;
/** After the end of its faults, until all of it works again. */
const RECOVERY_MS = 45_000;
const SETTLE_MS = 180_000;
/** Another worker has all the leases of a lost one, and shows it, within so long where the servers are well. */
const TAKEOVER_MS = 10_000;
/** No answer may take longer, however little the servers say: each call to one of them has its limit, and a request makes few. */
const ANSWER_MS = 20_000;
const NOT_FINAL = statusNames.filter((status) => !isFinal(status));

describe(`two nodes that answer and two that work, through ${ROUNDS} rounds of faults`, () => {
  const seed = chosenSeed();
  // One for the faults alone, so that the seed repeats them whatever the load draws meanwhile.
  const random = seeded(seed);
  const loadRandom = seeded(seed + 1);
  const deck = new Deck(random);
  const takeovers: { readonly fault: string; readonly took: Takeover }[] = [];
  let cluster: Cluster;
  let receiver: Receiver;
  let load: Load;
  let ledger: Ledger;
  let history: Map<string, string>;
  let handed: Map<string, number[]>;
  let rounds = 0;

  before(async () => {
    receiver = await Receiver.start(systemClock, ({ url, headers }) => (url === '/shaky' && headers['x-service-attempt'] === '1' ? 500 : 200));
    cluster = await Cluster.start(loadRandom);
    load = new Load(cluster, receiver.origin, loadRandom, PACE);
  });

  after(async () => {
    console.log(summary());
    await cluster?.close();
    await receiver.close();
  });

  /** The worker that holds most leases three times of four, otherwise the other one. */
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
    const who = await victims();
    await sleep(between(random, ...QUIET_MS));
    const [first] = faults as [Fault];
    const watched = faults.length === 1 && first.takenOver && who.held.length > 0;
    const watch = watched ? await Watch.on(cluster, who.worker, who.held) : null;
    const takeover = watch?.takeover();
    await Promise.all(
      faults.map(async (fault) => {
        const end = await fault.begin(who);
        await sleep(between(random, ...fault.lasts));
        await takeover;
        await end();
      }),
    );
    if (takeover) takeovers.push({ fault: first.name, took: await takeover });
    await recovered();
  }

  /** Each node that answers takes a message, and somebody hands messages over. */
  async function recovered(): Promise<void> {
    const before = await handedOver();
    await eventually(
      'all of it works again',
      async () => {
        const sent = { to: '+14155550100', channel: 'sms', message: 'Are you there?', tags: ['recovered'] };
        const replies = await Promise.all(cluster.apis.map((node) => cluster.ask(node, 'POST', '/v1/messages/send', sent)));
        expect(replies.map(({ status }) => status)).to.deep.equal([202, 202]);
        expect(await handedOver()).to.be.above(before);
        return true;
      },
      { within: RECOVERY_MS, every: 200 },
    );
    if ((await backlog()) < BACKLOG.stop) return;
    load.close();
    await eventually('what has piled up is handed over', async () => (await backlog()) < BACKLOG.goOn, { within: SETTLE_MS, every: 200 });
    load.open();
  }

  const backlog = async (): Promise<number> => load.asked.reduce((sum, { answer }) => sum + (answer?.ids.length ?? 0), 0) - (await handedOver());

  const handedOver = async (): Promise<number> => (await allHandOvers()).size;

  /** Attempts of each message, by all workers. */
  async function allHandOvers(): Promise<Map<string, number[]>> {
    const all = new Map<string, number[]>();
    for (const { handOverLog } of cluster.workers.filter((worker) => existsSync(worker.handOverLog))) {
      for (const [id, attempts] of await handOvers(handOverLog)) all.set(id, [...(all.get(id) ?? []), ...attempts]);
    }
    return all;
  }

  it('works again after each fault, and no caller meets anything but an answer, a refusal for the moment, or a broken connection', async () => {
    load.start(CALLERS);
    while (rounds < ROUNDS) {
      const faults = deck.deal();
      const began = performance.now();
      await round(faults).catch((e) => {
        throw new Error(`round ${rounds} of seed ${seed}: ${faults.map(({ name }) => name).join(' while ')}`, { cause: e });
      });
      rounds += 1;
      console.log(`    round ${rounds}, ${seconds(performance.now() - began)}: ${faults.map(({ name }) => name).join(' while ')}`);
      expect(deaths(), `round ${rounds} of seed ${seed}`).to.deep.equal([]);
    }
    await load.finish();
    expect([...load.surprises, ...cluster.surprises]).to.deep.equal([]);
  });

  it(`lets no caller wait longer than ${ANSWER_MS / 1_000} s`, () => {
    expect(cluster.longest.ms, cluster.longest.what).to.be.below(ANSWER_MS);
  });

  it(`has what a lost worker held taken over within ${TAKEOVER_MS / 1_000} s`, () => {
    const late = takeovers.filter(({ took }) => Math.max(took.leases, Math.min(took.projections, took.handOvers)) > TAKEOVER_MS);
    expect(late).to.deep.equal([]);
  });

  it('brings every message to its final status', async () => {
    await eventually(
      'all are final',
      async () => {
        const pages = await Promise.all(NOT_FINAL.map((status) => cluster.api('GET', `/v1/messages?limit=1&status=${status}`)));
        return pages.every(({ body }) => body.data.length === 0);
      },
      { within: SETTLE_MS, every: 500 },
    );
    [ledger, history, handed] = [await readLedger(cluster), await wholeHistory(cluster), await allHandOvers()];
    expect([...history].filter(([, status]) => !isFinal(status as Status))).to.deep.equal([]);
    expect(new Set(history.values())).to.deep.equal(new Set(['delivered']));
  });

  it('lost no message that was answered', () => {
    const answered = load.asked.flatMap(({ answer }) => answer?.ids ?? []);
    expect(answered.length).to.be.above(ROUNDS);
    expect(answered.filter((id) => history.get(id) !== 'delivered')).to.deep.equal([]);
    expect(answered.filter((id) => !handed.has(id))).to.deep.equal([]);
  });

  it('made each request happen once, whichever node it was repeated at', () => {
    const wrong = load.asked.filter(({ tag, size, answer, key }) => {
      const count = ledger.byTag.get(tag)?.length ?? 0;
      return answer || key !== null ? count !== size : count !== 0 && count !== size;
    });
    expect(wrong.map(({ tag, size }) => `${tag}: ${ledger.byTag.get(tag)?.length ?? 0} of ${size}`)).to.deep.equal([]);
  });

  it('has in its history exactly the messages of the log', () => {
    expect([...ledger.lives.keys()].filter((id) => !history.has(id))).to.deep.equal([]);
    expect([...history.keys()].filter((id) => !ledger.lives.has(id))).to.deep.equal([]);
  });

  it('can still open all that was sealed, with nothing in memory', async () => {
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

  it('has begun every message once and recorded one acceptance by the carrier', () => {
    const wrong = [...ledger.lives.values()].filter(({ types }) => {
      const count = (wanted: string) => types.filter((type) => type === wanted).length;
      return count('MessageQueued') !== 1 || count('MessageSent') > 1 || count('MessageDelivered') !== 1;
    });
    expect(wrong.map(({ id, types }) => `${id}: ${types}`)).to.deep.equal([]);
  });

  it('handed none to the carrier twice, but where the work had gone to another worker before its outcome was on record', () => {
    const unexplained = [...handed].flatMap(([id, attempts]) => {
      const life = ledger.lives.get(id);
      return life && attempts.length <= mostHandOvers(life) && new Set(attempts).size === attempts.length
        ? []
        : [`${id}: ${attempts} of ${line(life)}`];
    });
    expect(unexplained).to.deep.equal([]);
  });

  it('told every webhook, each under one id until it was answered with 200', async () => {
    const wanted = load.asked
      .filter(({ webhook }) => webhook)
      .flatMap(({ tag }) =>
        (ledger.byTag.get(tag) ?? []).flatMap(({ id }) => ['message.sent', 'message.delivered'].map((event) => `${id} ${event}`)),
      );
    expect(wanted.length).to.be.above(0);
    await eventually('all are told', () => wanted.every((one) => told('good').has(one)), { within: 60_000, every: 1_000 });
    expect([...told('any')].filter(([, ids]) => ids.size !== 1)).to.deep.equal([]);
  });

  it('has read models that equal the log, none of them behind or halted', async () => {
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

  it('left no promise unhandled, and ends in good order when it is told to', async () => {
    await Promise.all(cluster.nodes.map((node) => node.kill('SIGTERM')));
    for (const { name, said, exitCode } of cluster.nodes) {
      expect(said.match(/.*(unhandled|Warning: ).*/gi), name).to.equal(null);
      expect([name, exitCode]).to.deep.equal([name, 0]);
    }
  });

  /** What ended although nobody had ended it. */
  const deaths = (): string[] => [...cluster.nodes.flatMap(({ faults }) => faults), ...cluster.log.deaths, ...cluster.mongo.deaths];

  /** Ids of the deliveries of each status of each message, of all attempts or of those that were answered with 200. */
  function told(which: 'any' | 'good'): Map<string, Set<string>> {
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
    const doubles = [...(handed ?? [])].filter(([id, attempts]) => attempts.length > 1 + deferrals(ledger?.lives.get(id))).length;
    const starts = cluster?.nodes.reduce((sum, { failedStarts }) => sum + failedStarts, 0);
    return [
      `seed ${seed} (FAULTS_SEED=${seed} repeats the choices), ${rounds} rounds`,
      `${load?.asked.length} requests asked, ${load?.answers} answers, ${cluster?.unavailable} times 503, ${load?.broken} without an answer for either reason`,
      `longest answer ${cluster?.longest.ms.toFixed(0)} ms (${cluster?.longest.what}); ${starts} starts failed while a server was away`,
      `${ledger?.lives.size} messages, ${ledger?.events} events, ${receiver.requests.length} webhook attempts; ${doubles} messages handed over more than once, since the work went to another worker in between`,
      ...takeovers.map(
        ({ fault, took }) =>
          `${fault}: leases after ${seconds(took.leases)}, projections after ${seconds(took.projections)}, hand-overs after ${seconds(took.handOvers)}`,
      ),
    ].join('\n    ');
  }
});

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const deferrals = (life: Life | undefined): number => life?.types.filter((type) => type === 'MessageDispatchDeferred').length ?? 0;
const line = (life: Life | undefined): string => (life ? `${life.types} ${JSON.stringify(life.begun)}` : 'no message');

/** One, one more for each time that the carrier was busy, and one for each worker that took the message from another. */
function mostHandOvers(life: Life): number {
  const taken = life.begun.filter(({ repeat, epoch }, i) => repeat && epoch > (life.begun[i - 1]?.epoch ?? 0)).length;
  return 1 + deferrals(life) + taken;
}
