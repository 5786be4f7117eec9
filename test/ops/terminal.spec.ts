import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { writeTable } from '../../ops/cli/terminal/output.js';

const HEAD = ['id', 'status', 'done'];
const ROWS = [
  ['job_1', 'completed', 12],
  ['job_2', 'failed: no space', 3],
];

/** A stream says for its terminal, and for NO_COLOR, how many colors there are: `depth` is 1 for none. */
async function tableOn(isTTY: boolean, depth = 4): Promise<string> {
  const out = Object.assign(new PassThrough(), { isTTY, getColorDepth: () => depth });
  await writeTable(out, HEAD, ROWS);
  return String(out.read());
}

describe('a table', () => {
  const plain = 'id     status            done\njob_1  completed           12\njob_2  failed: no space     3\n';

  it('has aligned columns, and no colors where there is no terminal', async () => expect(await tableOn(false)).to.equal(plain));

  it('has its heads bold and its statuses in color on a terminal that has colors, aligned as elsewhere', async () => {
    const forced = process.env.FORCE_COLOR;
    delete process.env.FORCE_COLOR;
    try {
      const colored = await tableOn(true);
      expect(colored).to.include('\u001b[1mid').and.include('\u001b[32mcompleted').and.include('\u001b[31mfailed');
      expect(stripVTControlCharacters(colored)).to.equal(plain);
      expect(await tableOn(true, 1)).to.equal(plain);
    } finally {
      if (forced !== undefined) process.env.FORCE_COLOR = forced;
    }
  });
});
