import { expect } from 'chai';
import { formBodies } from '../../api/http/body/form-body.js';
import type { FormDefinition, FormField } from '../../domain/forms/definition.js';
import type { Language } from '../../domain/kernel/languages.js';
import { formPageTexts } from '../../formats/forms/page-texts.js';
import { readAnswers } from '../../formats/forms/read-answers.js';

type Written = Language | null;
/** In which language it is written, null by a program to a German form; what; and the value, null where it is refused. */
const numbers: readonly (readonly [Written, string, number | null])[] = [
  ...(['de', 'fr', 'es', 'pl'] as const).flatMap((language): (readonly [Written, string, number | null])[] => [
    [language, '4,5', 4.5],
    [language, '-4,5', -4.5],
    [language, ',5', 0.5],
    [language, '4.5', 4.5],
    [language, '1.234', 1234],
    [language, '1.234,5', 1234.5],
    [language, '1 234,5', 1234.5],
    [language, '1\u202f234\u202f567,25', 1_234_567.25],
    [language, '12.34', 12.34],
    [language, '1,234.5', null],
    [language, '4,5,6', null],
    [language, '4,5 €', null],
    [language, '1e3', 1000],
  ]),
  ['de', '\u22124,5', -4.5],
  ['en', '4.5', 4.5],
  ['en', '1,234.5', 1234.5],
  ['en', '1,234', 1234],
  ['en', '4,5', null],
  ['en', '1.234,5', null],
  [null, '4.5', 4.5],
  [null, '1.234', 1.234],
  [null, '4,5', 4.5],
  [null, '1.234,5', 1234.5],
  [null, '0x10', null],
  [null, '9007199254740993', null],
  ['de', '9.007.199.254.740.993', null],
];
const dates: readonly (readonly [Written, string, string | null])[] = [
  ...(['de', 'fr', 'es', 'pl'] as const).flatMap((language): (readonly [Written, string, string | null])[] => [
    [language, '31.1.2026', '2026-01-31'],
    [language, '31/01/2026', '2026-01-31'],
    [language, '03/04/2026', '2026-04-03'],
    [language, '3-4-2026', '2026-04-03'],
    [language, '31. 1. 2026', '2026-01-31'],
    [language, '2026-01-31', '2026-01-31'],
    [language, '01/31/2026', null],
    [language, '30.02.2026', null],
    [language, '31.1.26', null],
  ]),
  ['en', '2026-01-31', '2026-01-31'],
  ['en', '31/01/2026', '2026-01-31'],
  ['en', '01/31/2026', '2026-01-31'],
  ['en', '03/04/2026', null],
  ['en', '04/04/2026', '2026-04-04'],
  [null, '2026-01-31', '2026-01-31'],
  [null, '31.01.2026', '2026-01-31'],
  [null, '1769817600', null],
  [null, '20260131', null],
  [null, '2026-01-31T10:00:00Z', null],
  [null, 'tomorrow', null],
];

describe('what people write into a form', () => {
  function answer(type: FormField['type'], written: Written, text: string) {
    const field = { key: 'x', type, label: 'X', help: null, required: false, maps_to: null, options: null, value: null };
    const form = { fields: [field], consent: null } as unknown as FormDefinition;
    const { values, problems } = readAnswers(form, { x: text }, false, { texts: written ?? 'en', written, own: written ?? 'de' });
    return problems.length > 0 ? null : (values.x as number | string);
  }
  for (const [written, text, value] of numbers)
    it(`as a number in ${written ?? 'a program'}: ${text} is ${value}`, () => expect(answer('number', written, text)).to.equal(value));
  for (const [written, text, value] of dates)
    it(`as a date in ${written ?? 'a program'}: ${text} is ${value}`, () => expect(answer('date', written, text)).to.equal(value));

  it('is asked for with examples that are taken', () => {
    for (const [language, { problems }] of Object.entries(formPageTexts) as [Language, (typeof formPageTexts)['en']][]) {
      const exampleOf = (text: string): string => (/(?:example|Beispiel|exemple|ejemplo|przykład) (\S+)\.$/.exec(text)?.[1] ?? 'none') as string;
      expect(answer('number', language, exampleOf(problems.invalid_number)), language).to.equal(4.5);
      expect(answer('date', language, exampleOf(problems.invalid_date)), language).to.equal('2026-01-31');
      expect(answer('phone', language, exampleOf(problems.invalid_phone)), language).to.be.a('string');
      expect(answer('email', language, exampleOf(problems.invalid_email)), language).to.equal('ada@example.com');
    }
  });
});

describe('the bytes of a form', () => {
  const read = async (type: string, body: Buffer | string) => {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    const [media = ''] = type.split(';');
    return { ...((await formBodies[media]?.(bytes, type, async () => {})) as object) };
  };
  const URLENCODED = 'application/x-www-form-urlencoded';
  /** A body, and its fields. Sources: HTML, form submission; the Encoding standard, windows-1252. */
  const bodies: readonly (readonly [string, Record<string, string | string[]>])[] = [
    ['name=Zo%EB', { name: 'Zoë' }],
    ['name=Zo%C3%AB', { name: 'Zoë' }],
    ['name=Zo\u00eb', { name: 'Zoë' }],
    ['name=Zo\u00c3\u00ab', { name: 'Zoë' }],
    ['price=10+%80', { price: '10 €' }],
    ['a=%93x%94', { a: '“x”' }],
    ['a=%EB&b=%C3%AB', { a: 'ë', b: 'Ã«' }],
    ['%EB=1', { ë: '1' }],
    ['a=1&a=2&b=&c', { a: ['1', '2'], b: '', c: '' }],
    ['a=b=c&&d=100%25+%zz', { a: 'b=c', d: '100% %zz' }],
    ['a=%E2%9C%93', { a: '✓' }],
    ['a=%EF%BB%BFx', { a: '\ufeffx' }],
    ['__proto__=x', JSON.parse('{"__proto__":"x"}')],
    ['', {}],
  ];
  for (const [body, fields] of bodies)
    it(`${body || 'none'} are ${JSON.stringify(fields)}`, async () => expect(await read(URLENCODED, body)).to.deep.equal({ ...fields }));

  const multipart = (...parts: readonly (readonly [head: string, value: string])[]) =>
    [...parts.map(([head, value]) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`), '--x--\r\n'].join('');
  it('of several parts are read alike, and files are left out', async () => {
    const type = 'multipart/form-data; boundary=x';
    expect(await read(type, multipart(['name="name"', 'Zo\u00eb'], ['name="city"', 'Bern']))).to.deep.equal({ name: 'Zoë', city: 'Bern' });
    expect(await read(type, multipart(['name="name"', 'Zo\u00c3\u00ab'], ['name="f"; filename="a.png"', '\u0089PNG\u00ff']))).to.deep.equal({
      name: 'Zoë',
    });
    expect(await read(type, multipart(['name="a"', '1'], ['name="a"', '2']))).to.deep.equal({ a: ['1', '2'] });
  });

  it('without a sense are refused', async () => {
    for (const [type, body] of [
      [URLENCODED, 'a=%00'],
      ['multipart/form-data; boundary=y', multipart(['name="a"', '1'])],
      ['multipart/form-data', 'x'],
    ] as const) {
      let code: unknown;
      try {
        await read(type, body);
      } catch (e) {
        code = (e as { code?: unknown }).code;
      }
      expect(code, type).to.equal('invalid_parameter');
    }
  });
});
