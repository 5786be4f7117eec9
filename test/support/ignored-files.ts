import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

/** Fails for a file in a folder that is not ignored by name at the root of the project: whoever pastes there would find it in the check. */
export function expectIgnored(folder: string): void {
  const ignored = new Set(readFileSync('.gitignore', 'utf8').split('\n'));
  expect(readdirSync(folder).filter((name) => !ignored.has(`/${name}`))).to.deep.equal([]);
}
