import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

/** Submissions of the fuzzing; FORMS_FUZZ=20000 for a long one. */
const RUNS = Number(process.env.FORMS_FUZZ ?? 60);
const EVIL = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; alert(1) //",
  '=cmd|"/C calc"!A0',
  '{{7*7}}',
  '</textarea><script>',
  '\u2028',
  '\u0000',
  '\ud800',
];

describe('anything that is sent to a form', () => {
  const service = Service.guest();
  let id: string;
  before(async () => {
    await service.api('POST', '/v1/custom-fields', { key: 'plan', label: 'Plan', type: 'string' });
    const fields = [
      { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' },
      { key: 'name', type: 'text', label: 'Name', maps_to: 'first_name' },
      { key: 'note', type: 'textarea', label: 'Note', maps_to: 'custom_fields.plan' },
      { key: 'pick', type: 'multi_select', label: 'Pick', options: ['a', 'b'] },
      { key: 'seats', type: 'number', label: 'Seats' },
    ];
    const slug = `fuzz-${service.accountId.slice(-10).toLowerCase()}`;
    const made = await service.api('POST', '/v1/forms', {
      name: 'Fuzz',
      slug,
      fields,
      status: 'live',
      consent: { text: 'Yes', version: '1', channels: ['email'] },
    });
    expect(made.status, made.text).to.equal(201);
    id = made.body.id;
  });

  const words = fc.oneof(fc.constantFrom(...EVIL, 'ada@example.com', 'a', '1', ''), fc.string({ unit: 'binary', maxLength: 40 }));
  const keys = fc.oneof(
    fc.constantFrom('email', 'name', 'note', 'pick', 'seats', 'consent', '_token', '__proto__', 'constructor'),
    fc.string({ maxLength: 10 }),
  );
  const fields = fc.dictionary(keys, fc.oneof(words, fc.array(words, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })), { maxKeys: 6 });
  const body = fc.oneof(
    fc.record(
      { fields, consent: fc.oneof(fc.boolean(), fc.jsonValue({ maxDepth: 1 })), token: words, language: fc.constantFrom('en', 'xx') },
      { requiredKeys: [] },
    ),
    fields.map((given) => ({ fields: { ...given, email: 'fuzz@example.com' } })),
  );
  const pairs = fc.array(fc.tuple(keys, words), { maxLength: 8 });

  /** What is submitted is in the export as data: no cell is a formula, and the file is no page. */
  async function expectHarmlessExport(): Promise<void> {
    const { body: job } = await service.api('POST', `/v1/forms/${id}/submissions/export`, {});
    await eventually('the export', async () => (await service.api('GET', `/v1/jobs/${job.id}`)).body.status === 'completed', { within: 300_000 });
    const { text, headers } = await service.api('GET', `/v1/jobs/${job.id}/result`);
    expect(headers.get('content-type')).to.match(/^text\/csv/);
    expect([headers.get('x-content-type-options'), headers.get('content-disposition')?.split(';')[0]]).to.deep.equal(['nosniff', 'attachment']);
    const [, ...rows] = parse(text) as string[][];
    expect(rows.length).to.be.above(0);
    // A negative number is one.
    const isFormula = (cell: string) => /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?(e[+-]?\d+)?$/.test(cell);
    expect(rows.flat().filter(isFormula)).to.deep.equal([]);
    console.log(`    ${RUNS} submissions were sent, ${rows.length} were accepted`);
  }

  it('is answered without a failure, and never comes back as a script', async () => {
    const path = `/v1/public/forms/${id}/submit`;
    const checkJson = async (sent: unknown) => {
      const { status, text } = await service.ask('POST', path, sent, { 'X-API-Key': '' });
      expect(status, `${JSON.stringify(sent)}: ${text}`).to.be.oneOf([200, 400, 422]);
    };
    const checkPage = async (sent: [string, string][]) => {
      const headers = { 'X-API-Key': '', 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
      const encoded = new URLSearchParams(sent.map(([key, value]): [string, string] => [key.toWellFormed(), value.toWellFormed()])).toString();
      const { status, text } = await service.ask('POST', path, encoded, headers);
      expect(status, JSON.stringify(sent)).to.be.oneOf([200, 400, 422]);
      // The only script of the page is the service's own, and no attribute is left open.
      expect(text.replace('<script src="/f/form.js" defer></script>', '')).to.not.match(/<script|<img/i);
    };
    await fc.assert(
      fc.asyncProperty(body, pairs, async (json, form) => void (await Promise.all([checkJson(json), checkPage(form)]))),
      { numRuns: RUNS / 2 },
    );
    const { data } = (await service.api('GET', `/v1/forms/${id}/submissions`)).body;
    expect(data.length).to.be.above(0);
    await expectHarmlessExport();
  }).timeout(RUNS * 1_000 + 600_000);
});
