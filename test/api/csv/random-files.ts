import fc from 'fast-check';

/** A file as a program may write it. */
export interface RandomFile {
  readonly bytes: Buffer;
  /** Its text as an independent parser gets it, without byte order mark and `sep=` line. */
  readonly text: string;
  readonly delimiter: string;
  /** The row that cannot be read, from 0, or null; and the text without it. */
  readonly faulty: number | null;
  readonly textWithoutFault: string;
}

const LETTERS = ['a', 'B', '7', '-', '@', '.', 'é', 'ß', '€', '’'];
/** What Windows-1252 does not have. */
const WIDE = ['Ж', '名', '😀'];
const MARKS = [',', ';', '\t', '|', '"', "'", ' ', '\u00a0'];
const LINE_ENDS = ['\n', '\r\n'];

const encodings = ['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
type Encoding = (typeof encodings)[number];

interface Cell {
  readonly value: string;
  readonly style: 'plain' | 'quoted' | 'blanks around quotes';
}

function cellText({ value, style }: Cell, delimiter: string): string {
  const needsQuotes = value.includes(delimiter) || /[\r\n]/.test(value) || /^\s*"/.test(value);
  if (style === 'plain' && !needsQuotes) return value;
  const quoted = `"${value.replaceAll('"', '""')}"`;
  return style === 'blanks around quotes' ? `  ${quoted} ` : quoted;
}

function encoded(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-8 with mark':
      return Buffer.from(`\ufeff${text}`);
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'windows-1252':
      // The letters above that are not in Latin-1, and a byte that is never UTF-8, so that the file is recognized.
      return Buffer.from(text.replaceAll('€', '\x80').replaceAll('’', '\x92'), 'latin1');
  }
}

const characters = (encoding: Encoding) =>
  fc.constantFrom(...LETTERS, ...LETTERS, ...MARKS, ...LINE_ENDS, ...(encoding === 'windows-1252' ? [] : WIDE));

const cellOf = (encoding: Encoding): fc.Arbitrary<Cell> =>
  fc.record({
    value: fc.array(characters(encoding), { maxLength: 9 }).map((all) => all.join('')),
    style: fc.constantFrom('plain', 'plain', 'quoted', 'blanks around quotes'),
  });

/** How a row is spoiled, in its last cell. */
const FAULTS = { unclosed: '"not closed', 'text after quotes': '"Ann" Smith', 'backslash before a quote': '"A\\"B"' } as const;

/** Behind a quote that is not closed, a quote that opens would close it if a delimiter or a line end followed. */
const unlikeAQuoteThatCloses = ({ value, style }: Cell): Cell => ({ value: value === '' ? value : `q${value}`, style });

/** Files with a header and some rows of as many cells; in some of them one row is spoiled. */
export const randomFiles: fc.Arbitrary<RandomFile> = fc
  .record({ encoding: fc.constantFrom(...encodings), delimiter: fc.constantFrom(',', ';', '\t', '|'), columns: fc.integer({ min: 2, max: 6 }) })
  .chain(({ encoding, delimiter, columns }) =>
    fc
      .record({
        rows: fc.array(fc.tuple(fc.array(cellOf(encoding), { minLength: columns, maxLength: columns }), fc.constantFrom(...LINE_ENDS)), {
          minLength: 1,
          maxLength: 8,
        }),
        blankLines: fc.boolean(),
        endsWithLine: fc.boolean(),
        separatorLine: fc.boolean(),
        fault: fc.option(fc.record({ kind: fc.constantFrom(...Object.values(FAULTS)), row: fc.nat() }), { freq: 2 }),
      })
      .map(({ rows, blankLines, endsWithLine, separatorLine, fault }) => {
        const header = Array.from({ length: columns }, (_, i) => `Column ${encoding === 'windows-1252' ? 'é' : ''}${i}`).join(delimiter);
        const faulty = fault ? fault.row % rows.length : null;
        const lines = rows.map(([cells, end], i) => {
          const texts = cells.map((cell) => cellText(fault ? unlikeAQuoteThatCloses(cell) : cell, delimiter));
          const spoiled = i === faulty && fault ? [...cells.slice(1).map(({ value }) => value.replace(/[^\p{L}\d]/gu, '')), fault.kind] : texts;
          return `${spoiled.join(delimiter)}${end}${blankLines ? end : ''}`;
        });
        const joined = (some: readonly string[]): string => {
          const whole = `${header}\r\n${some.join('')}`;
          return endsWithLine ? whole : whole.replace(/[\r\n]+$/, '');
        };
        const text = joined(lines);
        return {
          bytes: encoded(`${separatorLine ? `sep=${delimiter}\r\n` : ''}${text}`, encoding),
          text,
          delimiter,
          faulty,
          textWithoutFault: joined(lines.filter((_, i) => i !== faulty)),
        };
      }),
  );
