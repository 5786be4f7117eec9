import { expect } from 'chai';
import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { openCsv } from '../../../api/http/csv/csv-file.js';
import { type RandomFile, randomFiles } from './random-files.js';

/** What csv-parse reads: the cells without blanks around them; null of a text that it refuses. */
function expected(text: string, delimiter: string): string[][] | null {
  try {
    const read: string[][] = parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return read.map((cells) => cells.map((cell) => cell.trim()));
  } catch (e) {
    if (e instanceof CsvError) return null;
    throw e;
  }
}

/** Reads random files, and compares each with what csv-parse reads: the same cells, or an error of the one row that was spoiled. */
export function fuzzCsv(numRuns: number): { readonly files: number; readonly withErrors: number } {
  let withErrors = 0;
  const holds = ({ bytes, text, delimiter, faulty, textWithoutFault }: RandomFile): void => {
    // Files are too short to find the delimiter of all of them: csv-file.spec.ts tries that.
    const file = openCsv(bytes, { encoding: null, delimiter });
    const rows = [...file.rows()];
    const read = [file.header, ...rows.filter(({ problem }) => problem === null).map(({ cells }) => cells)];
    const whole = expected(text, delimiter);
    if (whole) {
      expect(rows.map(({ problem }) => problem)).to.deep.equal(rows.map(() => null));
      expect(read).to.deep.equal(whole);
      return;
    }
    withErrors += 1;
    expect(faulty).not.to.equal(null);
    expect(rows.flatMap(({ row, problem }) => (problem ? [[row, problem.code]] : []))).to.have.lengthOf(1);
    expect(read).to.deep.equal(expected(textWithoutFault, delimiter));
  };
  fc.assert(fc.property(randomFiles, holds), { numRuns });
  return { files: numRuns, withErrors };
}
