import { expect } from 'chai';
import fc from 'fast-check';
import { areIndependent, type Fault, isWithin, withFaults } from '../../service/body-faults/schema-faults.js';
import { type Document, operationsWithBody, type WriteRoute, writeRoutes } from '../../service/body-faults/write-routes.js';
import type { Reply } from '../../support/service.js';
import { Service } from '../../support/service.js';

/** Number of bodies. FUZZ_BODIES=20000 for a long run, FUZZ_SEED to repeat one. */
const BODIES = Number(process.env.FUZZ_BODIES ?? 500);
const SEED = process.env.FUZZ_SEED === undefined ? {} : { seed: Number(process.env.FUZZ_SEED) };
const MAX_FAULTS = 5;

interface Trial {
  readonly route: WriteRoute;
  readonly faults: readonly Fault[];
}

/** Two to five faults that are independent of each other. */
const faultsIn = (route: WriteRoute): fc.Arbitrary<Fault[]> => {
  const paths = [...new Set(route.faults.map(({ path }) => path))];
  const faultAt = (path: string) => fc.constantFrom(...route.faults.filter((fault) => fault.path === path));
  return fc
    .tuple(fc.integer({ min: 2, max: MAX_FAULTS }), fc.shuffledSubarray(paths, { minLength: Math.min(paths.length, 12) }))
    .chain(([count, some]) => fc.tuple(fc.constant(count), ...some.map(faultAt)))
    .map(([count, ...candidates]) => {
      const chosen: Fault[] = [];
      for (const fault of candidates) if (chosen.length < count && chosen.every((other) => areIndependent(other, fault))) chosen.push(fault);
      return chosen;
    });
};

const trials = (routes: readonly WriteRoute[]): fc.Arbitrary<Trial> =>
  fc
    .constantFrom(...routes)
    .chain((route) =>
      faultsIn(route).map((faults) => ({ route, faults, [fc.toStringMethod]: () => `${route.operationId} ${faults.map(({ path }) => path)}` })),
    );

interface Problem {
  readonly field: string;
  readonly index?: number;
  readonly row?: number;
}

/** The lists whose items an operation checks one by one, in the order of their indexes. */
const itemLists: Readonly<Record<string, readonly string[]>> = {
  sendMessages: ['messages'],
  recordEvents: ['events'],
  importContacts: ['contacts'],
  importSuppressions: ['entries', 'emails', 'phones'],
};

/** Paths that an answer names. Problems of single items have the index of the item, or its row from 1. */
function namedPaths({ route: { operationId } }: Trial, body: object, { status, body: answer }: Reply): string[] {
  const errors: readonly Problem[] = answer.errors ?? [];
  if (status >= 400) return errors.map(({ field }) => field);
  const items = (itemLists[operationId] ?? []).flatMap((name) =>
    ((body as Record<string, readonly unknown[]>)[name] ?? []).map((_, i) => `${name}[${i}]`),
  );
  return errors.map(({ field, index, row }) => {
    const item = items[index ?? (row ?? 0) - 1];
    return item === undefined ? field : item.startsWith('entries') || !/^(email|phone)s/.test(item) ? `${item}.${field}` : item;
  });
}

describe('a body with several faults', function () {
  this.timeout(60_000 + BODIES * 100);
  const service = Service.own({ SMTP_WEBHOOK_USER: 'mail', SMTP_WEBHOOK_PASSWORD: 'password' });
  let document: Document;
  let routes: WriteRoute[];
  before(async () => {
    document = (await service.api('GET', '/v1/openapi.json')).body;
    routes = await writeRoutes(service, document);
  });

  /** What operations need instead of an API key. */
  const credentials: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    receiveMail: { Authorization: `Basic ${btoa('mail:password')}` },
  };
  const send = ({ operationId, method, path }: WriteRoute, body: object): Promise<Reply> =>
    service.api(method, path, body, credentials[operationId] ?? {});

  it('is tried on every operation of the OpenAPI document that takes a body', () => {
    const documented = operationsWithBody(document).map(([, , { operationId }]) => operationId);
    expect(routes.map(({ operationId }) => operationId)).to.deep.equal(documented);
    const withoutFaults = routes.filter(({ faults }) => faults.length === 0).map(({ operationId }) => operationId);
    expect(withoutFaults, 'operations whose body has no fields').to.deep.equal([]);
  });

  /** What users do with their own sign-in. A key is refused once the body is valid. */
  const OF_USERS: ReadonlySet<string> = new Set(['changePassword', 'confirmSecondFactor', 'turnOffSecondFactor']);

  it('is derived from a body that is valid', async () => {
    for (const route of routes) {
      const { status, text } = await send(route, route.body);
      const shown = `${route.operationId} ${JSON.stringify(route.body)} → ${text.slice(0, 500)}`;
      // A link of a message, another contact and a merge do not exist here.
      expect(status, shown).to.satisfy((s: number) => s < 300 || s === 404 || (s === 403 && OF_USERS.has(route.operationId)));
      expect(/"errors":\[\{/.test(text), shown).to.equal(false);
    }
  });

  it('is answered with every fault at its path', async () => {
    await fc.assert(
      fc.asyncProperty(trials(routes.filter(({ faults }) => faults.length > 0)), async (trial) => {
        const body = withFaults(trial.route.body, trial.faults);
        const reply = await send(trial.route, body);
        const shown = `${trial.route.operationId} ${JSON.stringify(body).slice(0, 800)} → ${reply.status} ${reply.text.slice(0, 1_500)}`;
        const paths = namedPaths(trial, body, reply);
        const unnamed = trial.faults.filter(({ path }) => !paths.some((named) => isWithin(named, path))).map(({ path }) => path);
        expect(unnamed, shown).to.deep.equal([]);
        expect(reply.text, 'a text that does not match its pattern is answered in words').to.not.include('Use a text that matches');
      }),
      { numRuns: BODIES, ...SEED },
    );
  });

  it('keeps the code of an unsupported channel, alone and among others', async () => {
    const message = { to: '+14155550100', channel: 'sms', message: 'Hello' };
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
