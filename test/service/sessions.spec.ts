import { expect } from 'chai';
import { EventStream } from '../inbox/event-source.js';
import { eventually } from '../support/eventually.js';
import { PASSWORD, Service } from '../support/service.js';

describe('a session of a browser', () => {
  const service = Service.own({ LOG_LEVEL: 'debug' });
  const body = { email: '', password: PASSWORD };
  let cookie: string;
  /** What a browser sends by itself. */
  const browser = () => ({ 'X-API-Key': '', Cookie: cookie });

  before(async () => {
    body.email = service.account.email;
    const signedIn = await service.api('POST', '/v1/auth/session', body, { 'X-API-Key': '' });
    expect(signedIn.status, signedIn.text).to.equal(200);
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  });

  it('opens streams of events, which browsers ask for without any other header', async () => {
    const { id } = (await service.api('POST', '/v1/contacts', { email: 'ada@example.com' }, { ...browser(), 'X-Requested-With': 'fetch' })).body;
    const stream = await EventStream.open(`${service.url}/v1/inbox/stream?contact_id=${id}`, { headers: { Cookie: cookie } });
    await stream.found('counts');
    stream.close();
  });

  it('opens downloads', async () => {
    const job = await service.api('POST', '/v1/contacts/export', {}, { ...browser(), 'X-Requested-With': 'fetch' });
    expect(job.status, job.text).to.equal(202);
    await eventually('the export', async () => (await service.api('GET', `/v1/jobs/${job.body.id}`)).body.status === 'completed');
    const file = await fetch(`${service.url}/v1/jobs/${job.body.id}/result`, { headers: { Cookie: cookie } });
    expect([file.status, (await file.text()).includes('ada@example.com')]).to.deep.equal([200, true]);
  });

  it('opens nothing of the operator', async () => {
    const refused = await service.api('GET', '/v1/system/projections', undefined, browser());
    expect(refused.status).to.equal(401);
  });

  it('is in no log and in no metric', async () => {
    const [, value = ''] = cookie.split('=');
    const [user = '', secret = ''] = value.split('.');
    await service.api('GET', '/v1/auth/session', undefined, { ...browser(), Cookie: `${cookie}x` });
    await service.api('POST', `/v1/auth/invitations/${secret}`, { password: PASSWORD }, { 'X-API-Key': '' });
    const metrics = (await service.api('GET', '/metrics')).text;
    const logs = JSON.stringify(['debug', 'info', 'warn', 'error'].flatMap((level) => service.logged(level)));
    expect(logs).to.include('/v1/auth/session').and.to.include('/v1/auth/invitations/:token');
    expect(secret).to.have.lengthOf(43);
    for (const text of [secret, user]) expect(`${logs}${metrics}`.includes(text), text).to.equal(false);
  });
});
