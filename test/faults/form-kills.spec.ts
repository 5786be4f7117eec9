import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const KILLS = process.env.FAULTS === 'long' ? 40 : 4;
const AT_ONCE = 8;

describe('submissions of a form while the service is killed', () => {
  const service = Service.own();
  let id: string;
  /** By the email that was sent: the id of the submission that was answered. */
  const answered = new Map<string, string>();
  let sent = 0;
  before(async () => {
    const fields = [{ key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' }];
    const consent = { text: 'I want offers.', version: '1', channels: ['email'] };
    const made = await service.api('POST', '/v1/forms', { name: 'Kills', slug: 'kills', fields, consent, status: 'live' });
    expect(made.status, made.text).to.equal(201);
    id = made.body.id;
  });

  /** Submits until the service is away. */
  async function submitAll(): Promise<void> {
    for (;;) {
      const email = `kill${++sent}@example.com`;
      const reply = await service
        .ask('POST', `/v1/public/forms/${id}/submit`, { fields: { email }, consent: true }, { 'X-API-Key': '' })
        .catch(() => null);
      if (!reply) return;
      expect(reply.status, reply.text).to.equal(200);
      answered.set(email, reply.body.submission_id);
    }
  }

  it('are there once, each with its consent, if they were answered', async () => {
    for (let n = 0; n < KILLS; n++) {
      const working = Promise.all(Array.from({ length: AT_ONCE }, submitAll));
      const enough = answered.size + 10 + n;
      await eventually('answers', () => answered.size >= enough, { within: 60_000 });
      await service.kill9();
      await working;
      await service.restart();
    }
    await service.caughtUp();
    const stored: { id: string; fields: { email: string }; contact_id: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await service.api('GET', `/v1/forms/${id}/submissions?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      stored.push(...body.data);
      cursor = body.next_cursor;
    }
    const ids = new Map(stored.map((one) => [one.fields.email, one.id]));
    expect(stored, 'one submission for each email').to.have.length(ids.size);
    for (const [email, submission] of answered) expect(ids.get(email), email).to.equal(submission);
    for (const { contact_id } of stored) {
      const { data } = (await service.api('GET', `/v1/contacts/${contact_id}/consents/history`)).body;
      expect(data, contact_id).to.have.length(1);
    }
    console.log(`    ${sent} submissions, ${answered.size} answered, ${stored.length} stored, ${KILLS} kills`);
  });
});
