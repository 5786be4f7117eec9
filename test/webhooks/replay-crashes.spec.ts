import { expect } from 'chai';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { createEndpoint } from '../../commands/webhooks/create-endpoint.js';
import { recordAttempt } from '../../commands/webhooks/record-attempt.js';
import { replayEndpoint } from '../../commands/webhooks/replay-endpoint.js';
import type { Append } from '../../domain/kernel/ports.js';
import { deliveryStream } from '../../domain/webhooks/delivery.js';
import { loadJobProgress } from '../../log/aggregates/jobs/load-job.js';
import { TestApp } from '../support/test-app.js';

const past = ['a', 'b', 'c'].map((name) => ({
  delivery_id: `whd_${name}`,
  source_stream: `contact-con_${name}`,
  revision: 0,
  event: 'contact.created',
  event_id: `evt_${name}`,
}));

describe('a replay whose node is killed', () => {
  it('requests each delivery once, and goes on where its record ends', async () => {
    const page = async () => ({ events: past, next: null });
    const app = new TestApp([], { webhooks: { pastEvents: { page, pause: async () => undefined } } });
    const { id: endpoint_id } = (await app.execute(createEndpoint, { url: 'https://example.com/hook' })).output;
    const { job_id } = (await app.execute(replayEndpoint, { endpoint_id, range: {} })).output;
    const killed = new Error('killed');
    const { events } = app.engine;
    const refuse = (appends: readonly Append[]): void => {
      if (appends.some(({ stream }) => stream === `jobResults-${job_id}`)) throw killed;
    };
    const dying = app.nodeOver({
      ...{ read: events.read.bind(events), readAll: events.readAll.bind(events), pageEnd: events.pageEnd.bind(events) },
      ...{ readBackwards: events.readBackwards.bind(events) },
      ...{ head: events.head.bind(events), subscribe: events.subscribe.bind(events), close: events.close.bind(events) },
      append: async (stream, expected, made) => {
        refuse([{ stream, expected, events: made }]);
        return events.append(stream, expected, made);
      },
      appendAll: async (chains) => {
        refuse(chains.flat());
        return events.appendAll(chains);
      },
    });
    const error = await dying.execute(workOnJob, { job_id }).catch((e: unknown) => e);
    expect(error).to.equal(killed);
    expect((await loadJobProgress(app.log, job_id)).revision).to.equal(-1);

    const work = async () => (await app.execute(workOnJob, { job_id })).output.work;
    expect(await work()).to.equal('going_on');
    for (const { delivery_id } of past) expect(await app.history(deliveryStream(delivery_id))).to.deep.equal(['RedeliveryRequested']);
    expect(await work()).to.equal('waiting');
    for (const { delivery_id } of past) {
      const attempt = { trigger: 'manual', number: 1, outcome: { status_code: 200, response_body: '' }, duration_ms: 1, subject: 'k1' } as const;
      const at = new Date(app.clock.now()).toISOString();
      await app.execute(recordAttempt, { delivery_id, attempt: { ...attempt, at }, retry_delays_ms: [] });
    }
    expect(await work()).to.equal('going_on');
    expect(await work()).to.equal('over');
    const { last } = await loadJobProgress(app.log, job_id);
    expect(last).to.deep.include({ done: 3, counts: { delivered: 3, failed: 0 }, next: null });
  });
});
