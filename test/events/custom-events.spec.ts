import { expect } from 'chai';
import { defineCustomField } from '../../commands/contacts/define-custom-field.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import type { EventInput } from '../../commands/events/parse-event.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { recordEvents } from '../../commands/events/record-events.js';
import { customEventStream } from '../../domain/events/custom-event.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { type CustomEventDoc, customEvents } from '../../projections/events/projection.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

const NOW = '2026-01-15T10:00:00.000Z';
const purchase: EventInput = { contact: { email: 'ada@example.com' }, event: 'purchase', properties: { value: 3 } };
const keyed = (key: string, fingerprint = key) => ({ key, fingerprint });

/** An event store that fails after a number of appends. */
function crashAfter(events: EventStore, appends: number): EventStore {
  let left = appends;
  return withAppend(events, async (...given) => {
    if (left-- <= 0) throw new Error('killed');
    return events.append(...given);
  });
}

describe('custom events', () => {
  let app: TestApp;
  beforeEach(() => {
    app = new TestApp();
  });

  const record = (input: EventInput, cause = {}) => app.execute(recordEvent, input, cause).then(({ output }) => output);
  const batch = (inputs: readonly EventInput[], cause = {}, over: Pick<TestApp, 'execute'> = app) =>
    over
      .execute(recordEvents, { received: inputs.length, items: inputs.map((input, index) => ({ index, input })), problems: [] }, cause)
      .then(({ output }) => output);
  const refused = async (input: EventInput, cause = {}) => {
    const error = await record(input, cause).catch((e: unknown) => e);
    if (!isDomainError(error)) throw error;
    return { code: error.code, fields: (error.details.errors as { field: string; code: string }[] | undefined)?.map((e) => `${e.field} ${e.code}`) };
  };
  const history = () => app.documents<CustomEventDoc>(customEvents, 'events');
  const made = async (contact: object) => (await app.execute(upsertContact, { contact, source: 'api' })).output.contact_id;

  it('create the contact of an unknown address, and find it afterward', async () => {
    const first = await record(purchase);
    const second = await record(purchase);
    expect(first.contact_created).to.equal(true);
    expect(second).to.include({ contact_created: false, contact_id: first.contact_id });
    expect(second.id).to.not.equal(first.id);
    expect((await app.log.read(`contact-${first.contact_id}`))?.[0]?.event.data).to.include({ source: 'event' });
  });

  it('are sealed with the key of the contact, except for their name', async () => {
    const { id, contact_id } = await record(purchase);
    const [sealed] = (await app.log.readSealed(customEventStream(id))) ?? [];
    expect(sealed?.event.data).to.include({ name: 'purchase', contact_id }).and.not.have.property('properties');
    expect((await app.log.read(customEventStream(id)))?.[0]?.event.data).to.deep.include({ properties: { value: 3 } });
    await app.vault.erase(contact_id);
    expect((await app.log.read(customEventStream(id)))?.[0]?.event.data).to.deep.include({ properties: {} });
  });

  it('take an occurred_at in the future as now', async () => {
    await record({ ...purchase, occurred_at: '2030-01-01T00:00:00Z' });
    await record({ ...purchase, occurred_at: '2020-01-01T01:00:00+01:00' });
    const docs = await history();
    expect(docs.map(({ occurred_at }) => occurred_at).sort()).to.deep.equal(['2020-01-01T00:00:00.000Z', NOW]);
    expect(docs.every(({ accepted_at }) => accepted_at === NOW)).to.equal(true);
  });

  it('refer to their contact by id, phone or unique custom field', async () => {
    await app.execute(defineCustomField, { key: 'external_id', label: 'Id', type: 'number', unique: true });
    await app.execute(defineCustomField, { key: 'plan', label: 'Plan', type: 'string' });
    const ada = await made({ email: 'ada@example.com', phone: '+14155550100', custom_fields: { external_id: 42 } });
    for (const contact of [{ id: ada }, { phone: '+1 415 555 0100' }, { custom_field: { key: 'external_id', value: 42 } }])
      expect(await record({ contact, event: 'seen' })).to.include({ contact_id: ada, contact_created: false });
    expect(await refused({ contact: { custom_field: { key: 'plan', value: 'pro' } }, event: 'seen' })).to.deep.equal({
      code: 'validation_error',
      fields: ['contact.custom_field.key not_unique'],
    });
    expect(await refused({ contact: { email: 'none', custom_field: { key: 'no', value: 1 } }, event: 'seen' })).to.deep.equal({
      code: 'validation_error',
      fields: ['contact.custom_field.key unknown_field', 'contact.email invalid_email'],
    });
    for (const value of [null, 'forty-two']) {
      const { fields } = await refused({ contact: { custom_field: { key: 'external_id', value } }, event: 'seen' });
      expect(fields?.[0]).to.match(/^contact\.custom_field\.value /);
    }
    expect((await refused({ contact: {}, event: 'seen' })).fields).to.deep.equal(['contact required']);
    expect((await refused({ contact: { id: ada, email: 'ada@example.com' }, event: 'seen' })).fields).to.deep.equal(['contact.id ambiguous']);
    expect((await refused({ contact: { id: 'con_none' }, event: 'seen' })).code).to.equal('not_found');
    expect((await refused({ ...purchase, properties: { long: 'ü'.repeat(16_384) } })).fields).to.deep.equal(['properties too_long']);
  });

  it('are recorded for the merged contact that has the address, and return the remaining one', async () => {
    const older = await made({ email: 'ada@example.com' });
    await app.clock.advance(1_000);
    const younger = await made({ phone: '+14155550100' });
    await app.execute(mergeContact, { contact_id: older, source_contact_id: younger });
    const { id, contact_id } = await record({ contact: { phone: '+14155550100' }, event: 'seen' });
    expect(contact_id).to.equal(older);
    expect((await app.log.read(customEventStream(id)))?.[0]?.event.data).to.include({ contact_id: younger });
  });

  it('are recorded once per idempotency key, in single and batch requests', async () => {
    const once = { ...purchase, idempotency_key: 'order-1' };
    const first = await record(once, keyed('K1'));
    expect(await record(once, keyed('K1'))).to.deep.equal(first);
    await app.clock.advance(1_000);
    const again = await batch([once, { ...purchase, idempotency_key: 'order-2' }, once]);
    expect(again.events.map(({ id }) => id === first.id)).to.deep.equal([true, false, true]);
    expect(again.events[0]).to.include({ accepted_at: first.accepted_at });
    const other = await batch([{ ...once, event: 'refund' }, purchase]);
    expect(other.errors.map(({ index, field, code }) => [index, field, code])).to.deep.equal([[0, 'idempotency_key', 'idempotency_key_reused']]);
    const both = await batch([
      { ...purchase, idempotency_key: 'order-3' },
      { ...purchase, event: 'refund', idempotency_key: 'order-3' },
    ]);
    expect([both.accepted, both.errors.map(({ index, code }) => [index, code])]).to.deep.equal([1, [[1, 'idempotency_key_reused']]]);
    expect(await history()).to.have.length(4);
  });

  it('have an outcome per row in a batch', async () => {
    const answer = await batch([
      purchase,
      { contact: { id: 'con_none' }, event: 'seen' },
      { contact: { email: 'none' }, event: 'seen' },
      purchase,
      { contact: { phone: '+14155550100' }, event: 'seen' },
    ]);
    expect(answer).to.include({ received: 5, accepted: 3, rejected: 2 });
    expect(answer.events.map(({ index, contact_created }) => [index, contact_created])).to.deep.equal([
      [0, true],
      [3, false],
      [4, true],
    ]);
    expect(answer.errors.map(({ index, field, code }) => [index, field, code])).to.deep.equal([
      [1, 'contact', 'not_found'],
      [2, 'contact.email', 'invalid_email'],
    ]);
  });

  it('are recorded once when a batch is repeated after a crash at any append', async () => {
    const inputs = [purchase, { contact: { phone: '+14155550100' }, event: 'seen' }, { ...purchase, event: 'other' }];
    for (let appends = 0, killed = true; killed; appends++) {
      app = new TestApp();
      killed = await batch(inputs, keyed('K'), app.nodeOver(crashAfter(app.engine.events, appends))).then(
        () => false,
        () => true,
      );
      const answer = await batch(inputs, keyed('K'));
      expect(answer, `killed at append ${appends}`).to.include({ accepted: 3, rejected: 0 });
      const ids = (await history()).map(({ id }) => id).sort();
      expect(ids).to.deep.equal(answer.events.map(({ id }) => id).sort());
    }
  });

  it('belong to one account', async () => {
    const ada = await made({ email: 'ada@example.com' });
    expect((await refused({ contact: { id: ada }, event: 'seen' }, { account: 'acc_OTHER' })).code).to.equal('not_found');
    await record(purchase);
    expect((await history()).map(({ account }) => account)).to.deep.equal([ACCOUNT]);
  });
});
