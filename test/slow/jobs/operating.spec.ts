import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('jobs on the command line', function () {
  this.timeout(60_000);
  const service = Service.own();

  const rows = (count: number, at: string) => ({ contacts: Array.from({ length: count }, (_, i) => ({ email: `p${i}@${at}.example` })) });
  const imported = async (count: number, at: string): Promise<string> =>
    (await service.api('POST', '/v1/contacts/import', rows(count, at))).body.id as string;
  const json = async (...args: string[]) => {
    const { stdout, stderr, code } = await service.cli('jobs', ...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };

  it('are listed beside a running service, the newest first, by account, kind and status', async () => {
    const first = await imported(2, 'first');
    const exported = (await service.api('POST', '/v1/contacts/export', {})).body.id as string;
    await eventually('both are listed as completed', async () => (await json('list', '--status', 'completed')).jobs.length === 2);
    const { jobs } = await json('list');
    expect(jobs.map(({ id }: { id: string }) => id)).to.deep.equal([exported, first]);
    expect(jobs[1]).to.deep.equal({ account: jobs[0].account, ...(await service.api('GET', `/v1/jobs/${first}`)).body });
    const ofKind = (await json('list', '--kind', 'contact_import', '--account', jobs[0].account)).jobs;
    expect(ofKind.map(({ id }: { id: string }) => id)).to.deep.equal([first]);
    expect((await json('list', '--account', 'acc_none')).jobs).to.deep.equal([]);
    expect((await service.cli('jobs', 'list')).stdout).to.match(new RegExp(`^id +created at .*\n${exported} .* contact_export  completed`));
  });

  it('are shown as the API shows them, with their account', async () => {
    const id = await imported(3, 'shown');
    const { account, ...shown } = await json('show', id);
    expect(account).to.match(/^acc_/);
    expect(shown).to.deep.equal((await service.api('GET', `/v1/jobs/${id}`)).body);
    expect((await service.cli('jobs', 'show', id)).stdout)
      .to.include('status: completed\n')
      .and.include('done: 3\n');
  });

  it('are canceled while they run', async () => {
    const id = await imported(10_000, 'canceled');
    const { status } = await json('cancel', id);
    expect(status).to.equal('canceling');
    await eventually('it ends', async () => (await json('show', id)).status === 'canceled');
    expect((await json('show', id)).done).to.be.lessThan(10_000);
    expect(await json('cancel', id), 'a repeat changes nothing').to.deep.equal({ id, status: 'canceled' });
    const over = await service.cli('jobs', 'cancel', await imported(1, 'over'));
    expect(over.code, over.stdout).to.equal(1);
  });

  it('are not found under an unknown id, and need a known status', async () => {
    for (const name of ['show', 'cancel']) expect((await service.cli('jobs', name, 'job_unknown')).code, name).to.equal(1);
    expect((await service.cli('jobs', 'list', '--status', 'done')).code).to.equal(2);
  });
});
