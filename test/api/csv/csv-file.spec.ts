import { isUtf8 } from 'node:buffer';
import { expect } from 'chai';
import fc from 'fast-check';
import { openCsv } from '../../../api/http/csv/csv-file.js';

/** The cells of a file, with the header; a row that cannot be read is the code of its error. */
function readAll(bytes: Buffer | string, { encoding = null, delimiter = null }: { encoding?: string | null; delimiter?: string | null } = {}) {
  const file = openCsv(Buffer.from(bytes as string), { encoding, delimiter });
  const rows = [...file.rows()].map(({ cells, problem }) => (problem ? problem.code : cells));
  return { ...file, all: [file.header, ...rows], messages: [...file.rows()].flatMap(({ problem }) => problem?.message ?? []) };
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('a CSV as programs write it', () => {
  const files: readonly [what: string, text: string, all: unknown[]][] = [
    [
      'lines that end with LF',
      'e,n\na,b\nc,d\n',
      [
        ['e', 'n'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'lines that end with CRLF, without the last end',
      'e,n\r\na,b\r\nc,d',
      [
        ['e', 'n'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'lines that end with CR',
      'e,n\ra,b\rc,d\r',
      [
        ['e', 'n'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a first line with CRLF and others with LF',
      'e,n\r\na,b\nc,d\n',
      [
        ['e', 'n'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'blank lines, and lines of blanks',
      'e,n\n\na,b\r\n\r\n  \nc,d\n\n',
      [
        ['e', 'n'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['rows of fewer and of more cells', 'e,n\na\nc,d,f\n', [['e', 'n'], ['a'], ['c', 'd', 'f']]],
    [
      'empty cells',
      'e,n\n,\n"",""\n',
      [
        ['e', 'n'],
        ['', ''],
        ['', ''],
      ],
    ],
    [
      'quotes around delimiters and line ends',
      'e,n\n"a,1","b\r\nc"\nd,f\n',
      [
        ['e', 'n'],
        ['a,1', 'b\r\nc'],
        ['d', 'f'],
      ],
    ],
    [
      'doubled quotes',
      'e,n\n"a ""b""",""""\n',
      [
        ['e', 'n'],
        ['a "b"', '"'],
      ],
    ],
    [
      'quotes inside an unquoted cell',
      'e,n\nx,B "b" B\ny,5" pipe\nz,a"\n',
      [
        ['e', 'n'],
        ['x', 'B "b" B'],
        ['y', '5" pipe'],
        ['z', 'a"'],
      ],
    ],
    [
      'blanks around quotes',
      'e, n \na, "b, c" \n "d"\t,f\n',
      [
        ['e', 'n'],
        ['a', 'b, c'],
        ['d', 'f'],
      ],
    ],
    ['a quote that is not closed', 'e,n\na,"b\nc,d\nf,g\n', [['e', 'n'], 'invalid_quotes', ['c', 'd'], ['f', 'g']]],
    ['a quote that is not closed at the end', 'e,n\na,b\nc,"d', [['e', 'n'], ['a', 'b'], 'invalid_quotes']],
    ['a quote that is not closed before quoted cells', '"e","n"\n"a","b\n"c","d"\n', [['e', 'n'], 'invalid_quotes', ['c', 'd']]],
    [
      'a quote that is not closed before a quote in a cell',
      'e,n\na,"b\nc,5" pipe\nd,f\n',
      [['e', 'n'], 'invalid_quotes', ['c', '5" pipe'], ['d', 'f']],
    ],
    ['text after a quote', 'e,n\na,"b"c\nd,f\n', [['e', 'n'], 'invalid_quotes', ['d', 'f']]],
    ['text after a quote that closes two lines later', 'e,n\na,"b\nx\ny" z\nd,f\n', [['e', 'n'], 'invalid_quotes', ['d', 'f']]],
    ['quotes after backslashes', 'e,n\na,"A\\"B"\nd,f\n', [['e', 'n'], 'invalid_quotes', ['d', 'f']]],
    ['only a header', 'e,n', [['e', 'n']]],
    ['nothing', '', [[]]],
  ];
  for (const [what, text, all] of files) it(`is read with ${what}`, () => expect(readAll(text).all).to.deep.equal(all));

  it('names the line of an error, and counts the rows', () => {
    const { messages } = readAll('e,n\n"a\nb",c\n\nd,"f\ng,h\n');
    expect(messages).to.deep.equal(['Line 5: the quote that opens cell 2 is not closed.']);
    const rows = [...openCsv(Buffer.from('e,n\n"a\nb",c\n\nd,"f\ng,h\n'), { encoding: null, delimiter: null }).rows()];
    expect(rows.map(({ row, problem }) => [row, problem === null])).to.deep.equal([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });

  it('is read in pieces: long files, long rows and rows that are too long', () => {
    const long = 'x'.repeat(100_000);
    const endless = 'y'.repeat(3_000_000);
    const many = Array.from({ length: 20_000 }, (_, i) => [`é${i}@example.com`, 'a, b', '"']);
    const lines = many.map(([a, b]) => `${a},"${b}",""""`);
    const text = ['e,n,m', ...lines, `a,${long},c`, `a,${endless},c`, `a,"${endless}",c`, `a,"${long}${long}",c`, 'd,f,g'].join('\r\n');
    const { all } = readAll(text);
    expect(all.slice(1, 20_001)).to.deep.equal(many);
    expect(all.slice(20_001)).to.deep.equal([['a', long, 'c'], 'too_long', 'too_long', 'too_long', ['d', 'f', 'g']]);
  });

  it('has the delimiter that splits its first rows alike', () => {
    const found = (text: string): string => readAll(text).delimiter;
    expect(found('email,first_name\na@x.test,A\n')).to.equal(',');
    expect(found('email;first_name\na@x.test;A\n')).to.equal(';');
    expect(found('email\tfirst_name\na@x.test\tA\n')).to.equal('\t');
    expect(found('email|first_name\na@x.test|A\n')).to.equal('|');
    expect(found('email')).to.equal(',');
    expect(found('email;"Name, first, last, all"\na@x.test;x\n')).to.equal(';');
    expect(found('email;Name (last, first, second)\na@x.test;Roe\nb@x.test;Poe\n')).to.equal(';');
    expect(found('email;Name, first\na@x.test;Roe, Ann\nb@x.test;Poe, Bob\n')).to.equal(';');
    expect(found('email,tags\na@x.test,a;b;c\nb@x.test,a;b;c\n')).to.equal(',');
    expect(found('email|tags\na@x.test|a,b,c\n')).to.equal('|');
  });

  it('has the delimiter of its line for Excel, which is no row', () => {
    for (const first of ['sep=;\r\n', '"sep=;"\n', 'SEP=;\n']) {
      const { all, delimiter } = readAll(`${first}a,b;n\nc,d;e\n`);
      expect([delimiter, all], first).to.deep.equal([
        ';',
        [
          ['a,b', 'n'],
          ['c,d', 'e'],
        ],
      ]);
    }
    expect(readAll('\ufeffsep=,\na,b;n\n').all).to.deep.equal([['a', 'b;n']]);
    expect(readAll('sep=\t\na\tb\n').all).to.deep.equal([['a', 'b']]);
    expect(readAll('sep=;\na,b;n\n', { delimiter: ',' }).all).to.deep.equal([['a', 'b;n']]);
  });

  describe('has the encoding', () => {
    const text = 'e,Größe\nZoë,名\n';
    const read = [
      ['e', 'Größe'],
      ['Zoë', '名'],
    ];
    it('of its byte order mark', () => {
      for (const [encoding, bytes] of [
        ['utf-8', Buffer.from(`\ufeff${text}`)],
        ['utf-16le', utf16(`\ufeff${text}`)],
        ['utf-16be', utf16(`\ufeff${text}`).swap16()],
      ] as const) {
        const found = readAll(bytes);
        expect([found.encoding, found.all, found.warnings]).to.deep.equal([encoding, read, []]);
        expect(readAll(bytes, { encoding: 'utf-16' }).all).to.deep.equal(read);
      }
      expect(readAll(utf16(`\ufeff${text}`), { encoding: 'shift_jis' }).warnings).to.deep.equal([
        'The file says that it is utf-16le, and was read so.',
      ]);
    });

    it('of its bytes', () => {
      expect(readAll(text)).to.deep.include({ encoding: 'utf-8', all: read, warnings: [] });
      expect(readAll(utf16(text))).to.deep.include({ encoding: 'utf-16le', all: read });
      expect(readAll(utf16(text).swap16())).to.deep.include({ encoding: 'utf-16be', all: read });
      const excel = readAll(Buffer.from('e,Gr\xf6\xdfe\nZo\xeb,\x80 12 \x96 \x93x\x94\n', 'latin1'));
      expect(excel).to.deep.include({
        encoding: 'windows-1252',
        all: [
          ['e', 'Größe'],
          ['Zoë', '€ 12 – “x”'],
        ],
      });
      expect(excel.warnings.join()).to.contain('read as Windows-1252').and.to.contain('CSV UTF-8').and.to.contain('`encoding`');
    });

    it('that the caller names', () => {
      expect(readAll(Buffer.from([0x65, 0x0a, 0x96, 0xbc, 0x0a]), { encoding: 'Shift_JIS' }).all).to.deep.equal([['e'], ['名']]);
      expect(readAll(Buffer.from('e\n\xb3\xf3d\xbc\n', 'latin1'), { encoding: 'iso-8859-2' }).all).to.deep.equal([['e'], ['łódź']]);
      expect(readAll(Buffer.from('e\n\xeb\n', 'latin1'), { encoding: 'utf-8' }).all).to.deep.equal([['e'], 'invalid_encoding']);
    });

    it('UTF-8 where it has more characters of it than wrong bytes, as a decoder counts them', () => {
      const letter = fc.constantFrom(...['a', 'é', '€', '😀', '\ud7ff', '\u0800'].map((text) => [...Buffer.from(text)]));
      const byte = fc.constantFrom(0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc3, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xf5, 0xff).map((one) => [one]);
      fc.assert(
        fc.property(fc.array(fc.oneof(letter, byte), { minLength: 1, maxLength: 12 }), (pieces) => {
          const bytes = Buffer.from(pieces.flat());
          const beyond = [...new TextDecoder().decode(bytes)].filter((one) => one > '\x7f');
          const wrong = beyond.filter((one) => one === '\ufffd').length;
          expect(openCsv(bytes, { encoding: null, delimiter: null }).encoding).to.equal(
            isUtf8(bytes) || beyond.length > 2 * wrong ? 'utf-8' : 'windows-1252',
          );
        }),
        { numRuns: 5_000 },
      );
    });

    it('UTF-8 where most of it is: only the rows with other bytes are errors', () => {
      const broken = Buffer.concat([Buffer.from('e,n\nZoë,Größe\n'), Buffer.from('a,\xeb\n', 'latin1'), Buffer.from('b,ß\n')]);
      const { all, encoding, messages } = readAll(broken);
      expect([encoding, all]).to.deep.equal(['utf-8', [['e', 'n'], ['Zoë', 'Größe'], 'invalid_encoding', ['b', 'ß']]]);
      expect(messages).to.deep.equal(['Line 3 has bytes that are not utf-8. Save the file as "CSV UTF-8".']);
    });
  });
});
