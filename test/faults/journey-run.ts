import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import type { Reply, Service } from '../support/service.js';
import { dispatches } from './ledger.js';
import type { Random } from './random.js';

const WITHIN = { within: 180_000, every: 50 } as const;
/** Calls at a time. */
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
/** Of one enrollment. */
const MESSAGES = 3;

type Body = Reply['body'];

/** Enrollments in a service whose nodes are killed, and what must be true at their end. */
export class JourneyRun {
  #journey = '';
  #requests = 0;
  #started = 0;
  #callsAtKill = 0;
  /** Enrollments that had not ended at a kill, of all kills. */
  disturbed = 0;
  /** Kills while an enrollment had not ended. */
  disturbing = 0;
  /** Messages whose dispatch was repeated. */
  repeated = 0;

  constructor(
    /** Has the API. */
    private readonly api: Service,
    /** Killed in turn. */
    private readonly victims: readonly Service[],
    private readonly enrollments: number,
    private readonly dispatchLogFile: string,
    private readonly random: Random,
  ) {}

  async publish(): Promise<void> {
    this.#journey = (await this.#good('POST', '/journeys', definition)).id;
    await this.#good('POST', `/journeys/${this.#journey}/publish`);
  }

  /** Starts some of the enrollments before each kill, and waits until all have ended. */
  async run(kills: number): Promise<void> {
    for (let n = 0; n < kills; n++) await Promise.all([this.#startUpTo(Math.ceil((this.enrollments * (n + 1)) / kills)), this.#kill(n)]);
    await eventually('all have ended', async () => (await this.#ended()) === this.enrollments, WITHIN);
  }

  async #startUpTo(count: number): Promise<void> {
    while (this.#started < count) {
      const from = this.#started;
      this.#started = Math.min(count, from + CALLS);
      await Promise.all(Array.from({ length: this.#started - from }, (_, i) => this.#start(from + i)));
    }
  }

  /** Once something was dispatched since the last kill: otherwise kills in a row would leave no time for a takeover. */
  async #kill(n: number): Promise<void> {
    await eventually('enrollments go on', () => this.#calls() > this.#callsAtKill, WITHIN);
    const moment = Date.now() + Math.floor(this.random() ** 2 * 1_500);
    await eventually('the moment of the kill', () => Date.now() >= moment, { within: 30_000, every: 5 });
    const inside = this.#started - (await this.#ended());
    this.disturbed += Math.max(0, inside);
    if (inside > 0) this.disturbing += 1;
    const victim = this.victims[n % this.victims.length] as Service;
    await victim.kill9();
    this.#callsAtKill = this.#calls();
    await victim.restart();
  }

  /** The lines of the log of dispatches. */
  #calls(): number {
    return existsSync(this.dispatchLogFile) ? readFileSync(this.dispatchLogFile, 'utf8').split('\n').length - 1 : 0;
  }

  /** Each went the way that it goes where nothing is killed, with one message for each node, which is dispatched. */
  async expectComplete(): Promise<void> {
    expect(this.disturbed, 'no kill came before their end').to.be.above(0);
    expect(await this.#good('GET', `/journeys/${this.#journey}/stats`)).to.include({ started: this.enrollments, active: 0 });
    const messages = new Map<string, string>();
    let seen = 0;
    for (let cursor = ''; ; ) {
      const { data, next_cursor } = await this.#good('GET', `/journeys/${this.#journey}/enrollments?limit=200${cursor}`);
      for (const { id, contact_id } of data) await this.#expectPath(id, contact_id, messages);
      seen += data.length;
      if (!next_cursor) break;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(seen).to.equal(this.enrollments);
    expect(messages.size).to.equal(this.enrollments * MESSAGES);
    const handed = () => dispatches(this.dispatchLogFile);
    await eventually('all are handed over', async () => (await handed()).size >= messages.size, WITHIN);
    expect([...(await handed()).keys()].sort(), 'handed over').to.deep.equal([...messages.keys()].sort());
    await this.#expectKnownRepeats(await handed());
  }

  /** A call whose outcome a kill has left unknown is repeated with the same id; the sandbox recognizes it. */
  async #expectKnownRepeats(handed: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const repeated = [...handed].filter(([, attempts]) => attempts.length > 1);
    this.repeated = repeated.length;
    for (const [id] of repeated) {
      const { data } = await this.#good('GET', `/messages/${id}/events?limit=200`);
      const repeats = data.filter(({ type, data }: Body) => type === 'MessageDispatchStarted' && data.repeat);
      expect(repeats, `${id} was called twice, and the log says so`).to.not.be.empty;
    }
  }

  async #expectPath(id: string, contact: string, messages: Map<string, string>): Promise<void> {
    const { path } = await this.#good('GET', `/enrollments/${id}`);
    const { tags } = await this.#good('GET', `/contacts/${contact}`);
    const way = tags.includes('even') ? 'even' : 'odd';
    const taken = way === 'even' ? 'branch:even' : 'else';
    expect(path.map(({ node, outcome }: Record<string, string>) => `${node} ${outcome}`)).to.deep.equal([
      ...['t started', 'first sent', 'd next', `b ${taken}`, `${way} sent`, 'd2 next', 'last sent'],
    ]);
    for (const { node, message_id } of path) if (message_id) messages.set(message_id, `${id}/${node}`);
  }

  async #start(n: number): Promise<void> {
    const email = `journey${n}@example.com`;
    await this.#good('POST', '/contacts', { email, tags: n % 2 === 0 ? ['even'] : [] });
    await this.#good('POST', '/events', { contact: { email }, event: 'go' });
  }

  async #ended(): Promise<number> {
    return (await this.#good('GET', `/journeys/${this.#journey}/stats`)).exited.completed ?? 0;
  }

  /** Repeats what was not answered with its idempotency key. */
  async #good(method: string, path: string, body?: object): Promise<Body> {
    const headers: Record<string, string> = method === 'POST' ? { 'Idempotency-Key': `journey-run-${++this.#requests}` } : {};
    let reply: Reply | null = null;
    await eventually(
      `${method} ${path}`,
      async () => {
        reply = await this.api.api(method, `/v1${path}`, body, headers).catch(() => null);
        return reply !== null && reply.status !== 503 && reply.body?.code !== 'idempotency_in_progress';
      },
      WITHIN,
    );
    const { status, text, body: answer } = reply as unknown as Reply;
    expect(status, `${method} ${path}: ${text}`).to.be.within(200, 299);
    return answer;
  }
}
