import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isFinal, type Status, statusNames } from '../../domain/messages/status.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';
import { dispatches, type Ledger, readLedger, wholeHistory } from './ledger.js';
import { Load, type SentRequest } from './load.js';
import { type Aim, chooseAim, moment } from './moments.js';
import { describeOpen } from './open-messages.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const KILLS = sizeOf('FAULTS_KILLS');
const CALLERS = 6;
const SETTLE_MS = 120_000;
const NOT_FINAL = statusNames.filter((status) => !isFinal(status));

describe(`a service that is killed ${KILLS} times under load`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-faults-'));
  const dispatchLogFile = join(folder, 'handed-over.log');
  const aims = new Map<Aim, number>();
  const starts: number[] = [];
  const service = Service.own({ HELIOGRAPH_SANDBOX_LOG: dispatchLogFile, HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '500ms,2s,4s' });
  const receiver = Receiver.own(({ url, headers }) => {
    onWebhook();
    return url === '/shaky' && headers['x-service-attempt'] === '1' ? 500 : 200;
  });
  let load: Load;
  let onWebhook = () => {};
  let ledger: Ledger;
  let history: Map<string, string>;
  let handed: Map<string, number[]>;

  before(async () => {
    load = new Load(service, receiver.origin, random);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
    // Without these the first failure is summary enough.
    if (ledger && handed) console.log(summary());
  });

  const signals = {
    answer: () => load.answer(),
    webhook: () => new Promise<void>((resolve) => (onWebhook = resolve)),
    dispatchLogFile,
  };

  it('restarts each time, and callers get only answers or broken connections', async () => {
    load.start(CALLERS);
    for (let n = 0; n < KILLS; n++) {
      const aim = chooseAim(random);
      aims.set(aim, (aims.get(aim) ?? 0) + 1);
      if (aim === 'a start') {
        load.close();
        await service.kill9();
        service.launch();
        await sleep(between(random, 50, 1_200));
      } else await moment(aim, random, signals);
      load.close();
      await service.kill9();
      starts.push(await service.restart());
      load.open();
    }
    // On a busy machine most lives are too short for an answer.
    const answered = ({ webhook, answer }: SentRequest) => webhook && answer !== null;
    await eventually('enough requests are answered', () => load.answers > 2 * KILLS && load.requests.some(answered), { within: SETTLE_MS });
    await load.finish();
    expect(load.unexpected).to.deep.equal([]);
  });

  it('brings every message to its final status', async () => {
    await eventually(
      'all statuses are final',
      async () => {
        const pages = await Promise.all(NOT_FINAL.map((status) => service.api('GET', `/v1/messages?limit=1&status=${status}`)));
        return pages.every(({ body }) => body.data.length === 0);
      },
      { within: SETTLE_MS, every: 250 },
    ).catch(async (e: Error) => {
      throw new Error(`${e.message}: ${await describeOpen(service, NOT_FINAL)}`);
    });
    [ledger, history, handed] = [await readLedger(service), await wholeHistory(service), await dispatches(dispatchLogFile)];
    expect([...history].filter(([, status]) => !isFinal(status as Status))).to.deep.equal([]);
    expect(new Set(history.values())).to.deep.equal(new Set(['delivered']));
  });

  it('loses no accepted message', () => {
    const answered = load.requests.flatMap(({ answer }) => answer?.ids ?? []);
    expect(answered.length).to.be.above(KILLS);
    expect(answered.filter((id) => history.get(id) !== 'delivered')).to.deep.equal([]);
    expect(answered.filter((id) => !handed.has(id))).to.deep.equal([]);
  });

  it('processes each request once, however often it is repeated', () => {
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

  it('hands only accepted messages to the carrier', () => {
    expect([...handed.keys()].filter((id) => !ledger.histories.has(id))).to.deep.equal([]);
  });

  it('hands a message to the carrier twice only if its timeline has an unknown outcome', () => {
    const unexplained = [...handed].flatMap(([id, attempts]) => {
      const { dispatches = [], types = [] } = ledger.histories.get(id) ?? {};
      const known = new Set(dispatches.map(({ attempt }) => attempt));
      const twice = new Set(attempts).size !== attempts.length;
      const deferrals = types.filter((type) => type === 'MessageDispatchDeferred').length;
      const repeats = dispatches.filter(({ repeat }) => repeat).length;
      const allowed = 1 + deferrals + repeats;
      return twice || attempts.length > allowed || attempts.some((attempt) => !known.has(attempt)) ? [`${id}: ${attempts} of ${types}`] : [];
    });
    expect(unexplained).to.deep.equal([]);
  });

  it('queues every message once and records one acceptance by the carrier', () => {
    const wrong = [...ledger.histories.values()].filter(({ types }) => {
      const count = (wanted: string) => types.filter((type) => type === wanted).length;
      return count('MessageQueued') !== 1 || count('MessageSent') > 1 || count('MessageDelivered') !== 1;
    });
    expect(wrong.map(({ id, types }) => `${id}: ${types}`)).to.deep.equal([]);
  });

  it('delivers every webhook and retries until a 200', async () => {
    const good = new Set<string>();
    for (const { url, headers, body } of receiver.requests) {
      if (url === '/shaky' && headers['x-service-attempt'] === '1') continue;
      const { message_id, event } = JSON.parse(body);
      good.add(`${message_id} ${event}`);
    }
    const wanted = load.requests
      .filter(({ webhook }) => webhook)
      .flatMap(({ tag }) =>
        (ledger.byTag.get(tag) ?? []).flatMap(({ id }) => ['message.sent', 'message.delivered'].map((event) => `${id} ${event}`)),
      );
    expect(wanted.length).to.be.above(0);
    await eventually(
      'all deliveries have succeeded',
      async () => {
        ledger = await readLedger(service);
        const open = [...ledger.deliveries].filter(([, outcomes]) => outcomes.at(-1) !== 'DeliverySucceeded').map(([id]) => id);
        expect(open).to.deep.equal([]);
        return ledger.deliveries.size === wanted.length;
      },
      { within: 30_000, every: 1_000 },
    );
    const delivered = new Set(receiver.requests.map(({ body }) => JSON.parse(body)).map(({ message_id, event }) => `${message_id} ${event}`));
    expect(wanted.filter((one) => !delivered.has(one))).to.deep.equal([]);
  });

  it('keeps read models that equal the log', async () => {
    const { stdout } = await service.cli('projections', 'list', '--json');
    const names: string[] = JSON.parse(stdout).map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['messages', 'todo/messages/dispatch', 'todo/webhooks/deliver-status']);
    for (const name of names) {
      const verified = await service.cli('projections', 'verify', name, '--json');
      expect(verified.code, `${name}: ${verified.stdout}${verified.stderr}`).to.equal(0);
    }
  });

  it('logs no error', () => {
    expect(service.logged('error')).to.deep.equal([]);
  });

  function summary(): string {
    const repeats = [...ledger.histories.values()].flatMap(({ dispatches }) => dispatches.filter(({ repeat }) => repeat)).length;
    const doubles = [...handed.values()].filter((attempts) => attempts.length > 1).length;
    return [
      `seed ${seed} (FAULTS_SEED=${seed} repeats the choices)`,
      `${KILLS} kills: ${[...aims].map(([aim, n]) => `${n} at ${aim}`).join(', ')}`,
      `start: median ${median(starts).toFixed(0)} ms, longest ${Math.max(...starts).toFixed(0)} ms`,
      `${load.requests.length} requests sent, ${load.answers} answers, ${load.broken} connections broken`,
      `${ledger.histories.size} messages, ${ledger.events} events, ${receiver.requests.length} webhook attempts for ${ledger.deliveries.size} deliveries`,
      `${repeats} hand-overs repeated because their outcome was unknown; ${doubles} messages reached the carrier more than once`,
    ].join('\n    ');
  }
});

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
