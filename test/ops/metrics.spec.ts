import { expect } from 'chai';
import { createMetrics } from '../../ops/monitoring/metrics.js';

const plain = () => createMetrics({ processMetrics: false });

describe('metrics', () => {
  it('time requests by method, route and status', async () => {
    const metrics = plain();
    metrics.observeRequest({ method: 'POST', route: '/v1/messages/send', status: 202, seconds: 0.004 });
    metrics.observeRequest({ method: 'POST', route: '/v1/messages/send', status: 202, seconds: 0.3 });
    const text = await metrics.exposition();
    expect(text).to.include('heliograph_http_request_duration_seconds_bucket{le="0.005",method="POST",route="/v1/messages/send",status="202"} 1');
    expect(text).to.include('heliograph_http_request_duration_seconds_count{method="POST",route="/v1/messages/send",status="202"} 2');
  });

  it('count requests without a route, or with an unknown method, together', async () => {
    const metrics = plain();
    for (const method of ['BREW', 'WHEN']) metrics.observeRequest({ method, route: null, status: 404, seconds: 0.001 });
    expect(await metrics.exposition()).to.include('_count{method="other",route="(none)",status="404"} 2');
  });

  it('count messages, carrier calls, webhook attempts, appends, commits and refusals', async () => {
    const metrics = plain();
    metrics.countMessage('sms', 'delivered', 3);
    metrics.observeCarrierCall({ carrier: 'sandbox', channel: 'sms', outcome: 'accepted', seconds: 0.01 });
    metrics.observeWebhookAttempt({ outcome: 'timeout', seconds: 10 });
    metrics.setOpenCircuits(2);
    metrics.countAppendedEvents(7);
    metrics.countRateLimited('login');
    const text = await metrics.exposition();
    expect(text).to.include('heliograph_messages_total{channel="sms",status="delivered"} 3');
    expect(text).to.include('heliograph_carrier_call_duration_seconds_count{carrier="sandbox",channel="sms",outcome="accepted"} 1');
    expect(text).to.include('heliograph_webhook_attempt_duration_seconds_sum{outcome="timeout"} 10');
    expect(text).to.include('heliograph_webhook_circuits_open 2');
    expect(text).to.include('heliograph_log_events_appended_total 7');
    expect(text).to.include('heliograph_http_rate_limited_total{group="login"} 1');
  });

  it('keep the labels of outcomes that have other names in code', async () => {
    const metrics = plain();
    for (const outcome of ['transient_error', 'permanent_error', 'unknown'])
      metrics.observeCarrierCall({ carrier: 'sandbox', channel: 'sms', outcome, seconds: 0.01 });
    const text = await metrics.exposition();
    for (const label of ['passing_error', 'lasting_error', 'unknown'])
      expect(text).to.include(`heliograph_carrier_call_duration_seconds_count{carrier="sandbox",channel="sms",outcome="${label}"} 1`);
    expect(text).not.to.include('transient_error').and.not.to.include('permanent_error');
  });

  it('read projections and to-do lists at every scrape', async () => {
    const metrics = plain();
    let position = '00000000000000000009';
    metrics.registerProjections(async () => [{ name: 'messages', position, lagMs: 1_500, halted: false }]);
    metrics.registerTodos(async () => [{ process: 'dispatch', waiting: 12, due: 4, parked: 2 }]);
    expect(await metrics.exposition())
      .to.include('heliograph_projection_position{projection="messages"} 9')
      .and.include('heliograph_projection_lag_seconds{projection="messages"} 1.5')
      .and.include('heliograph_projection_halted{projection="messages"} 0')
      .and.include('heliograph_todos_waiting{process="dispatch"} 12')
      .and.include('heliograph_todos_due{process="dispatch"} 4')
      .and.include('heliograph_todos_parked{process="dispatch"} 2');
    position = '00000000000000000010';
    expect(await metrics.exposition()).to.include('heliograph_projection_position{projection="messages"} 10');
  });

  it('omit values that cannot be read, and still answer', async () => {
    const metrics = plain();
    let broken = false;
    metrics.registerTodos(async () => {
      if (broken) throw new Error('store is unavailable');
      return [{ process: 'dispatch', waiting: 1, due: 0, parked: 0 }];
    });
    expect(await metrics.exposition()).to.include('heliograph_todos_waiting{');
    broken = true;
    expect(await metrics.exposition())
      .to.include('# HELP heliograph_todos_waiting')
      .and.not.include('heliograph_todos_waiting{');
  });

  it('include memory and event loop of the process', async () => {
    const text = await createMetrics().exposition();
    expect(text)
      .to.include('heliograph_process_resident_memory_bytes')
      .and.match(/heliograph_nodejs_eventloop_utilization [01]/);
  });

  it('leave out what would need samples while the process is idle', async () => {
    expect(await createMetrics().exposition()).to.not.match(/eventloop_lag_(min|max|mean|stddev|p\d+)_seconds/);
  });

  it('follow the naming rules of Prometheus', async () => {
    const text = await plain().exposition();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    expect(types.length).to.be.at.least(6);
    for (const [, name, type] of types) {
      expect(name).to.match(/^heliograph_[a-z_]+$/);
      if (type === 'counter') expect(name).to.match(/_total$/);
      expect(text).to.include(`# HELP ${name} `);
    }
  });
});
