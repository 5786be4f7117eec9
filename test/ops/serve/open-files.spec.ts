import { expect } from 'chai';
import { requireOpenFiles } from '../../../ops/app/serve/open-files.js';

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft}                 4096                 files\n`;

describe('the limit of open files', () => {
  it('is refused at the start where it is too low, in a sentence', () => {
    expect(() => requireOpenFiles(limits('256'))).to.throw(
      'This process may open only 256 files. Raise the limit of open files (ulimit -n) to at least 512',
    );
  });

  it('passes where it is high enough, unlimited or not known', () => {
    for (const text of [limits('512'), limits('unlimited'), '']) requireOpenFiles(text);
    requireOpenFiles();
  });
});
