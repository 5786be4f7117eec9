import { expect } from 'chai';
import type { Position } from '../../domain/kernel/ports.js';
import { logReplaySource } from '../../ops/app/ports/replay-pages.js';
import { type EventSpanDoc, platformEventSpans, SPANS } from '../../projections/webhooks/event-spans.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { queued, sent } from './samples.js';

const BEGIN = Date.parse('2026-01-15T10:00:00.000Z');
const MINUTE = 60_000;
const time = (minute: number): string => new Date(BEGIN + minute * MINUTE).toISOString();

describe('the past events of an account', () => {
  let app: TestApp;
  let nth = 0;
  beforeEach(() => {
    app = new TestApp();
    nth = 0;
  });

  /** A message that expired at a minute, which is a platform event: message.failed. */
  async function failed(minute: number, account = ACCOUNT): Promise<string> {
    nth += 1;
    const stream = `message-msg_${nth}`;
    const id = `req_${nth}`;
    const meta = {
      $correlationId: id,
      $causationId: id,
      account,
      actor: { kind: 'key', id: 'key_1' },
      occurredAt: time(minute),
      invocation: id,
    } as const;
    const expired = { type: 'MessageExpired', data: { at: time(minute) } } as never;
    await app.log.append(stream, 'no-stream', [queued(), sent, expired], meta);
    return stream;
  }

  /** The streams of the events of a range, page by page, and how many events of the log were read. */
  async function pages(from: number, to: number, limit = 100, events: readonly string[] = []) {
    const spans = await app.documents<EventSpanDoc>(platformEventSpans, SPANS);
    const since = (await app.engine.events.head()) as Position;
    let reads = 0;
    const store = new Proxy(app.engine.events, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'readAll') return typeof value === 'function' ? value.bind(target) : value;
        return async (...given: [Position, number]) => {
          const page = await target.readAll(...given);
          reads += page.events.length;
          return page;
        };
      },
    });
    const log = Object.assign(Object.create(app.log), { store }) as typeof app.log;
    const source = logReplaySource(log, app.views, app.clock);
    const found: string[][] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page = await source.page(ACCOUNT, { endpoint_id: 'whe_1', from: time(from), to: time(to), events }, { after, since, limit });
      if (!page) throw new Error('the read model is behind');
      found.push(page.events.map(({ source_stream }) => source_stream));
      after = page.next;
      more = after !== null;
    }
    return { found, all: found.flat(), reads, spans };
  }

  it('are found by pages, each once and in their order', async () => {
    const streams: string[] = [];
    for (const minute of [0, 1, 20, 21, 22, 50, 300]) streams.push(await failed(minute));
    for (const limit of [1, 2, 3, 100]) {
      const { found, all } = await pages(0, 301, limit);
      expect(all).to.deep.equal(streams);
      for (const page of found) expect(page.length).to.be.at.most(limit);
    }
  });

  it('begin with the first time, end before the last, and are of the account and of the named types', async () => {
    await failed(9);
    const first = await failed(10);
    await failed(11, 'acc_other');
    const second = await failed(12);
    await failed(13);
    expect((await pages(10, 13)).all).to.deep.equal([first, second]);
    expect((await pages(10, 13, 100, ['message.failed'])).all).to.deep.equal([first, second]);
    expect((await pages(10, 13, 100, ['message.delivered'])).all).to.deep.equal([]);
    expect((await pages(14, 500)).all).to.deep.equal([]);
  });

  it('are found where clocks disagree, so that the log has them in another order than their times', async () => {
    const early = await failed(14);
    const late = await failed(16);
    const between = await failed(14.5);
    expect((await pages(15, 30)).all).to.deep.equal([late]);
    expect((await pages(0, 15)).all).to.deep.equal([early, between]);
    expect((await pages(0, 30, 1)).all).to.deep.equal([early, between, late]);
  });

  it('are found without reading the log outside of the range', async () => {
    for (let minute = 0; minute < 600; minute += 5) await failed(minute);
    const { all, reads, spans } = await pages(300, 330);
    expect(all).to.have.length(6);
    expect(spans).to.have.length(40);
    // Two spans, and what follows each of them in the log.
    expect(reads).to.be.at.most(200);
  });
});
