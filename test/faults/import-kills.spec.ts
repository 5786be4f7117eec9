import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { between, chosenSeed, seeded } from './random.js';

const ROWS = Number(process.env.FAULTS_IMPORT_ROWS ?? 20_000);
const KILLS = 5;
/** One row in a hundred is wrong, one in fifty names somebody further above by another address too. */
const BAD = 100;
const TWICE = 50;
const WITHIN = 1_200_000;

function csv(): string {
  const lines = ['email,phone,first_name,tags'];
  for (let n = 0; n < ROWS; n++) {
    const phone = `+1415${2_000_000 + n}`;
    if (n % BAD === 7) lines.push(`nobody-${n},${phone},First,vip`);
    else if (n % TWICE === 13) lines.push(`person${n - 1}@example.com,${phone},Again${n},vip`);
    else lines.push(`person${n}@example.com,,First${n},vip;new`);
  }
  return lines.join('\n');
}

/** The service as it is, killed as often, over the same file. */
async function imported(kills: number, random: () => number): Promise<{ job: Record<string, unknown>; contacts: unknown[]; progress: number[] }> {
  const service = await Service.start();
  try {
    const form = new FormData();
    form.append('file', new Blob([csv()]), 'contacts.csv');
    const sent = await fetch(`${service.url}/v1/contacts/import`, { method: 'POST', body: form, headers: { 'X-API-Key': service.key } });
    expect(sent.status).to.equal(202);
    const { id } = (await sent.json()) as { id: string };
    const read = async () => (await service.api('GET', `/v1/contacts/imports/${id}`)).body;
    const progress: number[] = [];
    for (let n = 1; n <= kills; n++) {
      // Each time a part of the rest further on, so that every kill meets the import in the middle.
      const goal = (ROWS * n) / (kills + 1);
      await eventually('the import gets on', async () => (await read()).processed >= goal, { within: WITHIN, every: 20 });
      await sleep(between(random, 0, 200));
      await service.kill9();
      await service.restart();
      const { processed, status } = await read();
      if (status !== 'completed') progress.push(processed);
    }
    await eventually('the import is over', async () => (await read()).status === 'completed', { within: WITHIN, every: 200 });
    await service.caughtUp(WITHIN);
    const { id: _, created_at: __, finished_at: ___, ...job } = await read();
    return { job, contacts: await contactsOf(service), progress };
  } finally {
    await service.close();
  }
}

async function contactsOf(service: Service): Promise<unknown[]> {
  const contacts: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await service.api('GET', `/v1/contacts?limit=200${cursor}`);
    for (const { email, phone, first_name, tags, version, merged_ids } of body.data) {
      contacts.push(JSON.stringify({ email, phone, first_name, tags: tags.sort(), version, merged: merged_ids.length }));
    }
    if (!body.has_more) return contacts.sort();
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

describe(`an import of ${ROWS} rows whose server is killed ${KILLS} times`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);

  it('has the result, and the contacts, of one that nobody disturbed', async () => {
    const undisturbed = await imported(0, random);
    const bad = ROWS / BAD;
    const twice = ROWS / TWICE;
    expect(undisturbed.job).to.include({ total: ROWS, processed: ROWS, failed: bad, merged: twice, created: ROWS - bad - twice, unchanged: 0 });
    expect(undisturbed.contacts).to.have.length(ROWS - bad - twice);
    const disturbed = await imported(KILLS, random);
    console.log(`    seed ${seed}: killed with ${disturbed.progress.join(', ')} rows done`);
    expect(disturbed.progress, 'no kill met the import in the middle').to.not.deep.equal([]);
    expect(disturbed.job).to.deep.equal(undisturbed.job);
    expect(disturbed.contacts).to.deep.equal(undisturbed.contacts);
  });
});
