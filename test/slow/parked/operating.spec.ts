import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { parkTodoOf } from '../../support/park-work.js';
import { Service } from '../../support/service.js';

describe('parked work of a running service', function () {
  this.timeout(60_000);
  const service = Service.own();

  const operator = () => ({ 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` });
  const parked = async (): Promise<{ id: string; about: string }[]> =>
    (await service.api('GET', '/v1/system/parked', undefined, operator())).body.data;
  const schedule = async (): Promise<string> => {
    const later = new Date(Date.now() + 86_400_000).toISOString();
    return (await service.api('POST', '/v1/messages/send', { to: '+14155550100', channel: 'sms', message: 'Hello', send_at: later })).body.id;
  };
  const statusOf = async (id: string) => {
    const { status, status_reason } = (await service.api('GET', `/v1/messages/${id}`)).body;
    return [status, status_reason].filter(Boolean).join(' ');
  };

  it('is listed by the API, the command line and the metrics, also after a restart, and fails its message where it is dropped', async () => {
    const message = await schedule();
    const id = await parkTodoOf(service, message);
    await eventually('it is listed', async () => (await parked()).some((one) => one.id === id));
    await service.kill9();
    await service.restart();
    await eventually('it is listed again', async () => (await parked()).some(({ about }) => about === message));
    expect((await service.cli('parked', 'list')).stdout)
      .to.include(message)
      .and.include('messages/dispatch');
    expect((await service.api('GET', '/metrics')).text).to.include('heliograph_todos_parked{process="messages/dispatch"} 1');
    expect((await service.cli('parked', 'drop', id)).stdout).to.equal(`${id}  dropped\n`);
    await eventually('the message fails', async () => (await statusOf(message)) === 'failed dropped');
    expect(await parked()).to.deep.equal([]);
    const again = await service.api('POST', `/v1/system/parked/${id}/retry`, undefined, operator());
    expect([again.status, again.body.code]).to.deep.equal([409, 'invalid_state']);
  });

  it('is due at once where it is retried', async () => {
    const message = await schedule();
    const id = await parkTodoOf(service, message);
    await eventually('it is listed', async () => (await parked()).some((one) => one.id === id));
    const reply = await service.api('POST', `/v1/system/parked/${id}/retry`, undefined, operator());
    expect([reply.status, reply.body]).to.deep.equal([202, { id, status: 'retried' }]);
    await eventually('it is no longer listed', async () => (await parked()).length === 0);
  });

  it('is not given up where it is an erasure', async () => {
    const id = await parkTodoOf(service, 'era_1', 'contacts/erase-contacts');
    const reply = await service.api('POST', `/v1/system/parked/${id}/drop`, undefined, operator());
    expect([reply.status, reply.body.code, reply.body.process]).to.deep.equal([409, 'work_required', 'contacts/erase-contacts']);
    expect((await service.cli('parked', 'drop', id)).code).to.equal(1);
    expect((await service.api('POST', `/v1/system/parked/${id}/retry`, undefined, operator())).status).to.equal(202);
  });

  it('is not found under an unknown id, nor shown without the operator’s token', async () => {
    expect((await service.api('POST', '/v1/system/parked/prk_unknown/drop', undefined, operator())).status).to.equal(404);
    expect((await service.api('GET', '/v1/system/parked')).status).to.equal(401);
    expect((await service.cli('parked', 'drop', 'prk_unknown')).code).to.equal(1);
  });
});
