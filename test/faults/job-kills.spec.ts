import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const ROWS = sizeOf('FAULTS_JOB_ROWS');
const KILLS = sizeOf('FAULTS_JOB_KILLS');
/** One row in a hundred is invalid, one in fifty repeats the contact of an earlier row. */
const INVALID = 100;
const REPEATED = 50;
const WITHIN = 600_000;

function csv(): string {
  const lines = ['email,first_name,tags'];
  for (let n = 0; n < ROWS; n++) {
    if (n % INVALID === 7) lines.push(`nobody-${n},First,vip`);
    else lines.push(`person${n % REPEATED === 13 ? 0 : n}@example.com,First${n},vip;new`);
  }
  return lines.join('\n');
}

describe(`jobs over ${ROWS} rows whose server is killed ${KILLS} times`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const service = Service.own();

  async function upload(options: object): Promise<string> {
    const form = new FormData();
    form.append('options', JSON.stringify(options));
    form.append('file', new Blob([csv()]), 'contacts.csv');
    const sent = await fetch(`${service.url}/v1/contacts/import`, { method: 'POST', body: form, headers: { 'X-API-Key': service.key } });
    expect(sent.status).to.equal(202);
    return ((await sent.json()) as { id: string }).id;
  }
  const read = async (id: string) => (await service.api('GET', `/v1/jobs/${id}`)).body;

  /** Waits for the end of a job. Returns what it has done at each kill that interrupted it. */
  async function ended(id: string, kills: number): Promise<number[]> {
    const progress: number[] = [];
    for (let n = 1; n <= kills; n++) {
      const goal = (ROWS * n) / (kills + 1);
      await eventually('the job progresses', async () => (await read(id)).done >= goal, { within: WITHIN, every: 5 });
      for (let spin = between(random, 0, 20); spin > 0; spin--) await service.api('GET', '/healthz');
      await service.kill9();
      await service.restart();
      const { done, status } = await read(id);
      if (status !== 'completed') progress.push(done);
    }
    await eventually('the job is completed', async () => (await read(id)).status === 'completed', { within: WITHIN, every: 100 });
    return progress;
  }

  async function errorsOf(id: string): Promise<number[]> {
    const rows: number[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.api('GET', `/v1/jobs/${id}/errors?limit=200${cursor}`);
      rows.push(...body.data.map(({ row }: { row: number }) => row));
      if (!body.has_more) return rows;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
  }

  it('a dry run counts each row once', async () => {
    const undisturbed = await upload({ dry_run: true });
    await ended(undisturbed, 0);
    const disturbed = await upload({ dry_run: true });
    const progress = await ended(disturbed, KILLS);
    console.log(`    seed ${seed}: killed with ${progress.join(', ')} rows done`);
    expect(progress, 'no kill interrupted the dry run').to.not.deep.equal([]);
    const expected = await read(undisturbed);
    expect(await read(disturbed)).to.deep.include({ done: ROWS, total: ROWS, errors: ROWS / INVALID, result: expected.result });
    expect(await errorsOf(disturbed)).to.deep.equal(await errorsOf(undisturbed));
  });

  it('an export has each contact once', async () => {
    await ended(await upload({}), 0);
    const begun = await service.api('POST', '/v1/contacts/export', { filter: { tag: 'new' } });
    const id: string = begun.body.id;
    const progress = await ended(id, KILLS);
    console.log(`    seed ${seed}: killed with ${progress.join(', ')} contacts done`);
    expect(progress, 'no kill interrupted the export').to.not.deep.equal([]);
    const contacts = ROWS - ROWS / INVALID - ROWS / REPEATED;
    expect(await read(id)).to.deep.include({ done: contacts, total: contacts, errors: 0 });
    const emails = (await service.api('GET', `/v1/jobs/${id}/result`)).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).email);
    expect(emails).to.have.length(contacts);
    expect(new Set(emails).size).to.equal(contacts);
  });
});
