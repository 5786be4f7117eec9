import { expect } from 'chai';
import fc from 'fast-check';
import { Service } from '../support/service.js';

/** Number of bodies: a few hundred in each run, 20,000 with `FUZZ_BODIES=20000`. */
const BODIES = Number(process.env.FUZZ_BODIES ?? 500);
const MISSING = Symbol('missing');

interface WriteRoute {
  readonly method: string;
  readonly path: string;
  /** A valid body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** By path: values that are invalid regardless of the other fields. */
  readonly faults: Readonly<Record<string, readonly unknown[]>>;
}

const long = (length: number): string => 'x'.repeat(length);
const email = ['ada@', 'two@@example.com', `${long(330)}@example.com`, 5, {}];
const phone = ['+1', 'phone', long(65), 5, []];
const time = ['yesterday', '2026-02-30T00:00:00Z', 5];
const custom = { field: 'unknown_key', value: 1 };

const contactFaults = {
  email,
  phone,
  first_name: ['', long(201), 5, 'a\nb'],
  last_name: [long(201), false],
  locale: ['?', 5],
  timezone: ['Mars/Olympus', long(65), 5],
  [`custom_fields.${custom.field}`]: [custom.value],
  tags: [5, Array(101).fill('a')],
};

const message = { to: '+14155550100', channel: 'sms', message: 'Hello', webhook_url: 'https://example.com/hook' };
const messageFaults = {
  to: ['+1', 'phone', '', long(321), 5, MISSING],
  channel: ['pigeon', '', 5, MISSING],
  message: ['', 5, MISSING],
  webhook_url: ['nowhere', 'ftp://example.com', 5],
  webhook_events: [5, ['message.nope']],
  subject: [long(999), 5],
  send_at: time,
  ttl_seconds: [0, 1.5, 'soon'],
  category: ['spam', 5],
  metadata: [5, Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 1]))],
  tags: [5, Array.from({ length: 21 }, (_, i) => String(i))],
  template_id: ['tpl_none', 5],
};

const consentFaults = {
  channel: ['pigeon', MISSING],
  purpose: ['?', MISSING],
  status: ['maybe', MISSING],
  lawful_basis: ['none'],
  source: [''],
  occurred_at: time,
};
const suppressionFaults = { email, channel: ['pigeon', 5], reason: ['because', 5], source: ['', long(201)], occurred_at: time };

const routes: readonly WriteRoute[] = [
  { method: 'POST', path: '/v1/messages/send', body: message, faults: { ...messageFaults, dry_run: ['yes'] } },
  { method: 'POST', path: '/v1/contacts', body: { email: 'ada@example.com' }, faults: { ...contactFaults, on_conflict: ['fight'] } },
  { method: 'PATCH', path: '/v1/contacts/con_00000000000000000000000000', body: { first_name: 'Ada' }, faults: contactFaults },
  {
    method: 'POST',
    path: '/v1/events',
    body: { contact: { email: 'ada@example.com' }, event: 'seen' },
    faults: {
      'contact.email': email,
      'contact.phone': phone,
      event: ['', long(129), MISSING],
      properties: [5, { text: long(40_000) }],
      occurred_at: time,
      idempotency_key: [''],
    },
  },
  {
    method: 'POST',
    path: '/v1/custom-fields',
    body: { key: 'plan', label: 'Plan', type: 'string' },
    faults: { key: ['Plan', 5, MISSING], label: ['', MISSING], type: ['colour', MISSING], options: [[], ['a', 'a'], 5], unique: ['yes'], pii: [1] },
  },
  { method: 'POST', path: '/v1/account/unsubscribes', body: { email: 'ada@example.com' }, faults: suppressionFaults },
  {
    method: 'POST',
    path: '/v1/account/users',
    body: { email: 'member@example.com', password: 'correct horse battery', role: 'member' },
    faults: { email: [...email, MISSING], password: ['x', 5, MISSING], role: ['king', MISSING], name: ['', 5] },
  },
  {
    method: 'PATCH',
    path: '/v1/account/settings',
    body: { name: 'Acme' },
    faults: {
      name: ['', 5],
      timezone: ['Mars/Olympus', 5],
      quiet_hours: [5, { start: '25:00' }],
      churn_window: ['soon'],
      frequency_caps: [5, [{}]],
      'senders.sms': [5],
      webhook_secret: [5, 'short'],
    },
  },
  {
    method: 'POST',
    path: '/v1/lists',
    body: { name: 'News' },
    faults: { name: ['', 5, MISSING], description: [5, long(2_001)], opt_in: ['triple'] },
  },
  { method: 'POST', path: '/v1/api-keys', body: { name: 'Key' }, faults: { name: ['', long(101), MISSING], scopes: [5, ['all']] } },
  {
    method: 'POST',
    path: '/v1/contacts/con_00000000000000000000000000/consents',
    body: { channel: 'email', purpose: 'marketing', status: 'granted' },
    faults: consentFaults,
  },
  {
    method: 'POST',
    path: '/v1/sandbox/inbound',
    body: { from: '+14155550100', text: 'Stop' },
    faults: { from: [...phone, MISSING], text: [5, MISSING], channel: ['pigeon'], at: time },
  },
  {
    method: 'POST',
    path: '/v1/messages/bulk',
    body: { messages: [message, message], mode: 'atomic', defaults: {} },
    faults: {
      'messages[0].to': ['+1', 5],
      'messages[1].send_at': time,
      'messages[1].webhook_url': ['nowhere'],
      mode: ['half'],
      'defaults.channel': ['pigeon', 5],
    },
  },
];

interface Trial {
  readonly route: WriteRoute;
  readonly faults: readonly (readonly [path: string, value: unknown])[];
}

const trial: fc.Arbitrary<Trial> = fc.constantFrom(...routes).chain((route) =>
  fc
    .subarray(Object.keys(route.faults), { minLength: 2, maxLength: Math.min(5, Object.keys(route.faults).length) })
    .chain((paths) => fc.tuple(...paths.map((path) => fc.constantFrom(...(route.faults[path] ?? [])).map((value) => [path, value] as const))))
    .map((faults) => ({ route, faults })),
);

function bodyOf({ route, faults }: Trial): unknown {
  const body = structuredClone(route.body) as Record<string, unknown>;
  for (const [path, value] of faults) {
    const steps = path.match(/[^.[\]]+/g) ?? [];
    const last = steps.pop() as string;
    let holder = body;
    for (const step of steps) {
      holder[step] ??= {};
      holder = holder[step] as Record<string, unknown>;
    }
    if (value === MISSING) delete holder[last];
    else holder[last] = value;
  }
  return body;
}

/** A problem may be reported at the path of the fault or below it. */
const names = (field: string, path: string): boolean => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

describe('a body with several faults', function () {
  this.timeout(60_000 + BODIES * 100);
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.close());

  it('returns every fault in the answer', async () => {
    await fc.assert(
      fc.asyncProperty(trial, async (one) => {
        const { status, body } = await service.api(one.route.method, one.route.path, bodyOf(one) as object);
        const shown = `${one.route.method} ${one.route.path} ${JSON.stringify(bodyOf(one)).slice(0, 500)} → ${JSON.stringify(body).slice(0, 1_500)}`;
        expect(status, shown).to.equal(422);
        const fields = (body.errors as { field: string }[]).map(({ field }) => field);
        for (const [path] of one.faults) {
          expect(
            fields.some((field) => names(field, path)),
            `${path} is not named: ${shown}`,
          ).to.equal(true);
        }
      }),
      { numRuns: BODIES },
    );
  });

  it('returns unsupported_channel alone and among other problems', async () => {
    const alone = await service.api('POST', '/v1/messages/send', { ...message, channel: 'pigeon' });
    expect([alone.status, alone.body.code]).to.deep.equal([422, 'unsupported_channel']);
    expect(alone.body.allowed).to.include('sms');
    const among = await service.api('POST', '/v1/messages/send', { to: 'x', channel: 'pigeon' });
    expect([among.status, among.body.code]).to.deep.equal([422, 'validation_error']);
    const entries = (among.body.errors as { field: string; code: string; allowed?: string[] }[]).map(({ field, code }) => `${field} ${code}`);
    expect(entries).to.have.members(['message required', 'channel unsupported_channel', 'to invalid_phone']);
    expect(among.body.errors.find((e: { field: string }) => e.field === 'channel').allowed).to.include('sms');
  });
});
