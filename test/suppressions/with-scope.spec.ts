import { expect } from 'chai';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { eventType } from '../../domain/kernel/event.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import { AddressSuppressed, suppressionRefusalOf, suppressionStream } from '../../domain/suppressions/suppression.js';
import { withScope } from '../../domain/suppressions/with-scope.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { EventTypeRegistry } from '../../log/runtime/event-type-registry.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { causeFields } from './event-examples.js';

describe('a suppression from before there were scopes', () => {
  const legacy = (given: object) => withScope({ reason: 'unsubscribed', source: 'mailchimp', ...given } as never);

  for (const via of ['page', 'one_click'] as const)
    it(`stops marketing if it came by ${via}`, () => expect(legacy({ via })).to.include({ scope: 'marketing', via }));
  for (const via of ['import', 'request', 'keyword', 'feedback'] as const)
    it(`stops everything if it came by ${via}`, () => expect(legacy({ via })).to.include({ scope: 'all', via }));

  it('is known by its source if it has no method', () => {
    expect(legacy({ source: 'preferences' })).to.include({ scope: 'marketing', via: 'page' });
    expect(legacy({ source: 'one_click' })).to.include({ scope: 'marketing', via: 'one_click' });
    expect(legacy({ source: 'bounce' })).to.include({ scope: 'all', via: 'feedback' });
  });
  it('is read so from an old log, by gates and pages, and stays an opt-out', async () => {
    const app = new TestApp([]);
    const { scope: _, via: __, ...fields } = AddressSuppressed.schema.properties;
    const legacyType = eventType('AddressSuppressed', record({ ...fields, via: optional(text) }), {
      personal: { subject: 'address_key', fields: ['address'] },
    });
    const old = new EventLog(app.engine.events, app.vault, new EventTypeRegistry([legacyType]));
    const address_key = app.vault.key(ACCOUNT, 'ada@example.com');
    const at = '2026-01-14T10:00:00.000Z';
    const { scope: ___, ...data } = causeFields({ address_key, source: 'one_click', via: 'one_click', occurred_at: at, at });
    const cause = { invocation: 'req_OLD', $correlationId: 'req_OLD', $causationId: 'req_OLD', account: ACCOUNT, occurredAt: at } as const;
    await old.append(suppressionStream(address_key), 'no-stream', [{ type: 'AddressSuppressed', data }], {
      ...cause,
      actor: { kind: 'public', id: 'x' },
    });

    const state = await loadSuppression(app.log, address_key);
    expect(suppressionRefusalOf(state, 'email', 'marketing')).to.equal('unsubscribed');
    expect(suppressionRefusalOf(state, 'email', 'transactional')).to.equal(null);
    const lifting = { address_key, channel: 'email', because: 'chosen by the reader', proof: null } as const;
    expect((await app.execute(liftSuppression, { ...lifting, by: 'page' })).output.lifted).to.deep.equal(['unsubscribed']);
  });
  it('stops everything if its origin is unknown', () => expect(legacy({})).to.include({ scope: 'all', via: null, source: 'mailchimp' }));
});
