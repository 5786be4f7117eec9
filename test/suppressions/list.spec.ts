import { expect } from 'chai';
import { refusalBySuppression } from '../../commands/messages/gates.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import type { PageRange } from '../../projections/runtime/paging.js';
import { suppressions } from '../../projections/suppressions/projection.js';
import { type SuppressionFilter, suppressionQueries } from '../../projections/suppressions/queries.js';
import { failureOf } from '../contract/helpers.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const ada = 'ada@example.com';
const about = { address: ada, channel: 'email', reason: 'unsubscribed', source: 'import' } as const;
const start = () => new TestApp([]);
const keyOf = (app: TestApp, address: string, account = ACCOUNT) => app.vault.key(account, address);

describe('the do-not-contact list', () => {
  it('returns the same id for an entry each time, and whether it changed', async () => {
    const app = start();
    const { output: first } = await app.execute(suppressAddress, about);
    const { output: second } = await app.execute(suppressAddress, { ...about, reason: 'unsubscribed' });
    const { output: third } = await app.execute(suppressAddress, { ...about, reason: 'manual' });
    expect(first.id).to.match(/^sup_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect([first, second, third].map(({ id, changed }) => [id, changed])).to.deep.equal([
      [first.id, true],
      [first.id, false],
      [first.id, true],
    ]);
    expect(third.active).to.deep.include({ reason: 'unsubscribed' });
    expect(third.active.reasons.map(({ reason }) => reason)).to.deep.equal(['unsubscribed', 'manual']);
    const { output: elsewhere } = await app.execute(suppressAddress, { ...about, channel: 'all' });
    expect(elsewhere.id).to.not.equal(first.id);
  });

  it('normalizes times to UTC before it compares them', async () => {
    const app = start();
    const saidAt = async (occurred_at: string) => (await app.execute(suppressAddress, { ...about, occurred_at })).output.changed;
    expect(await saidAt('2026-01-10T10:00:00Z')).to.equal(true);
    expect(await saidAt('2026-01-10T12:00:00.000+02:00')).to.equal(false);
    expect(await saidAt('2026-01-10T11:59:59+02:00')).to.equal(true);
    const [, event] = (await app.log.read(suppressionStream(keyOf(app, ada)))) ?? [];
    expect(event?.event).to.include({ type: 'SuppressionBackdated' });
    expect(event?.event.data).to.include({ occurred_at: '2026-01-10T09:59:59.000Z' });
  });

  it('refuses a leap second and a missing address', async () => {
    const errors = [
      await failureOf(start().execute(suppressAddress, { ...about, occurred_at: '2026-12-31T23:59:60Z' })),
      await failureOf(start().execute(suppressAddress, { ...about, address: null })),
    ];
    for (const error of errors) expect(error).to.include({ name: 'DomainError', code: 'validation_error' });
  });

  it('seals addresses in the log', async () => {
    const app = start();
    await app.execute(suppressAddress, about);
    await app.execute(liftSuppression, {
      address_key: keyOf(app, ada),
      channel: 'email',
      by: 'request',
      because: 'asked',
      proof: `mail of ${ada}`,
    });
    const { events } = await app.engine.events.readAll('start', 10);
    expect(events).to.have.length(2);
    expect(JSON.stringify(events)).to.not.include('ada@');
    expect(JSON.stringify(await app.documents(suppressions, 'entries'))).to.not.include('ada@');
  });

  it('stays in force when its personal fields are erased', async () => {
    const app = start();
    const key = keyOf(app, ada);
    await app.execute(suppressAddress, about);
    await app.vault.erase(key);
    const refusal = await refusalBySuppression({ toKey: key, channel: 'email', category: 'marketing', at: 'hand_over' }, app);
    expect(refusal?.reason).to.equal('unsubscribed');
    expect((await app.execute(suppressAddress, { ...about, address: null, address_key: key })).output.changed).to.equal(false);
    await app.execute(liftSuppression, { address_key: key, channel: 'email', by: 'request', because: 'asked', proof: null });
    expect(await refusalBySuppression({ toKey: key, channel: 'email', category: 'marketing', at: 'hand_over' }, app)).to.equal(null);
  });
});

describe('the do-not-contact list at the gates', () => {
  it('refuses messages on its channel at once, until the suppression is lifted', async () => {
    const app = start();
    const send = async (channel: string, to: string) => {
      const { output } = await app.execute(sendMessage, { to, channel, message: 'Hi', subject: 'Hi' });
      return [output.status, output.status_reason];
    };
    expect(await send('email', ada)).to.deep.equal(['queued', null]);
    await app.execute(suppressAddress, about);
    expect(await send('email', ' Ada@Example.com')).to.deep.equal(['suppressed', 'unsubscribed']);
    await app.execute(suppressAddress, { address: '+14155550100', channel: 'sms', reason: 'stop_keyword', source: 'keyword' });
    expect(await send('sms', '+14155550100')).to.deep.equal(['suppressed', 'stop_keyword']);
    expect(await send('whatsapp', '+14155550100')).to.deep.equal(['queued', null]);
    await app.execute(liftSuppression, { address_key: keyOf(app, ada), channel: 'email', by: 'request', because: 'asked', proof: null });
    expect(await send('email', ada)).to.deep.equal(['queued', null]);
  });

  it('uses the list of the account only', async () => {
    const app = start();
    await app.execute(suppressAddress, about, { account: 'acc_OTHER' });
    const ask = async (account: string) =>
      (await refusalBySuppression({ toKey: keyOf(app, ada, account), channel: 'email', category: 'transactional', at: 'hand_over' }, app))?.reason ??
      null;
    expect([await ask('acc_OTHER'), await ask(ACCOUNT)]).to.deep.equal(['unsubscribed', null]);
  });

  it('reads the log once for an address that is not listed', async () => {
    const app = start();
    const { read } = app.engine.events;
    const asked: string[] = [];
    app.engine.events.read = (stream, options) => {
      asked.push(stream);
      return read.call(app.engine.events, stream, options);
    };
    await refusalBySuppression({ toKey: 'nobody', channel: 'sms', category: 'transactional', at: 'hand_over' }, app);
    expect(asked).to.deep.equal(['suppression-nobody']);
  });
});

describe('pages of the do-not-contact list', () => {
  const query = async (app: TestApp, by: Partial<SuppressionFilter & PageRange> = {}) => {
    await app.documents(suppressions, 'entries');
    const all = { account: ACCOUNT, after: null, descending: true, limit: 10 };
    return suppressionQueries({ log: app.log, views: app.views as ReadModels }).entries({ ...all, ...by });
  };
  const addressesOf = (rows: Awaited<ReturnType<typeof query>>) => rows.map(({ item }) => item.address);

  async function listed(): Promise<TestApp> {
    const app = start();
    const say = async (address: string, channel: 'all' | 'sms' | 'email', reason: 'unsubscribed' | 'bounced' | 'manual') => {
      await app.execute(suppressAddress, { address, channel, reason, source: 'import', occurred_at: '2026-01-01T00:00:00Z' });
      await app.clock.advance(1_000);
    };
    await say('a@example.com', 'email', 'unsubscribed');
    await say('b@example.com', 'email', 'bounced');
    await say('+14155550100', 'sms', 'manual');
    await say('d@example.com', 'all', 'unsubscribed');
    await say('a@example.com', 'email', 'bounced');
    await app.execute(suppressAddress, { ...about, address: 'other@example.com' }, { account: 'acc_OTHER' });
    return app;
  }

  it('contain the address, all reasons, and the first reason in order of precedence', async () => {
    const app = await listed();
    const entry = (await query(app)).at(-1)?.item;
    expect(entry).to.deep.include({ address: 'a@example.com', channel: 'email', reason: 'unsubscribed', address_key: keyOf(app, 'a@example.com') });
    expect(entry).to.include({ created_at: '2026-01-15T10:00:00.000Z', updated_at: '2026-01-15T10:00:04.000Z' });
    const [first, second] = entry?.reasons ?? [];
    const about = { source: 'import', occurred_at: '2026-01-01T00:00:00.000Z', message_id: null };
    expect(first).to.deep.equal({ reason: 'unsubscribed', scope: 'all', via: 'request', ...about });
    expect(second?.reason).to.equal('bounced');
  });

  it('show the widest scope, and the first of the reasons that have it', async () => {
    const app = start();
    await app.execute(suppressAddress, { ...about, via: 'page' });
    await app.execute(suppressAddress, { ...about, reason: 'manual' });
    const shown = async () => (await query(app)).map(({ item: { scope, reason } }) => `${scope} ${reason}`);
    expect(await shown()).to.deep.equal(['all manual']);
    await app.execute(suppressAddress, { ...about, via: 'import' });
    expect(await shown()).to.deep.equal(['all unsubscribed']);
  });

  it('are ordered by creation, newest or oldest first', async () => {
    const app = await listed();
    const newest = ['d@example.com', '+14155550100', 'b@example.com', 'a@example.com'];
    expect(addressesOf(await query(app))).to.deep.equal(newest);
    expect(addressesOf(await query(app, { descending: false }))).to.deep.equal(newest.toReversed());
    const first = await query(app, { limit: 3 });
    expect(addressesOf(await query(app, { limit: 3, after: first.at(-1)?.cursor ?? null }))).to.deep.equal(['a@example.com']);
  });

  it('are filtered by channel, address and any of the reasons', async () => {
    const app = await listed();
    expect(addressesOf(await query(app, { channel: 'email' }))).to.deep.equal(['b@example.com', 'a@example.com']);
    expect(addressesOf(await query(app, { reason: 'bounced' }))).to.deep.equal(['b@example.com', 'a@example.com']);
    expect(addressesOf(await query(app, { reason: 'unsubscribed', channel: 'all' }))).to.deep.equal(['d@example.com']);
    expect(addressesOf(await query(app, { address_key: keyOf(app, '+14155550100') }))).to.deep.equal(['+14155550100']);
    expect(await query(app, { address_key: keyOf(app, 'other@example.com') })).to.deep.equal([]);
  });

  it('contain an entry until its last reason is lifted', async () => {
    const app = start();
    const key = keyOf(app, '+14155550100');
    const phone = { address: '+14155550100', channel: 'sms', source: 'x' } as const;
    await app.execute(suppressAddress, { ...phone, reason: 'stop_keyword' });
    await app.execute(suppressAddress, { ...phone, reason: 'manual' });
    await app.execute(liftSuppression, { address_key: key, channel: 'sms', by: 'keyword', because: 'START', proof: null });
    expect((await query(app)).map(({ item }) => item.reason)).to.deep.equal(['manual']);
    await app.execute(liftSuppression, { address_key: key, channel: 'sms', by: 'request', because: 'asked', proof: null });
    expect(await query(app)).to.deep.equal([]);
  });

  it('show an address as erased once its key is destroyed', async () => {
    const app = start();
    await app.execute(suppressAddress, about);
    await app.vault.erase(keyOf(app, ada));
    expect(addressesOf(await query(app))).to.deep.equal(['<erased>']);
  });

  it('contain the entries of one account only', async () => {
    const app = start();
    const { output } = await app.execute(suppressAddress, about);
    await app.documents(suppressions, 'entries');
    const { entry } = suppressionQueries({ log: app.log, views: app.views });
    expect((await entry(ACCOUNT, output.id))?.address).to.equal(ada);
    expect(await entry('acc_OTHER', output.id)).to.equal(null);
    expect(await entry(ACCOUNT, 'sup_0')).to.equal(null);
  });
});
