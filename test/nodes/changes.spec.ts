import { expect } from 'chai';
import { EventStream, type StreamEvent } from '../inbox/event-source.js';
import { eventually } from '../support/eventually.js';
import type { Service } from '../support/service.js';
import { Nodes } from './nodes.js';

describe('the stream of changes at two API nodes', () => {
  let nodes: Nodes;
  const streams: EventStream[] = [];
  before(async function () {
    nodes = await Nodes.startIn(this, { workers: 1 });
  });
  after(async () => {
    for (const stream of streams) stream.close();
    await nodes?.close();
  });

  const open = async (node: Service, last?: string) => {
    const headers: Record<string, string> = { 'X-API-Key': node.account.key, ...(last !== undefined && { 'Last-Event-ID': last }) };
    const stream = await EventStream.open(`${node.url}/v1/changes/stream?resources=contact`, { headers });
    streams.push(stream);
    await eventually('the stream begins', () => stream.comments >= 2 || stream.events.length > 0);
    return stream;
  };
  const contact = async (node: Service, email: string): Promise<string> => (await node.api('POST', '/v1/contacts', { email })).body.id;
  const created = (stream: EventStream, id: string): Promise<StreamEvent> => stream.found('change', (data) => data.id === id);

  it('announces at both what either has taken, once its own read model has it', async () => {
    const [atA, atB] = [await open(nodes.a), await open(nodes.b)];
    for (const [node, email] of [[nodes.a, 'a@example.com'] as const, [nodes.b, 'b@example.com'] as const]) {
      const id = await contact(node, email);
      await Promise.all([created(atA, id), created(atB, id)]);
      const headers = { 'X-Service-Consistency': 'eventual' };
      for (const other of [nodes.a, nodes.b]) {
        const { data } = (await other.api('GET', '/v1/contacts', undefined, headers)).body;
        expect(data.map((one: { id: string }) => one.id)).to.include(id);
      }
    }
  });

  it('goes on at the other node, where one is killed', async () => {
    const atA = await open(nodes.a);
    const { id: last } = await created(atA, await contact(nodes.b, 'before@example.com'));
    await nodes.a.kill9();
    const missed = [await contact(nodes.b, 'one@example.com'), await contact(nodes.b, 'two@example.com')];
    const atB = await open(nodes.b, last);
    for (const id of missed) await created(atB, id);
    expect(atB.of('change').map(({ id }) => id)).to.include.members(missed);
    expect(atB.of('reset')).to.deep.equal([]);
    await nodes.a.restart();
    const again = await open(nodes.a, last);
    for (const id of missed) await created(again, id);
  });
});
