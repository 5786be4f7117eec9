import { expect } from 'chai';
import { Follower } from '../inbox/follower.js';
import { eventually } from '../support/eventually.js';
import { Nodes } from './nodes.js';

const MESSAGES = 5;

describe('the inbox of a contact at two API nodes', () => {
  let nodes: Nodes;
  let contact: string;
  let token: string;
  let changing: Follower;
  let staying: Follower;
  const sent: string[] = [];
  before(async function () {
    nodes = await Nodes.startIn(this, { workers: 1 });
    contact = (await nodes.a.api('POST', '/v1/contacts', { email: 'inbox@example.com' })).body.id;
    token = (await nodes.a.api('POST', '/v1/inbox/tokens', { contact_id: contact })).body.token;
    // Each of its connections goes to the node that runs.
    changing = new Follower(() => (nodes.a.running ? nodes.a : nodes.b).url, token);
    staying = new Follower(() => nodes.b.url, token);
    for (const one of [changing, staying]) void one.run();
    await eventually('both streams are open', () => [changing, staying].every((one) => one.of('counts').length > 0));
  });
  after(async () => {
    for (const one of [changing, staying]) one?.stop();
    await nodes?.close();
  });

  async function sendThrough(...through: Nodes['apis'][number][]): Promise<void> {
    for (let n = 0; n < MESSAGES; n++) {
      const node = through[n % through.length] ?? nodes.b;
      const { status, body } = await nodes.send(node, { channel: 'in_app', to: contact, title: `Message ${sent.length}` });
      expect(status).to.equal(202);
      sent.push(body.id);
    }
  }
  const has = (follower: Follower): string[] => follower.of('message').map(({ data }) => data.message_id);
  const haveAll = () =>
    eventually('both have all messages', () => [changing, staying].every((one) => has(one).length >= sent.length), { within: 60_000 });

  it('is streamed by both, whichever node takes a message', async () => {
    await sendThrough(nodes.a, nodes.b);
    await haveAll();
  });

  it('goes on at the other node after the last event, where one is killed while messages come', async () => {
    const sending = sendThrough(nodes.b);
    await nodes.a.kill9();
    await sending;
    await haveAll();
    expect(changing.connections).to.be.at.least(2);
    await nodes.a.restart();
    await sendThrough(nodes.a, nodes.b);
    await haveAll();
    for (const one of [changing, staying]) {
      expect(has(one)).to.have.length(sent.length);
      expect(has(one)).to.have.members(sent);
      const ids = one.of('message').map(({ id }) => id);
      expect(ids).to.deep.equal([...ids].sort());
    }
  });

  it('shows at the other node what was done at one', async () => {
    const headers = { 'X-API-Key': '', Authorization: `Bearer ${token}` };
    const { data } = (await nodes.a.api('GET', '/v1/inbox/messages?limit=5', undefined, headers)).body;
    for (const { id } of data) expect((await nodes.a.api('POST', `/v1/inbox/messages/${id}/read`, undefined, headers)).status).to.equal(200);
    const updated = (one: Follower): string[] => one.of('update').map((event) => event.data.id);
    const ids: string[] = data.map(({ id }: { id: string }) => id);
    await eventually('both have received every update', () => [changing, staying].every((one) => ids.every((id) => updated(one).includes(id))));
    const counts = { unseen: sent.length - ids.length, unread: sent.length - ids.length };
    await eventually('both have the counts', () =>
      [changing, staying].every((one) => JSON.stringify(one.of('counts').at(-1)?.data) === JSON.stringify(counts)),
    );
    expect((await nodes.b.api('GET', '/v1/inbox/counts', undefined, headers)).body).to.deep.equal(counts);
  });
});
