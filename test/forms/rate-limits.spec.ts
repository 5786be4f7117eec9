import { expect } from 'chai';
import { createForm } from '../../commands/forms/create-form.js';
import { exchange } from '../simulation/world/http.js';
import { applicationInMemory } from '../support/application-in-memory.js';

const LIMIT = 120;

describe('submissions of a form from one address', () => {
  it('are at most 120 in a minute; the next one is refused until the minute is over', async () => {
    const { clock, dispatcher, server, cause } = await applicationInMemory('limits');
    const email = { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' } as const;
    const made = await dispatcher.execute(createForm, { name: 'News', slug: 'news', fields: [email], status: 'live' }, cause());
    const path = `/v1/public/forms/${made.output.id}/submit`;
    let nth = 0;
    const submit = (from: string) =>
      exchange(server, { method: 'POST', path, headers: {}, body: { fields: { email: `person${++nth}@example.com` } }, from }, new Set());
    for (let n = 0; n < LIMIT; n++) expect((await submit('198.51.100.1')).status, `submission ${n + 1}`).to.equal(200);
    clock.advance(20_000);
    const refused = await submit('198.51.100.1');
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).to.deep.equal([429, 'rate_limit_exceeded', '40']);
    expect((await submit('198.51.100.2')).status, 'from another address').to.equal(200);
    clock.advance(40_000);
    expect((await submit('198.51.100.1')).status, 'a minute later').to.equal(200);
  });
});
