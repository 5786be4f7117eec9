import { expect } from 'chai';
import fc from 'fast-check';
import { catalog } from '../../journeys/definitions.js';
import { randomBroken, randomDefinition } from '../../journeys/random-definitions.js';
import { TIMEOUT_FACTOR } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';

/** `FUZZ_DEFINITIONS=20000` tries more. */
const DEFINITIONS = Number(process.env.FUZZ_DEFINITIONS ?? 200);
/** Requests at a time. */
const AT_ONCE = 8;

/** Of one definition, in milliseconds. */
const LONGEST_MS = 300;

describe(`${DEFINITIONS} random definitions of journeys`, function () {
  this.timeout((60_000 + DEFINITIONS * LONGEST_MS) * TIMEOUT_FACTOR);
  const service = Service.guest();
  /** Ids of the catalog, and of what the account has instead. */
  const known = new Map<string, string>();
  before(async () => {
    for (const [key, type] of catalog.fields) await service.ok('POST', '/custom-fields', { key, type, label: key });
    for (const id of catalog.lists) known.set(id, (await service.ok('POST', '/lists', { name: id })).id);
    for (const id of catalog.segments) known.set(id, (await service.ok('POST', '/segments', { name: id, rules: { type: 'everyone' } })).id);
    for (const [id, channel] of catalog.templates)
      known.set(id, (await service.ok('POST', '/templates', { name: id, channel, ...(channel === 'email' && { subject: 'Hi' }), message: 'Hi' })).id);
    const email = { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' };
    for (const id of catalog.forms)
      known.set(id, (await service.ok('POST', '/forms', { name: id, slug: `fuzz-${Date.now()}`, fields: [email], status: 'live' })).id);
  });

  const body = (definition: unknown): unknown => JSON.parse(JSON.stringify(definition), (_, value: unknown) => known.get(value as string) ?? value);

  async function inTurns(definitions: readonly unknown[], check: (answer: Reply, definition: unknown) => Promise<void>): Promise<void> {
    for (let i = 0; i < definitions.length; i += AT_ONCE)
      await Promise.all(
        definitions.slice(i, i + AT_ONCE).map(async (given) => {
          const definition = body(given);
          await check(await service.api('POST', '/v1/journeys', definition), definition);
        }),
      );
  }

  it('are accepted, published and drawn where they are valid', async () => {
    await inTurns(fc.sample(randomDefinition, Math.ceil(DEFINITIONS / 4)), async ({ status, text, body: made }, definition) => {
      expect(status, `${text}\n${JSON.stringify(definition)}`).to.equal(201);
      expect((await service.api('POST', `/v1/journeys/${made.id}/publish`)).status).to.equal(200);
      expect((await service.api('GET', `/v1/journeys/${made.id}/graph.svg`)).status).to.equal(200);
      expect((await service.api('POST', `/v1/journeys/${made.id}/archive`)).status).to.equal(200);
    });
  });

  it('are accepted or refused with pointers where something is changed in them', async () => {
    const statuses = new Set<number>();
    await inTurns(fc.sample(randomBroken, DEFINITIONS), async ({ status, text, body: answer }, definition) => {
      statuses.add(status);
      expect([201, 422], `${text}\n${JSON.stringify(definition)}`).to.include(status);
      if (status === 201) return;
      expect(answer.errors, text).to.have.length.above(0);
      for (const { code, message, pointer } of answer.errors) {
        expect(code, text).to.match(/^[a-z_]+$/);
        expect(message, text).to.have.length.above(0);
        if (pointer !== undefined) expect(pointer, text).to.match(/^(\/[^/]*)*$/);
      }
    });
    expect([...statuses].sort()).to.deep.equal([201, 422]);
  });
});
