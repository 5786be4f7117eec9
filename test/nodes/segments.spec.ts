import { expect } from 'chai';
import { partitionIndexOf } from '../../domain/kernel/ports.js';
import { eventually } from '../support/eventually.js';
import type { Account, Reply, Service } from '../support/service.js';
import { Nodes } from './nodes.js';

const PARTITIONS = 16;
const PARTITION_LEASES = 'processes/partition/';
const CONTACTS = 4;
const WITHIN = { within: 30_000, every: 50 } as const;

const withAtLeast = (value: number) => ({ type: 'event', event: 'go', count: { op: 'gte', value } });

/** An account with a segment of those with so many events. */
interface Tenant {
  readonly account: Account;
  readonly contacts: readonly string[];
  readonly segment: string;
  least: number;
  /** Events of each contact. */
  readonly events: number[];
}

describe('memberships of segments that two workers keep', () => {
  let nodes: Nodes;
  let tenants: Tenant[];
  let requests = 0;
  before(async function () {
    nodes = await Nodes.startIn(this, { apis: 1, workers: 2 });
  });
  after(() => nodes?.close());

  async function ask({ account }: Pick<Tenant, 'account'>, method: string, path: string, body?: object): Promise<Reply['body']> {
    const headers = { 'X-API-Key': account.key, ...(method === 'POST' && { 'Idempotency-Key': `segments-${++requests}` }) };
    const reply = await eventually(
      `${method} ${path} is answered`,
      async () => {
        const answer = await nodes.a.api(method, `/v1${path}`, body, headers);
        return answer.status < 500 && answer.body?.code !== 'idempotency_in_progress' && answer;
      },
      WITHIN,
    );
    expect(reply.status, `${method} ${path}: ${reply.text}`).to.be.below(300);
    return reply.body;
  }

  const partitionOf = ({ account }: Pick<Tenant, 'account'>): number => partitionIndexOf(account.accountId, PARTITIONS);

  /** The holder of the partition of each tenant. */
  async function holders(): Promise<(string | undefined)[]> {
    const leases = await nodes.leases();
    return tenants.map((tenant) => leases.find(({ _id }) => _id === `${PARTITION_LEASES}${partitionOf(tenant)}`)?.holder);
  }

  async function open(account: Account): Promise<Tenant> {
    const contacts = [];
    for (let n = 0; n < CONTACTS; n++) contacts.push((await ask({ account }, 'POST', '/contacts', { email: `c${n}@example.com` })).id);
    const { id: segment } = await ask({ account }, 'POST', '/segments', { name: 'Often', rules: withAtLeast(2) });
    return { account, contacts, segment, least: 2, events: contacts.map(() => 0) };
  }

  async function happen(tenant: Tenant, nth: number): Promise<void> {
    tenant.events[nth] = (tenant.events[nth] ?? 0) + 1;
    await ask(tenant, 'POST', '/events', { contact: { id: tenant.contacts[nth] }, event: 'go', idempotency_key: `go-${++requests}` });
  }

  async function expectMembers(tenant: Tenant): Promise<void> {
    const { contacts, events, segment, least } = tenant;
    const expected = contacts.filter((_, nth) => (events[nth] ?? 0) >= least).sort();
    const members = async () => {
      const { data } = await ask(tenant, 'GET', `/segments/${segment}/contacts?limit=100`);
      expect(data.map(({ id }: { id: string }) => id).sort()).to.deep.equal(expected);
      const { status, count } = await ask(tenant, 'GET', `/segments/${segment}`);
      expect({ status, count }).to.deep.equal({ status: 'live', count: expected.length });
      return true;
    };
    await eventually(`the segment of ${tenant.account.accountId} has its members`, members, WITHIN);
  }

  it('are kept by both, each for its accounts', async () => {
    // So many that both workers have one.
    tenants = [await open(nodes.a.account)];
    const isShared = async () => new Set(await holders()).size === nodes.workers.length;
    for (let n = 2; !(await isShared()); n++) tenants.push(await open(await nodes.a.createAccount(`owner${n}@example.com`)));
    for (const tenant of tenants) for (const nth of [0, 0, 1]) await happen(tenant, nth);
    for (const tenant of tenants) await expectMembers(tenant);
  });

  it('go on where a worker is killed and the other takes its accounts over', async () => {
    const [killed, living] = nodes.workers as [Service, Service];
    for (const tenant of tenants) await happen(tenant, 1);
    await killed.kill9();
    for (const tenant of tenants) await happen(tenant, 2);
    await eventually('the other has all accounts', async () => (await holders()).every((holder) => holder === living.instance), WITHIN);
    for (const tenant of tenants) await happen(tenant, 2);
    for (const tenant of tenants) await expectMembers(tenant);
  });

  it('go on where the worker is back, also of new rules', async () => {
    await nodes.workers[0]?.restart();
    await eventually('both have accounts again', async () => new Set(await holders()).size === nodes.workers.length, WITHIN);
    for (const tenant of tenants) {
      tenant.least = 1;
      await ask(tenant, 'PATCH', `/segments/${tenant.segment}`, { rules: withAtLeast(tenant.least) });
      await happen(tenant, 3);
    }
    for (const tenant of tenants) await expectMembers(tenant);
  });

  it('are as a rebuild makes them', async () => {
    for (const name of ['segment-members', 'todo/segments/memberships']) {
      const { code, stdout, stderr } = await nodes.a.cli('projections', 'verify', name);
      expect(code, stdout + stderr).to.equal(0);
    }
  });
});
