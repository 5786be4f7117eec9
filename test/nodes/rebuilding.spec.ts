import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { PROGRAM_IN_MODULES } from '../support/program.js';
import { type Reply, Service } from '../support/service.js';
import { Nodes } from './nodes.js';

const MESSAGES = 300;
/** The statuses of a message without failures, in order. */
const STEPS = ['queued', 'sending', 'sent', 'delivered'];

describe('a rebuild of a read model while nodes read it', () => {
  let nodes: Nodes;
  let ids: string[];
  let batch: string;
  before(async function () {
    nodes = await Nodes.startIn(this);
    const messages = Array.from({ length: MESSAGES }, (_, n) => ({ to: `+1415557${String(n).padStart(4, '0')}`, channel: 'sms', message: 'Hello' }));
    const { body } = await nodes.a.api('POST', '/v1/messages/bulk', { messages });
    ids = body.messages.map(({ id }: { id: string }) => id);
    batch = `/v1/messages/bulk/${body.batch_id}`;
    const delivered = async () => (await nodes.b.api('GET', batch)).body.counts.delivered === MESSAGES;
    await eventually('all are delivered', delivered, { within: 60_000, every: 200 });
  });
  after(() => nodes?.close());

  /** Reads through both nodes while the work runs, and expects no error. */
  async function readDuring(work: () => Promise<unknown>): Promise<void> {
    const readers = nodes.apis.map((node) => new Reader(node, ids, batch));
    let working = true;
    const reading = readers.map(async (reader) => {
      while (working) await reader.sendAndRead(nodes);
    });
    try {
      await work();
    } finally {
      working = false;
      await Promise.all(reading);
    }
    expect(readers.flatMap(({ wrong }) => wrong).join('\n')).to.equal('');
    const sum = (of: (reader: Reader) => number) => readers.reduce((total, reader) => total + of(reader), 0);
    const reads = sum((reader) => reader.reads);
    console.log(`      ${reads} reads, ${sum(({ behind }) => behind)} of them were behind or refused as unavailable`);
    expect(reads).to.be.above(10);
  }

  const activeVersion = async (): Promise<number> => {
    const { body } = await nodes.a.api('GET', '/v1/system/projections', undefined, {
      'X-API-Key': '',
      Authorization: `Bearer ${nodes.env.HELIOGRAPH_OPERATOR_TOKEN}`,
    });
    return body.find(({ name }: { name: string }) => name === 'messages').version;
  };

  it('by command fails no read and shows no older state', async () => {
    await readDuring(async () => {
      for (let round = 0; round < 3; round++) {
        const rebuilt = await nodes.a.cli('projections', 'rebuild', 'messages', '--json');
        expect(rebuilt, rebuilt.stderr).to.include({ code: 0 });
        expect(JSON.parse(rebuilt.stdout).events).to.be.above(3 * MESSAGES);
      }
    });
    const verified = await nodes.a.cli('projections', 'verify', 'messages', '--json');
    expect(verified, verified.stdout + verified.stderr).to.include({ code: 0 });
  });

  it('by a worker of a newer release fails no read and shows no older state', async () => {
    const before = await activeVersion();
    const preload = `--import=${new URL(`newer-release.js?version=${before + 1}`, import.meta.url)}`;
    const newer = Service.node({ ...nodes.env, HELIOGRAPH_ROLES: 'projections', NODE_OPTIONS: preload }, PROGRAM_IN_MODULES);
    try {
      await readDuring(async () => {
        await newer.restart();
        await eventually('the newer version is active', async () => (await activeVersion()) === before + 1, { within: 60_000, every: 100 });
        // Reads continue after the switch: this message goes through the new version.
        const { body } = await nodes.send(nodes.b);
        await eventually('delivered', async () => (await nodes.statusOf(nodes.a, body.id)) === 'delivered', { within: 30_000 });
      });
    } finally {
      await newer.close();
    }
  });
});

/** Reads through one node and checks that no message returns to an earlier status. */
class Reader {
  reads = 0;
  behind = 0;
  readonly wrong: string[] = [];
  readonly #seen = new Map<string, number>();
  #newest = '';

  constructor(
    private readonly node: Service,
    private readonly ids: readonly string[],
    private readonly batch: string,
  ) {}

  async sendAndRead(nodes: Nodes): Promise<void> {
    const { status, body } = await nodes.send(this.node);
    if (status === 202) await this.#readOne(body.id);
    // Its servers are slow.
    else if (status === 503 && body.code === 'unavailable') this.behind += 1;
    else this.wrong.push(`a message was answered with ${status}`);
    await this.#readOne(this.ids[this.reads % this.ids.length] ?? '');
    for (const id of [...this.#seen.keys()].slice(-5)) await this.#readOne(id);
    const list = await this.#read('/v1/messages?limit=5');
    this.#notBefore(list?.body.data[0].id);
    const counts = (await this.#read(this.batch))?.body.counts;
    if (counts?.delivered !== this.ids.length) this.wrong.push(`the batch once had all delivered, and now ${JSON.stringify(counts)}`);
  }

  async #readOne(id: string): Promise<void> {
    const reply = await this.#read(`/v1/messages/${id}`);
    if (!reply) return;
    const step = STEPS.indexOf(reply.body.status);
    const before = this.#seen.get(id) ?? 0;
    if (step < before) this.wrong.push(`${id} was ${STEPS[before]}, and is now ${reply.body.status}`);
    this.#seen.set(id, Math.max(step, before));
  }

  async #read(path: string): Promise<Reply | null> {
    const reply = await this.node.api('GET', path);
    this.reads += 1;
    if (reply.status === 200) return reply;
    // A node that is behind may answer so instead of with an older state, and one whose servers are slow that it is unavailable. A read
    // that says it does not have the account's own writes may not know a message that was just sent; one that it has shown, it knows.
    const isBehind = reply.status === 503 && ['projection_behind', 'unavailable'].includes(reply.body.code);
    const isLate = reply.status === 404 && reply.headers.get('x-service-consistency') === 'eventual' && !this.#isSeen(path);
    if (isBehind || isLate) this.behind += 1;
    else this.wrong.push(`${path}: ${reply.status} ${reply.text}`);
    return null;
  }

  #isSeen(path: string): boolean {
    return [...this.#seen.keys(), ...this.ids].some((id) => path === `/v1/messages/${id}`);
  }

  /** Ids are ordered by creation time. */
  #notBefore(id: string | undefined): void {
    if (id === undefined) return;
    if (id < this.#newest) this.wrong.push(`the newest message was ${this.#newest}, and is now ${id}`);
    else this.#newest = id;
  }
}
