import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import type { Reply, Service } from '../support/service.js';
import type { Receiver } from '../webhooks/receiver.js';
import { dispatches } from './ledger.js';
import { between, type Random } from './random.js';

/** In milliseconds; several nodes share slow servers. */
const WITHIN = { oneNode: 300_000, nodes: 1_800_000 } as const;
/** Of a request to `POST /v1/contacts/import`. Slow servers do few of them within the time of one call. */
const IMPORTED_AT_ONCE = { oneNode: 1_000, nodes: 100 } as const;
/** Between two looks, in milliseconds: each of them costs slow servers work. */
const LOOK_EVERY = { oneNode: 20, nodes: 250 } as const;
/** Of so many contacts one has no email address, and one unsubscribed before. */
const WITHOUT_ADDRESS = 50;
const UNSUBSCRIBED = 40;
/** A dispatcher has at most so many calls that are not on record. */
const WINDOW = 100;

type Body = Reply['body'];

export interface Disturbances {
  readonly kills: number;
  readonly pauses: number;
}

/** A campaign to many contacts, in a service that is disturbed, and what must be true at its end. */
export class CampaignRun {
  campaign = '';
  /** Kills and pauses that came before the end of the campaign. */
  readonly disturbed = { kills: 0, pauses: 0 };
  /** How long its parts took, in milliseconds. */
  readonly took = { import: 0, campaign: 0 };
  #list = '';
  #requests = 0;

  constructor(
    /** Has the API, the processes, or both. The first one has the API. */
    private readonly nodes: readonly [Service, ...Service[]],
    /** Those that are killed, in turn. */
    private readonly victims: readonly Service[],
    private readonly contacts: number,
    private readonly dispatchLogFile: string,
    private readonly receiver: Receiver,
    private readonly random: Random,
  ) {}

  get suppressed(): number {
    return Math.floor(this.contacts / UNSUBSCRIBED);
  }
  get skipped(): number {
    return Math.floor(this.contacts / WITHOUT_ADDRESS);
  }

  /** Contacts on a list, some of them unsubscribed, and an endpoint for the end of the campaign. */
  async prepare(): Promise<void> {
    const marketing_consent = { email: 'opt_out' };
    await this.good('PATCH', '/account/settings', { marketing_consent, quiet_hours: { enabled: false } });
    await this.good('POST', '/webhook-endpoints', { url: `${this.receiver.origin}/sent`, events: ['campaign.sent'] });
    const entries = Array.from({ length: this.suppressed }, (_, i) => ({ email: this.#address(i * UNSUBSCRIBED), reason: 'unsubscribed' }));
    await this.good('POST', '/account/unsubscribes/api/import', { entries });
    this.#list = (await this.good('POST', '/lists', { name: 'Readers' })).id;
    const most = this.#sized(IMPORTED_AT_ONCE);
    const began = performance.now();
    for (let from = 0; from < this.contacts; from += most) {
      const count = Math.min(most, this.contacts - from);
      const contacts = Array.from({ length: count }, (_, i) => this.#contact(from + i));
      const { id, status } = await this.good('POST', '/contacts/import', { contacts, list_ids: [this.#list] });
      if (status === 'completed') continue;
      await this.until('the contacts are imported', async () => (await this.good('GET', `/jobs/${id}`)).status === 'completed');
    }
    this.took.import = Math.round(performance.now() - began);
  }

  /** An address comes first in its block of unsubscribed ones, one without an address last. */
  #contact(n: number): object {
    const named = { first_name: `Name${n}` };
    return n % WITHOUT_ADDRESS === WITHOUT_ADDRESS - 1 ? { ...named, phone: `+1415${5_000_000 + n}` } : { ...named, email: this.#address(n) };
  }

  #address = (n: number): string => `reader${n}@example.com`;

  /** Sends the campaign, and kills nodes and pauses it until it is sent. */
  async send({ kills, pauses }: Disturbances): Promise<void> {
    const content = { subject: 'Hello {{ contact.first_name }}', message: 'It is spring.' };
    const draft = { name: 'Spring', channel: 'email', audience: { include: { list_ids: [this.#list] } }, content };
    this.campaign = (await this.good('POST', '/campaigns', draft)).id;
    const began = performance.now();
    await this.good('POST', `/campaigns/${this.campaign}/send`);
    const acts = this.#shuffled([...Array<'kill'>(kills).fill('kill'), ...Array<'pause'>(pauses).fill('pause')]);
    for (const [n, act] of acts.entries()) {
      // Half of them while messages are made, half while they are dispatched.
      const goal = Math.floor((this.contacts * 0.9 * n) / acts.length);
      const isEarly = n < acts.length / 2;
      await this.until('the campaign goes on', async () => (await this.#progress(isEarly)) >= goal);
      await this.#spin(between(this.random, 0, 30));
      const isOver = (await this.status()) === 'sent';
      if (act === 'kill') await this.#kill(n);
      else await this.#pause();
      if (!isOver) this.disturbed[act === 'kill' ? 'kills' : 'pauses'] += 1;
    }
    await this.until('the campaign is sent', async () => (await this.status()) === 'sent');
    this.took.campaign = Math.round(performance.now() - began);
  }

  /** Twice the messages that are made, where those count; otherwise the dispatches. */
  async #progress(isEarly: boolean): Promise<number> {
    if (!isEarly) return (await this.#handed()).size;
    const { queued, sent, suppressed } = await this.good('GET', `/campaigns/${this.campaign}/stats`);
    return 2 * (queued + sent + suppressed);
  }

  async #handed(): Promise<ReadonlyMap<string, readonly number[]>> {
    return dispatches(this.dispatchLogFile).catch(() => new Map());
  }

  async #kill(n: number): Promise<void> {
    const victim = this.victims[n % this.victims.length] as Service;
    await victim.kill9();
    await victim.restart();
  }

  async #pause(): Promise<void> {
    const paused = await this.#ask('POST', `/campaigns/${this.campaign}/pause`);
    if (paused.status !== 200) return;
    await this.#spin(between(this.random, 0, 30));
    const resumed = await this.#ask('POST', `/campaigns/${this.campaign}/resume`);
    expect(resumed.status, resumed.text).to.equal(200);
  }

  /** Each frozen contact has one message or none for a reason, each message is dispatched once, and the counts add up. */
  async expectComplete(): Promise<void> {
    const stats = await this.good('GET', `/campaigns/${this.campaign}/stats`);
    const messages = this.contacts - this.skipped;
    const sent = messages - this.suppressed;
    const counts = { audience: this.contacts, skipped: this.skipped, suppressed: this.suppressed, sent, queued: 0, failed: 0 };
    expect(stats).to.include(counts);
    const recipients = await this.#recipients();
    expect(recipients).to.have.length(messages);
    expect(new Set(recipients.map(({ id }) => id)).size, 'ids of messages').to.equal(messages);
    expect(new Set(recipients.map(({ contact_id }) => contact_id)).size, 'contacts with a message').to.equal(messages);
    const skipped = (await this.#recipients('&status=skipped')).map(({ contact_id }) => contact_id);
    expect(new Set([...skipped, ...recipients.map(({ contact_id }) => contact_id)]).size, 'contacts').to.equal(this.contacts);
    const handed = await this.#handed();
    const wanted = recipients.filter(({ status }) => status !== 'suppressed').map(({ id }) => id);
    expect(wanted).to.have.length(sent);
    expect([...handed.keys()].sort()).to.deep.equal(wanted.sort());
    await this.#expectKnownRepeats(handed);
    await this.#expectEvent(counts);
  }

  /** A call whose outcome a kill has left unknown is repeated with the same id; the sandbox recognizes it. */
  async #expectKnownRepeats(handed: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const repeated = [...handed].filter(([, attempts]) => attempts.length > 1).map(([id]) => id);
    expect(repeated.length, 'repeated calls').to.be.at.most(this.disturbed.kills * WINDOW);
    for (const id of repeated) {
      const { data } = await this.good('GET', `/messages/${id}/events?limit=200`);
      const repeats = data.filter((one: Body) => one.type === 'MessageDispatchStarted' && one.data.repeat);
      expect(repeats.length, `${id} was called twice, and the log says so`).to.be.above(0);
    }
  }

  async #expectEvent(counts: object): Promise<void> {
    const received = () => this.receiver.requests.filter(({ url }) => url === '/sent');
    await this.until('campaign.sent is delivered', async () => received().length > 0);
    expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size, 'events').to.equal(1);
    const { event, data } = JSON.parse(received()[0]?.body ?? '');
    expect(event).to.equal('campaign.sent');
    expect(data.campaign).to.deep.equal({ id: this.campaign, name: 'Spring', channel: 'email' });
    expect(data.counts).to.include(counts);
  }

  async #recipients(more = ''): Promise<{ id: string; contact_id: string; status: string }[]> {
    const all = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Body = await this.good(
        'GET',
        `/campaigns/${this.campaign}/recipients?limit=200${more}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      all.push(...page.data);
      cursor = page.next_cursor;
    }
    return all;
  }

  async status(): Promise<string> {
    return (await this.good('GET', `/campaigns/${this.campaign}`)).status;
  }

  async good(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.#ask(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(300);
    return answer.body;
  }

  /** Servers of several nodes are slow, and their outages answered with 503: the key makes a repeat harmless. */
  async #ask(method: string, path: string, body?: unknown): Promise<Reply> {
    const key = { 'Idempotency-Key': `request-${++this.#requests}` };
    const isAnswered = async () => {
      const answer = await this.nodes[0].api(method, `/v1${path}`, body, method === 'POST' ? key : {});
      return answer.status !== 503 && answer.body?.code !== 'idempotency_in_progress' && answer;
    };
    return eventually(`${method} ${path} is answered`, isAnswered, { within: this.#sized(WITHIN), every: 200 });
  }

  until = (what: string, is: () => Promise<boolean>): Promise<boolean> =>
    eventually(what, is, { within: this.#sized(WITHIN), every: this.#sized(LOOK_EVERY) });

  #sized = ({ oneNode, nodes }: { oneNode: number; nodes: number }): number => (this.nodes.length === 1 ? oneNode : nodes);

  async #spin(requests: number): Promise<void> {
    for (let n = 0; n < requests; n++) await this.nodes[0].api('GET', '/healthz');
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, at: this.random() }));
    return keyed.sort((a, b) => a.at - b.at).map(({ item }) => item);
  }
}
