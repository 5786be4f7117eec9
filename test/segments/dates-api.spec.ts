import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { momentOf } from '../support/moment.js';
import { Service } from '../support/service.js';

/** Between them it is never the same day. */
const AHEAD = 'Pacific/Kiritimati';
const BEHIND = 'Pacific/Pago_Pago';

describe('dates in segments over HTTP', () => {
  const service = Service.guest();
  const dayIn = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(Date.now());
  const date = (op: string, value: string, field = 'starts_on') => ({ type: 'date', field, op, value });

  before(async () => {
    await service.ok('POST', '/custom-fields', { key: 'starts_on', type: 'date', label: 'Start' });
    await service.ok('POST', '/custom-fields', { key: 'born', type: 'date', label: 'Birthday', pii: true });
    await service.ok('POST', '/custom-fields', { key: 'seen_at', type: 'datetime', label: 'Seen' });
    await service.ok('PATCH', '/account/settings', { timezone: AHEAD });
  });

  it('are days of the contact, else of the account, in previews, memberships and explanations, and anew where the zone changes', async () => {
    const today = dayIn(AHEAD);
    const fields = { starts_on: today, born: `1990${today.slice(4)}` };
    const made = async (email: string, timezone?: string): Promise<string> =>
      (await service.ok('POST', '/contacts', { email, custom_fields: fields, ...(timezone && { timezone }) })).id;
    const [ahead, behind, none] = [await made('a@example.com', AHEAD), await made('b@example.com', BEHIND), await made('n@example.com')] as const;
    const preview = async (rules: unknown): Promise<string[]> =>
      (await service.ok('POST', '/segments/preview', { rules })).sample.map(({ id }: { id: string }) => id).sort();
    const begun = date('within_last', 'P1D');
    expect(await preview(begun)).to.deep.equal([ahead, none].sort());
    expect(await preview(date('more_than_from_now', 'PT1S'))).to.deep.equal([behind]);
    expect(await preview(date('within_next', 'P1D')), 'today counts').to.include.members([ahead, none]);
    expect(await preview(date('anniversary_within_next', 'PT1S', 'born')), 'today counts').to.deep.equal([ahead, none].sort());
    const { id } = await service.ok('POST', '/segments', { name: 'Begun', rules: begun });
    const birthdays = await service.ok('POST', '/segments', { name: 'Birthdays', rules: date('anniversary_within_next', 'PT1S', 'born') });
    const members = async (segment: string): Promise<string[]> =>
      (await service.ok('GET', `/segments/${segment}/contacts`)).data.map((one: { id: string }) => one.id).sort();
    const live = async (segment: string) => expect((await service.ok('GET', `/segments/${segment}`)).status).to.equal('live');
    await eventually('the segment is live', () => live(id));
    await eventually('the segment is live', () => live(birthdays.id));
    for (const segment of [id, birthdays.id]) expect(await members(segment)).to.deep.equal([ahead, none].sort());
    const explained = async (contact: string, as_of = '') =>
      (await service.ok('GET', `/segments/${id}/explain?contact_id=${contact}${as_of}`)).is_member;
    expect([await explained(ahead), await explained(behind), await explained(none)]).to.deep.equal([true, false, true]);
    const before = await momentOf(service);
    await service.ok('PATCH', '/account/settings', { timezone: BEHIND });
    await eventually('the members are those of the zone', async () => expect(await members(id)).to.deep.equal([ahead]));
    await eventually('the members are those of the zone', async () =>
      expect(await members(birthdays.id), 'by a personal date').to.deep.equal([ahead]),
    );
    const history = await service.ok('GET', `/segments/${id}/history?contact_id=${none}`);
    expect(history.data.map(({ change, cause }: { change: string; cause: string }) => [change, cause]).sort()).to.deep.equal([
      ['entered', 'rule_change'],
      ['left', 'rule_change'],
    ]);
    expect([await explained(none), await explained(none, `&as_of=${before}`)]).to.deep.equal([false, true]);
    await service.ok('PATCH', `/contacts/${none}`, { timezone: AHEAD });
    await eventually('the members are those of the zone', async () => expect(await members(id)).to.deep.equal([ahead, none].sort()));
    await service.ok('PATCH', '/account/settings', { timezone: AHEAD });
  });

  it('without a zone are those of the account in fields and rules, and no day that does not exist is taken', async () => {
    await service.ok('PATCH', '/account/settings', { timezone: 'Europe/Berlin' });
    const seen = async (seen_at: unknown) => service.call('POST', '/contacts', { email: 'seen@example.com', custom_fields: { seen_at } });
    const stored = async (seen_at: unknown) => (await seen(seen_at)).body.custom_fields.seen_at;
    expect(await stored('2026-03-28 09:00:00')).to.equal('2026-03-28T08:00:00.000Z');
    expect(await stored('2026-03-29T09:00')).to.equal('2026-03-29T07:00:00.000Z');
    expect(await stored('2026-03-29')).to.equal('2026-03-28T23:00:00.000Z');
    expect(await stored(1_774_767_600)).to.equal('2026-03-29T07:00:00.000Z');
    expect(await stored(1_774_767_600_000)).to.equal('2026-03-29T07:00:00.000Z');
    for (const wrong of ['2026-02-30', '2026-02-30T10:00:00Z', '29.03.2026', 'tomorrow', true, 7])
      expect((await seen(wrong)).status, JSON.stringify(wrong)).to.equal(422);
    const made = await service.ok('POST', '/segments', { name: 'Seen', rules: date('after', '2026-03-29T09:00', 'seen_at') });
    expect(made.rules.value).to.equal('2026-03-29T07:00:00.000Z');
    const on = await service.ok('POST', '/segments', { name: 'Seen on', rules: date('before', '2026-03-30', 'seen_at') });
    expect([on.rules.value, on.description]).to.deep.equal(['2026-03-30', 'have a Seen before 2026-03-30']);
    for (const wrong of ['2026-02-30', '2026-02-30T10:00:00', '2026-02-30T10:00:00Z', 'soon']) {
      const { status, body } = await service.call('POST', '/segments', { name: 'x', rules: date('after', wrong, 'seen_at') });
      expect([status, body.errors?.[0]?.field, body.errors?.[0]?.code], wrong).to.deep.equal([422, 'rules.value', 'invalid_time']);
    }
    const journey = {
      name: 'Dated',
      nodes: [
        { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'b' },
        {
          id: 'b',
          kind: 'branch',
          mode: 'rule',
          branches: [{ id: 'late', rule: date('after', '2026-03-29T09:00', 'seen_at'), next: null }],
          else: null,
        },
      ],
    };
    const drafted = await service.ok('POST', '/journeys', journey);
    const shown = await service.ok('GET', `/journeys/${drafted.id}`);
    expect(JSON.stringify(shown)).to.contain('"value":"2026-03-29T07:00:00.000Z"');
  });
});
