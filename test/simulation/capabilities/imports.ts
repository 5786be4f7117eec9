import type { Capability, Final } from '../capability.js';
import { ask, bodyOf, EMAILS, nameOf, PHONES, pickOrNull, succeeded } from '../recipients.js';
import type { Random } from '../world/random.js';
import { knownLists } from './segments.js';

const IMPORT = /^\/v1\/contacts\/import$/;
const REVERT = /^\/v1\/contacts\/imports\/\w+\/revert$/;

interface ImportAnswer {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly processed: number;
  readonly created: number;
  readonly merged: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** Imports contacts and reverts that. What a request did not finish, a process does. */
export const imports: Capability = {
  name: 'imports',
  begin(run) {
    const random = run.world.random('imports');
    let nth = 0;
    return {
      actions: [
        {
          name: 'import contacts',
          weight: 0.8,
          act: async () => {
            const contacts = Array.from({ length: random.integer(1, 12) }, (_, i) => row(random, ++nth * 100 + i));
            const consent = random.chance(0.3) && { consent: { channel: 'email', purpose: 'marketing', status: 'granted' } };
            const how = random.chance(0.3) && { fields_mode: 'fill_empty' };
            const list = random.chance(0.3) ? pickOrNull(random, knownLists(run)) : null;
            const proof = random.chance(0.4) && { confirmed: true, proof: { text: nameOf(run) } };
            const onto = list !== null && { list_ids: [list], ...proof };
            const body = { contacts, ...consent, ...how, ...onto, ...(random.chance(0.2) && { start_journeys: true }) };
            await run.caller.send('POST', '/v1/contacts/import', body, `import-${nth}`);
          },
        },
        {
          name: 'import without writing',
          weight: 0.2,
          act: async () => {
            const contacts = Array.from({ length: 5 }, (_, i) => row(random, ++nth * 100 + i));
            await run.caller.send('POST', '/v1/contacts/import', { contacts, dry_run: true }, `import-${nth}`);
          },
        },
        {
          name: 'revert an import',
          weight: 0.3,
          act: async () => {
            const made = pickOrNull(random, importsOf({ run } as Final));
            if (made) await run.caller.send('POST', `/v1/contacts/imports/${made.id}/revert`, {}, `revert-${++nth}`);
          },
        },
      ],
      check: async (final) => [...everyJobEnds(final), ...(await countsAgree(final))],
    };
  },
};

function row(random: Random, nth: number): object {
  if (random.chance(0.05)) return { email: 'no address' };
  const email = random.chance(0.4) ? random.pick(EMAILS) : `import${nth}@example.com`;
  return { email, last_name: `Row ${nth}`, ...(random.chance(0.3) && { phone: random.pick(PHONES) }) };
}

const importsOf = ({ run }: Final): readonly ImportAnswer[] =>
  succeeded(run, 'POST', IMPORT)
    .map((exchange) => bodyOf(exchange) as ImportAnswer)
    .filter(({ id }) => id !== null);

function everyJobEnds({ events }: Final): string[] {
  const named = (type: string) => new Set(events.flatMap(({ event }) => (event.type === type ? [(event.data as { job_id: string }).job_id] : [])));
  const finished = named('JobFinished');
  return [...named('JobAccepted')].filter((id) => !finished.has(id)).map((id) => `the job ${id} was accepted and does not end`);
}

/** Each row counts once, the answer stays true, and what was to be reverted is. */
async function countsAgree(final: Final): Promise<string[]> {
  const { run } = final;
  const reverted = new Set(succeeded(run, 'POST', REVERT).map((exchange) => bodyOf(exchange).id as string));
  const problems: string[] = [];
  for (const answered of importsOf(final)) {
    const { status, body } = await ask(run, `/v1/contacts/imports/${answered.id}`);
    const shown = body as ImportAnswer;
    const { created, merged, unchanged, failed } = shown;
    const counts = `${created} created, ${merged} merged, ${unchanged} unchanged, ${failed} failed of ${shown.total}`;
    const expected = reverted.has(answered.id) ? 'reverted' : 'completed';
    if (status !== 200 || shown.status !== expected) problems.push(`the import ${answered.id} ends as ${shown.status ?? status}, not as ${expected}`);
    else if (created + merged + unchanged + failed !== answered.total || shown.total !== answered.total)
      problems.push(`the import ${answered.id} has ${counts}`);
    else if (created !== answered.created || merged !== answered.merged || failed !== answered.failed)
      problems.push(`the import ${answered.id} was answered ${answered.created} created, ${answered.merged} merged, and shows ${counts}`);
  }
  return problems;
}
