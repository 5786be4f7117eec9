import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

describe('values of rules over HTTP', () => {
  const service = Service.guest();

  const preview = (rules: unknown) => service.ok('POST', '/segments/preview', { rules });
  const attribute = (field: string, op: string, value?: unknown, more: object = {}) => ({
    type: 'attribute',
    field,
    op,
    ...(value !== undefined && { value }),
    ...more,
  });
  const paid = (op: string, value?: unknown, property = 'total_price') => ({
    type: 'event',
    event: 'order_paid',
    where: [{ property, op, ...(value !== undefined && { value }) }],
  });
  const sum = (op: string, value: number) => ({ type: 'aggregate', event: 'order_paid', property: 'total_price', function: 'sum', op, value });
  const idsOf = async (rules: unknown): Promise<string[]> => (await preview(rules)).sample.map(({ id }: { id: string }) => id).sort();

  let boss = '';
  let other = '';
  before(async () => {
    for (const [key, type, more] of [
      ['tier', 'string', { pii: false }],
      ['nick', 'string', { pii: true }],
      ['sports', 'string_list', { pii: false }],
      ['size', 'string', { pii: false, options: ['small', 'large'] }],
      ['untold', 'string', { pii: false }],
    ] as const)
      await service.ok('POST', '/custom-fields', { key, type, label: key, ...more });
    boss = (
      await service.ok('POST', '/contacts', {
        email: 'Boss@Bücher.test',
        phone: '+14155550123',
        locale: 'de-DE',
        tags: ['VIP'],
        custom_fields: { tier: 'Gold', nick: '', sports: ['Golf', 'Chess'], size: 'small' },
      })
    ).id;
    other = (
      await service.ok('POST', '/contacts', {
        email: 'other@nt.test',
        locale: 'eng',
        timezone: 'Europe/Paris',
        custom_fields: { tier: '', nick: 'Bo' },
      })
    ).id;
    await service.ok('POST', '/events', { contact: { id: boss }, event: 'order_paid', properties: { total_price: '10.00', coupon: 'SUMMER' } });
    await service.ok('POST', '/events', { contact: { id: boss }, event: 'order_paid', properties: { total_price: 5, coupon: '' } });
  });

  it('are normalized as their field is: addresses, domains, languages; an exclusion excludes', async () => {
    const cases: readonly [object, string[]][] = [
      [attribute('email', 'eq', 'BOSS@bücher.test'), [boss]],
      [attribute('email', 'not_in', [' Boss@Bücher.test']), [other]],
      [attribute('email', 'neq', 'Boss@bücher.TEST'), [other]],
      [attribute('email', 'ends_with', '@BÜCHER.test'), [boss]],
      [attribute('email', 'contains', 'NT.Test'), [other]],
      [attribute('phone', 'in', ['001 (415) 555-0123']), [boss]],
      [attribute('phone', 'starts_with', '+1 415'), [boss]],
      [attribute('locale', 'eq', 'DE_de'), [boss]],
      [attribute('locale', 'eq', 'eng'), [other]],
      [attribute('locale', 'in', ['iw', ' deu_de ']), [boss]],
      [attribute('locale', 'neq', 'ENG'), [boss]],
      [attribute('locale', 'not_in', ['ger-DE']), [other]],
      [attribute('locale', 'starts_with', 'DE_'), [boss]],
      [attribute('timezone', 'eq', ' europe/paris'), [other]],
    ];
    for (const [rule, wanted] of cases) expect(await idsOf(rule), JSON.stringify(rule)).to.deep.equal(wanted);
    const { rules } = await service.ok('POST', '/segments', { name: 'x', rules: attribute('phone', 'in', ['001 (415) 555-0123']) });
    expect(rules.value).to.deep.equal(['+14155550123']);
    const languages = await service.ok('POST', '/segments', { name: 'y', rules: attribute('locale', 'in', ['eng', 'iw', 'pt_br', 'english']) });
    expect(languages.rules.value).to.deep.equal(['en', 'he', 'pt-BR', 'english']);
  });

  it('compare without case unless it is asked for, and the sentence says which', async () => {
    for (const rule of [
      attribute('tier', 'eq', 'gold'),
      attribute('tier', 'in', ['x', 'GOLD']),
      attribute('tier', 'starts_with', 'go'),
      attribute('sports', 'in', ['golf']),
      attribute('tags', 'contains', 'vip'),
      paid('eq', 'summer', 'coupon'),
    ])
      expect(await idsOf(rule), JSON.stringify(rule)).to.deep.equal([boss]);
    const exact = { case_sensitive: true };
    for (const [rule, wanted] of [
      [attribute('tier', 'eq', 'gold', exact), []],
      [attribute('tier', 'eq', 'Gold', exact), [boss]],
      [attribute('tier', 'contains', 'gold', exact), []],
      [attribute('sports', 'contains', 'golf', exact), []],
    ] as const)
      expect(await idsOf(rule), JSON.stringify(rule)).to.deep.equal(wanted);
    expect((await preview(attribute('tier', 'eq', 'gold'))).description).to.equal('have a tier that is “gold” (ignoring case)');
    expect((await preview(attribute('tier', 'eq', 'gold', exact))).description).to.equal('have a tier that is “gold” (case-sensitive)');
    expect((await preview(attribute('tier', 'eq', '10'))).description).to.equal('have a tier that is “10”');
  });

  it('are found by an index in whatever case they are, unless a number is asked for', async () => {
    const examined = async (rule: unknown): Promise<number> => (await preview(rule)).examined;
    expect(await examined(attribute('tier', 'eq', 'gOLD'))).to.equal(1);
    expect(await examined(attribute('tier', 'eq', 'Gold', { case_sensitive: true }))).to.equal(1);
    expect(await examined({ type: 'all', rules: [attribute('tier', 'eq', 'gold'), attribute('email', 'exists')] })).to.equal(1);
    expect(await examined(attribute('tier', 'eq', 'silver'))).to.equal(0);
    expect(await examined(attribute('tier', 'eq', 10))).to.equal(2);
    const listed = async (value: string) => (await service.ok('GET', `/contacts?custom_field[tier]=${value}`)).data.length;
    expect([await listed('Gold'), await listed('gold')]).to.deep.equal([1, 0]);
    const { id } = await service.ok('POST', '/segments', { name: 'Gold', rules: attribute('tier', 'eq', 'GOLD') });
    await eventually('the member', async () =>
      expect((await service.ok('GET', `/segments/${id}/contacts`)).data.map((one: { id: string }) => one.id)).to.deep.equal([boss]),
    );
  });

  it('are numbers where texts say so, in conditions, sums and text fields; other texts are refused where an order is asked for', async () => {
    for (const [rule, wanted] of [
      [paid('gte', 10), [boss]],
      [paid('gt', 10), []],
      [paid('eq', 10), [boss]],
      [paid('between', [9, 11]), [boss]],
      [sum('eq', 15), [boss]],
      [attribute('tier', 'gte', 1), []],
    ] as const)
      expect(await idsOf(rule), JSON.stringify(rule)).to.deep.equal(wanted);
    const refused = await service.call('POST', '/segments/preview', {
      rules: { type: 'any', rules: [paid('gt', '5'), paid('lt', 'abc'), attribute('tier', 'gt', 'a'), paid('between', ['5', '7'])] },
    });
    expect([refused.status, ...refused.body.errors.map(({ pointer, message }: Record<string, string>) => `${pointer} ${message}`)]).to.deep.equal([
      422,
      '/rules/0/where/0/value Use the number 5, without quotes.',
      '/rules/1/where/0/value Use a number such as 10, or a time such as 2026-01-31 or 2026-01-31T12:00:00Z.',
      '/rules/2/op A field of type string takes eq, neq, in, not_in, contains, not_contains, starts_with, ends_with, exists, not_exists; with a number also gt, gte, lt, lte, between.',
      '/rules/3/where/0/value/0 Use the number 5, without quotes.',
      '/rules/3/where/0/value/1 Use the number 7, without quotes.',
    ]);
    expect((await service.call('POST', '/segments/preview', { rules: paid('gt', '2026-01-31') })).status).to.equal(200);
  });

  it('are not set where they are an empty text or list', async () => {
    expect(await idsOf(attribute('tier', 'exists'))).to.deep.equal([boss]);
    expect(await idsOf(attribute('nick', 'exists'))).to.deep.equal([other]);
    expect(await idsOf(attribute('tier', 'not_exists'))).to.deep.equal([other]);
    expect(await idsOf({ ...paid('exists', undefined, 'coupon'), count: { op: 'eq', value: 1 } })).to.deep.equal([boss]);
  });

  it('are refused with all problems of the tree, and names that are nearly right are suggested', async () => {
    const refused = await service.call('POST', '/segments/preview', {
      rules: {
        type: 'all',
        rules: [
          attribute('email', 'in', 'ada@example.com'),
          attribute('phone', 'eq', 4155550111),
          attribute('teir', 'eq', 'x'),
          {
            type: 'event',
            event: 'x',
            where: [
              { property: 'a', op: 'like', value: 1 },
              { property: 'b', op: 'gt' },
            ],
            window: { last: 'P1Y' },
          },
          { type: 'list', list_id: 'lst_none' },
        ],
      },
    });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).to.have.members([
      '/rules/0/value invalid_type',
      '/rules/1/value invalid_type',
      '/rules/2/field unknown_reference',
      '/rules/3/where/0/op not_allowed',
      '/rules/3/where/1/value required',
      '/rules/3/window/last invalid_duration',
      '/rules/4/is_member required',
      '/rules/4/list_id unknown_reference',
    ]);
    const { message } = refused.body.errors.find(({ pointer }: { pointer: string }) => pointer === '/rules/2/field');
    expect(message).to.equal('There is no field teir. Do you mean tier?');
  });

  it('that were never recorded are warned of, with the nearest names', async () => {
    const warnings = async (rules: unknown): Promise<string[]> => (await preview(rules)).warnings;
    expect(await warnings({ type: 'event', event: 'oder_paid' })).to.deep.equal([
      'No event `oder_paid` was ever recorded. Do you mean `order_paid`?',
    ]);
    expect(await warnings(paid('gte', 1, 'totl_price'))).to.deep.equal([
      'No event `order_paid` has a property `totl_price`. Do you mean `total_price`?',
    ]);
    expect(await warnings({ ...sum('gt', 1), property: 'total.price' })).to.have.length(1);
    expect(await warnings(attribute('sports', 'contains', 'gofl'))).to.deep.equal([
      'No contact has `gofl` in `custom_fields.sports`. Do you mean `Golf`?',
    ]);
    expect(await warnings(attribute('tags', 'in', ['vipp', 'vip']))).to.deep.equal(['No contact has `vipp` in `tags`. Do you mean `VIP`?']);
    expect(await warnings(attribute('size', 'eq', 'smal'))).to.deep.equal(['No contact has `smal` in `custom_fields.size`. Do you mean `small`?']);
    expect(await warnings(attribute('untold', 'exists'))).to.deep.equal(['No contact has a value of `custom_fields.untold`.']);
    expect(await warnings(attribute('email', 'not_in', ['other@nt.test', 'nobody']))).to.deep.equal([
      'No contact can have `nobody` as `email`. Use an email address, for example ada@example.com.',
    ]);
    expect(await warnings(attribute('phone', 'eq', '4155550111'))).to.deep.equal([
      'No contact can have `4155550111` as `phone`. Use a country prefix, for example +14155550100.',
    ]);
    expect(await warnings(attribute('locale', 'in', ['eng', 'english']))).to.deep.equal([
      "No contact can have `english` as `locale`. 'english' is no language tag. Use a language tag (BCP 47), for example de, en-GB or zh-Hant.",
    ]);
    expect(await warnings(attribute('timezone', 'eq', 'Paris'))).to.deep.equal([
      "No contact can have `Paris` as `timezone`. 'Paris' is no time zone. Use an IANA time zone, for example Europe/Paris.",
    ]);
    for (const right of [
      attribute('locale', 'eq', ' pt_BR '),
      attribute('locale', 'starts_with', 'english'),
      attribute('timezone', 'neq', ' Europe/Paris '),
      paid('gte', 1),
      sum('gt', 1),
      attribute('tier', 'eq', 'gold'),
      attribute('tags', 'contains', 'vip'),
      attribute('size', 'eq', 'LARGE'),
    ])
      expect(await warnings(right), JSON.stringify(right)).to.deep.equal([]);
  });

  it('mean the same in journeys: in the trigger, its filter, and exits', async () => {
    const journey = await service.ok('POST', '/journeys', {
      name: 'Paid',
      nodes: [
        {
          id: 't',
          kind: 'trigger',
          on: {
            type: 'event',
            event: 'order_paid',
            where: [
              { property: 'total_price', op: 'gte', value: 50 },
              { property: 'coupon', op: 'in', value: ['winter'] },
            ],
          },
          filter: {
            type: 'all',
            rules: [attribute('email', 'in', ['BOSS@Bücher.test']), attribute('tier', 'eq', 'gold'), attribute('phone', 'eq', '+1 (415) 555-0123')],
          },
          next: 'd',
        },
        { id: 'd', kind: 'delay', mode: 'duration', duration: 'P1D', next: null },
      ],
      settings: { exit_when: [{ type: 'event', event: 'left', where: [{ property: 'by', op: 'eq', value: 'Person' }] }] },
    });
    const filter = journey.nodes[0].filter.rules;
    expect([filter[0].value, filter[2].value]).to.deep.equal([['boss@xn--bcher-kva.test'], '+14155550123']);
    await service.ok('POST', `/journeys/${journey.id}/publish`, {});
    await service.ok('POST', '/events', { contact: { id: boss }, event: 'order_paid', properties: { total_price: '50.00', coupon: 'WINTER' } });
    await service.ok('POST', '/events', { contact: { id: other }, event: 'order_paid', properties: { total_price: '50.00', coupon: 'WINTER' } });
    const enrolled = async (): Promise<{ contact_id: string; status: string }[]> =>
      (await service.ok('GET', `/journeys/${journey.id}/enrollments`)).data;
    await eventually('the enrollment', async () => expect((await enrolled()).map(({ contact_id }) => contact_id)).to.deep.equal([boss]));
    await service.ok('POST', '/events', { contact: { id: boss }, event: 'left', properties: { by: 'PERSON' } });
    await eventually('the exit', async () => expect((await enrolled()).map(({ status }) => status)).to.deep.equal(['exited']));
  });
});
