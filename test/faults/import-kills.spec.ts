import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const ROWS = sizeOf('FAULTS_IMPORT_ROWS');
const KILLS = sizeOf('FAULTS_IMPORT_KILLS');
/** One row in a hundred is invalid, one in fifty repeats the contact of an earlier row with a second address. */
const INVALID = 100;
const REPEATED = 50;
const WITHIN = 1_200_000;

function csv(): string {
  const lines = ['email,phone,first_name,tags'];
  for (let n = 0; n < ROWS; n++) {
    const phone = `+1415${2_000_000 + n}`;
    if (n % INVALID === 7) lines.push(`nobody-${n},,First,vip`);
    else if (n % REPEATED === 13) lines.push(`person${n - 1}@example.com,${phone},Again${n},vip`);
    else lines.push(`person${n}@example.com,,First${n},vip;new`);
  }
  return lines.join('\n');
}

/** Imports the file with so many kills, and returns the final job and contacts, and the rows processed at each kill. */
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
      // Kills are spread evenly over the rows, so that each one interrupts the import.
      const goal = (ROWS * n) / (kills + 1);
      await eventually('the import progresses', async () => (await read()).processed >= goal, { within: WITHIN, every: 20 });
      await sleep(between(random, 0, 200));
      await service.kill9();
      await service.restart();
      const { processed, status } = await read();
      if (status !== 'completed') progress.push(processed);
    }
    await eventually('the import is completed', async () => (await read()).status === 'completed', { within: WITHIN, every: 200 });
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

  it('has the same result and contacts as an undisturbed import', async () => {
    const undisturbed = await imported(0, random);
    const invalid = ROWS / INVALID;
    const repeated = ROWS / REPEATED;
    expect(undisturbed.job).to.include({
      total: ROWS,
      processed: ROWS,
      failed: invalid,
      merged: repeated,
      created: ROWS - invalid - repeated,
      unchanged: 0,
    });
    expect(undisturbed.contacts).to.have.length(ROWS - invalid - repeated);
    const disturbed = await imported(KILLS, random);
    console.log(`    seed ${seed}: killed with ${disturbed.progress.join(', ')} rows done`);
    expect(disturbed.progress, 'no kill interrupted the import').to.not.deep.equal([]);
    expect(disturbed.job).to.deep.equal(undisturbed.job);
    expect(disturbed.contacts).to.deep.equal(undisturbed.contacts);
  });
});
