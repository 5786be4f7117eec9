import { expect } from 'chai';
import { booleanOf } from '../../domain/contacts/cells/booleans.js';
import { type CellStyle, dateEvidence, numberEvidence, readCell, type StyleEvidence } from '../../domain/contacts/cells/cell-values.js';
import { type DecimalMark, numberOfText } from '../../domain/contacts/cells/numbers.js';
import { cellOfParts, partsOf } from '../../domain/contacts/cells/parts.js';
import { type DateOrder, dateOrderOf, dayOfText, timeOfText } from '../../domain/contacts/cells/times.js';
import { withFormulaPrefix, withoutFormulaPrefix } from '../../formats/contacts/formula-prefix.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';

const berlin = utcOffsetsOf('Europe/Berlin') ?? expect.fail('no zone');
const utc = () => 0;

describe('a cell', () => {
  it('is true or false as programs write it', () => {
    const table: readonly [boolean | undefined, readonly string[]][] = [
      [true, ['true', 'TRUE', 'True', 'yes', 'Y', '1', 'on', 'ON', ' t ', 'WAHR', 'Oui', 'sí']],
      [false, ['false', 'FALSE', 'No', 'n', '0', 'off', 'F', 'FALSCH', 'non', 'Nie']],
      [undefined, ['', 'maybe', '2', 'yes no', 'constructor', 'ye']],
    ];
    for (const [value, texts] of table) for (const text of texts) expect(booleanOf(text), text).to.equal(value);
  });

  it('has parts, with separators and quotation marks as programs write them', () => {
    const table: readonly [cell: string, usual: readonly string[], semicolon: readonly string[]][] = [
      ['a;b', ['a', 'b'], ['a', 'b']],
      ['a, b', ['a', 'b'], ['a, b']],
      ['a ::: b', ['a', 'b'], ['a ::: b']],
      ['a:::b ::::c', ['a:::b ::::c'], ['a:::b ::::c']],
      ['a :::', ['a'], ['a :::']],
      [';;a; ;b,', ['a', 'b'], ['a', 'b,']],
      ['"a;b","c ""d"""', ['a;b', 'c "d"'], ['a;b', ',"c ""d"""']],
      ['"a" ; b', ['a', 'b'], ['a', 'b']],
      ['5" pipe;"x', ['5" pipe', '"x'], ['5" pipe', '"x']],
      ['"";" "', ['', ' '], ['', ' ']],
    ];
    for (const [cell, usual, semicolon] of table) {
      expect(partsOf(cell), cell).to.deep.equal(usual);
      expect(partsOf(cell, 'semicolon'), `${cell} by semicolons`).to.deep.equal(semicolon);
      expect(partsOf(cellOfParts(usual)), cell).to.deep.equal(usual);
    }
  });

  const AMBIGUOUS = 'ambiguous';
  const numbers: readonly [
    text: string,
    unknown: number | string | undefined,
    point: number | string | undefined,
    comma: number | string | undefined,
  ][] = [
    ['12', 12, 12, 12],
    ['-7', -7, -7, -7],
    ['+7', 7, 7, 7],
    ['\u22127', -7, -7, -7],
    ['007', 7, 7, 7],
    ['12.5', 12.5, 12.5, undefined],
    ['12,5', 12.5, undefined, 12.5],
    ['.5', 0.5, 0.5, undefined],
    ['-,5', -0.5, undefined, -0.5],
    ['0,125', 0.125, undefined, 0.125],
    ['1,234.50', 1234.5, 1234.5, undefined],
    ['1.234,50', 1234.5, undefined, 1234.5],
    ['1 234,50', 1234.5, undefined, 1234.5],
    ['1\u202f234\u202f567', 1234567, 1234567, 1234567],
    ["1'234.50", 1234.5, 1234.5, undefined],
    ['1,234,567', 1234567, 1234567, undefined],
    ['1.234.567', 1234567, undefined, 1234567],
    ['1,234', AMBIGUOUS, 1234, 1.234],
    ['-1.234', AMBIGUOUS, -1.234, -1234],
    ['1234.567', 1234.567, 1234.567, undefined],
    ['1e3', 1000, 1000, 1000],
    ['1.5E-3', 0.0015, 0.0015, undefined],
    ['9007199254740991', 9007199254740991, 9007199254740991, 9007199254740991],
    ['9007199254740992', 'inexact', 'inexact', 'inexact'],
    ['-1234567890123456789', 'inexact', 'inexact', 'inexact'],
    ['1,234,567,890,123,456,789', 'inexact', 'inexact', undefined],
    ['1.23457E+18', 'inexact', 'inexact', undefined],
    ...[
      '',
      'many',
      '0x10',
      '0b1',
      'Infinity',
      'NaN',
      '1_000',
      '12,34,5',
      '1,23.4',
      '1.2.3',
      '12-',
      '1e',
      '.',
      ',',
      '-',
      '1,2345.6',
      '$5',
      '1e999',
    ].map((text) => [text, undefined, undefined, undefined] as const),
  ] as [string, number | string | undefined, number | string | undefined, number | string | undefined][];
  for (const [text, found, point, comma] of numbers) {
    it(`is read as a number where it is one: '${text}'`, () => {
      const marks: readonly (DecimalMark | null)[] = [null, '.', ','];
      expect(marks.map((mark) => numberOfText(text, mark))).to.deep.equal([found, point, comma]);
    });
  }

  const times: readonly [text: string, day: string | undefined, time: string | undefined, order?: DateOrder][] = [
    ['2020-01-01', '2020-01-01', '2019-12-31T23:00:00.000Z'],
    ['2020-07-01', '2020-07-01', '2020-06-30T22:00:00.000Z'],
    ['1990/02/28', '1990-02-28', '1990-02-27T23:00:00.000Z'],
    ['19900228', '1990-02-28', '1990-02-27T23:00:00.000Z'],
    ['2020-01-01 10:00', '2020-01-01', '2020-01-01T09:00:00.000Z'],
    ['2020-01-01 10:00:00', '2020-01-01', '2020-01-01T09:00:00.000Z'],
    ['2020-01-01T10:00:00.5', '2020-01-01', '2020-01-01T09:00:00.500Z'],
    ['2020-01-01T10:00:00Z', '2020-01-01', '2020-01-01T10:00:00.000Z'],
    ['2020-01-01 10:00:00 UTC', '2020-01-01', '2020-01-01T10:00:00.000Z'],
    ['2020-01-01 10:00:00+00', '2020-01-01', '2020-01-01T10:00:00.000Z'],
    ['2020-01-01T23:30:00-05:00', '2020-01-01', '2020-01-02T04:30:00.000Z'],
    ['2020-01-01 10:00:00 +0530', '2020-01-01', '2020-01-01T04:30:00.000Z'],
    ['31.12.1990', '1990-12-31', '1990-12-30T23:00:00.000Z'],
    ['1.2.1990', '1990-02-01', '1990-01-31T23:00:00.000Z'],
    ['31.12.1990 08:05', '1990-12-31', '1990-12-31T07:05:00.000Z'],
    ['12/25/1990', '1990-12-25', '1990-12-24T23:00:00.000Z'],
    ['25/12/1990', '1990-12-25', '1990-12-24T23:00:00.000Z'],
    ['25-12-1990', '1990-12-25', '1990-12-24T23:00:00.000Z'],
    ['05/05/2020', '2020-05-05', '2020-05-04T22:00:00.000Z'],
    ['12/25/1990 1:05 PM', '1990-12-25', '1990-12-25T12:05:00.000Z'],
    ['12/25/1990, 12:00:00 a.m.', '1990-12-25', '1990-12-24T23:00:00.000Z'],
    ['03/04/2020', AMBIGUOUS, AMBIGUOUS],
    ['03/04/2020', '2020-04-03', '2020-04-02T22:00:00.000Z', 'DMY'],
    ['03/04/2020', '2020-03-04', '2020-03-03T23:00:00.000Z', 'MDY'],
    ['03.04.2020', '2020-04-03', '2020-04-02T22:00:00.000Z', 'MDY'],
    ['03.04.2020', '2020-03-04', '2020-03-03T23:00:00.000Z', 'M.D.Y'],
    ['29.02.2020', '2020-02-29', '2020-02-28T23:00:00.000Z', 'MDY'],
    ['29.02.1900', undefined, undefined],
    ['2000-02-29', '2000-02-29', '2000-02-28T23:00:00.000Z'],
    ['2020-04-03', '2020-04-03', '2020-04-02T22:00:00.000Z', 'MDY'],
    ['25/12/1990', undefined, undefined, 'MDY'],
    ['03/04/2020', undefined, undefined, 'YMD'],
    ['1672653600', '2023-01-02', '2023-01-02T10:00:00.000Z'],
    ['1672653600123', '2023-01-02', '2023-01-02T10:00:00.123Z'],
    ['1672614000', '2023-01-02', '2023-01-01T23:00:00.000Z'],
    ['1672531200', '2023-01-01', '2023-01-01T00:00:00.000Z'],
    ['0', '1970-01-01', '1970-01-01T00:00:00.000Z', 'unix'],
    ['-86400', '1969-12-31', '1969-12-31T00:00:00.000Z', 'unix'],
    ['86400000', '1970-01-02', '1970-01-02T00:00:00.000Z', 'unix_ms'],
    // Clocks in Berlin skip 02:30, and later show it twice.
    ['2021-03-28 02:30', '2021-03-28', '2021-03-28T01:30:00.000Z'],
    ['2021-10-31 02:30', '2021-10-31', '2021-10-31T00:30:00.000Z'],
    ['2021-03-28 03:30', '2021-03-28', '2021-03-28T01:30:00.000Z'],
    ...[
      '',
      'yesterday',
      '31.02.2020',
      '2020-13-01',
      '2020-02-30',
      '0000-00-00',
      '0000-00-00 00:00:00',
      '31.12.90',
      '12/25/90',
      '13/13/2020',
      '2020',
      '2020-01',
      '2020-01-01 25:00',
      '2020-01-01 10',
      '2020-01-01x',
      '10:00',
      '1.67265E+09',
      '12345678901',
      '2020-01-01 13:00 pm',
    ].map((text) => [text, undefined, undefined] as [string, undefined, undefined]),
  ];
  for (const [text, day, time, order] of times) {
    it(`is read as a date and a time where it is one: '${text}'${order ? ` as ${order}` : ''}`, () => {
      expect(dayOfText(text, order ?? null, berlin)).to.equal(day);
      expect(timeOfText(text, order ?? null, berlin)).to.equal(time);
    });
  }

  it('has a format of dates that a caller names', () => {
    const named: readonly [string, DateOrder | undefined][] = [
      ['DD.MM.YYYY', 'DMY'],
      ['D/M/YYYY', 'DMY'],
      ['MM/DD/YYYY', 'MDY'],
      ['MM.DD.YYYY', 'M.D.Y'],
      ['mm-dd-yyyy', 'MDY'],
      ['YYYY-MM-DD', 'YMD'],
      ['DD/MM/YYYY HH:mm:ss', 'DMY'],
      ['unix', 'unix'],
      ['DD.MM.YY', undefined],
      ['MM.YYYY', undefined],
      ['DD.DD.YYYY', undefined],
      ['', undefined],
    ];
    for (const [format, order] of named) expect(dateOrderOf(format), format).to.equal(order);
  });

  it('that can be read in two ways is decided by the others of its column', () => {
    const decided = (evidence: StyleEvidence, texts: readonly string[], fallback: DecimalMark | null = null) => {
      for (const text of texts) evidence.add(text);
      return evidence.decide(fallback);
    };
    const numberTable: readonly [readonly string[], object, (DecimalMark | null)?][] = [
      [['1', 'x', '20'], { style: null }],
      [['1,234', '12.5'], { style: '.' }],
      [['1,234', '12,5', '7'], { style: ',' }],
      [['1.234', '1.234,5'], { style: ',' }],
      [['7', '1,234', '2.345'], { ask: '1,234' }],
      [['1,234', '12.5', '12,5'], { ask: '1,234' }],
      [['1,234', '12.5', '12,5'], { style: ',' }, ','],
      [['12.5', '12,5'], { style: null }],
      [['1,234'], { ask: '1,234' }, ','],
    ];
    for (const [texts, expected, fallback] of numberTable)
      expect(decided(numberEvidence(), texts, fallback), texts.join(' ')).to.deep.equal(expected);
    const dateTable: readonly [readonly string[], object][] = [
      [['2020-01-01', '31.12.1990', '5/5/2020'], { style: null }],
      [['03/04/2020', '25/12/1990'], { style: 'DMY' }],
      [['03/04/2020', '12/25/1990 10:00'], { style: 'MDY' }],
      [['03/04/2020', 'x', '05/05/2020'], { ask: '03/04/2020' }],
      [['03/04/2020', '12/25/1990', '25/12/1990'], { ask: '03/04/2020' }],
      [['12/25/1990', '25/12/1990'], { style: null }],
    ];
    for (const [texts, expected] of dateTable) expect(decided(dateEvidence(), texts), texts.join(' ')).to.deep.equal(expected);
  });

  it('that is no value is named with its type and an example, unless it is personal', () => {
    const style: CellStyle = { decimal: null, order: null, offsetAt: utc };
    const messageOf = (text: string, type: Parameters<typeof readCell>[1]['type'], pii = false) => {
      const read = readCell(text, { type, pii }, style);
      return 'message' in read ? `${read.code}: ${read.message}` : expect.fail(JSON.stringify(read));
    };
    expect(messageOf('maybe', 'boolean')).to.equal("invalid_type: Use true or false, not 'maybe'.");
    expect(messageOf('many', 'number')).to.equal("invalid_type: Use a number such as 12.5, not 'many'.");
    expect(messageOf('1234567890123456789', 'number')).to.match(
      /^inexact_number: '1234567890123456789' is beyond 2\^53.*Send it as a text, for example/,
    );
    expect(messageOf('31.2.1990', 'date')).to.equal("invalid_type: Use a date such as 1990-12-31, not '31.2.1990'.");
    expect(messageOf('soon', 'datetime')).to.equal("invalid_type: Use a time such as 2026-01-31T10:30:00Z, not 'soon'.");
    expect(messageOf('{', 'json')).to.contain("not '{'");
    expect(messageOf('{"id":1234567890123456789}', 'json')).to.match(/^inexact_number/);
    expect(messageOf('x'.repeat(100), 'number')).to.contain(`'${'x'.repeat(60)}…'`);
    expect(messageOf('31.2.1990', 'date', true)).to.equal('invalid_type: Use a date such as 1990-12-31, not what the cell has.');
    const secret = '1987654321987654321';
    for (const [text, type] of [
      [secret, 'number'],
      [`{"id":${secret}}`, 'json'],
    ] as const)
      expect(messageOf(text, type, true))
        .to.match(/^inexact_number: .* Send it as a text/)
        .and.not.to.contain('19876543219');
    expect(readCell('"ambiguous"', { type: 'json', pii: false }, style)).to.deep.equal({ value: 'ambiguous' });
    expect(readCell('a; b;', { type: 'string_list', pii: false }, style)).to.deep.equal({ value: ['a', 'b'] });
  });

  it('is what was exported, where an apostrophe kept it from being a formula', () => {
    for (const text of [
      '=1+1',
      '@ada',
      '-Smith',
      '+Smith',
      "'=x",
      "''@x",
      "'tis",
      "'",
      "''",
      '-5',
      '+14155550100',
      "'+14155550100",
      '',
      'plain',
      '\tx',
    ])
      expect(withoutFormulaPrefix(withFormulaPrefix(text)), text).to.equal(text);
    for (const text of ['=1+1', '@ada', '-Smith', "'=x"]) expect(withFormulaPrefix(text)).to.equal(`'${text}`);
    expect(withoutFormulaPrefix("'tis")).to.equal("'tis");
  });
});
