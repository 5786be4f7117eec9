import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import type { Service } from '../support/service.js';
import { Nodes } from './nodes.js';

const GROUPS = ['projections/partition/', 'processes/partition/'] as const;
const PARTITIONS = 16;
/** The longest takeover of a dead node's partitions. */
const TAKEOVER_MS = 10_000 * TIMEOUT_FACTOR;
const MESSAGES = 60;
/** A killed node has at most this many answered or unanswered calls that are not on record. */
const CRASH_WINDOW = 64;

describe('the partitions of four nodes', () => {
  const dispatchLogFile = join(tmpdir(), `heliograph-hand-overs-${randomBytes(6).toString('hex')}`);
  let nodes: Nodes;
  before(async function () {
    nodes = await Nodes.startIn(this, { apis: 1, workers: 4, env: { HELIOGRAPH_SANDBOX_LOG: dispatchLogFile } });
  });
  after(async () => {
    await nodes?.close();
    rmSync(dispatchLogFile, { force: true });
  });

  /** How many partitions of a group each of these workers holds. */
  async function shares(group: string, workers: readonly Service[]): Promise<number[]> {
    const held = (await nodes.leases()).filter(({ _id }) => _id.startsWith(group));
    return workers.map(({ instance }) => held.filter(({ holder }) => holder === instance).length);
  }

  const areEven = async (workers: readonly Service[], min: number, max: number): Promise<boolean> => {
    for (const group of GROUPS) {
      const each = await shares(group, workers);
      const sum = each.reduce((a, b) => a + b, 0);
      if (sum !== PARTITIONS || each.some((n) => n < min || n > max)) return false;
    }
    return true;
  };

  it('are shared evenly', async () => {
    await eventually('each worker holds four', () => areEven(nodes.workers, 4, 4), { within: 30_000 });
  });

  it('are worked on by the others within ten seconds of a death; nothing is lost, and nothing goes out twice outside the window of a crash', async () => {
    const [killed, ...living] = nodes.workers as [Service, ...Service[]];
    const ids: string[] = [];
    const send = async () => {
      const { status, body } = await nodes.send(nodes.a);
      if (status === 202) ids.push(body.id);
    };
    for (let n = 0; n < MESSAGES / 2; n++) await send();
    await killed.kill9();
    const startedAt = performance.now();
    const sending = (async () => {
      for (let n = 0; n < MESSAGES / 2; n++) await send();
    })();
    await eventually('the others hold all partitions', () => areEven(living, 5, 6), { within: 3 * TAKEOVER_MS });
    const took = performance.now() - startedAt;
    console.log(`      the others held all partitions after ${Math.round(took)} ms`);
    expect(took).to.be.below(TAKEOVER_MS);
    await sending;
    for (const id of ids) await eventually(`${id} is delivered`, async () => (await nodes.statusOf(nodes.a, id)) === 'delivered', { within: 30_000 });
    const dispatched = readFileSync(dispatchLogFile, 'utf8').trim().split('\n');
    const messages = new Set(dispatched.map((line) => line.split(' ')[0]));
    expect(messages.size).to.equal(ids.length);
    expect(dispatched.length - messages.size).to.be.at.most(CRASH_WINDOW);
  });

  it('are shared again when the node is back', async () => {
    await nodes.workers[0]?.restart();
    await eventually('each worker holds four', () => areEven(nodes.workers, 4, 4), { within: 30_000 });
  });
});
