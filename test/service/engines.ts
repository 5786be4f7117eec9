import { enginesUnderTest, skipReason } from '../support/engines.js';
import { TIMEOUT_FACTOR } from '../support/eventually.js';

/** Loaded first when the service specs run over other engines: raises time limits, and skips all specs if an engine is unavailable. */
const { log, views } = enginesUnderTest;

export async function mochaGlobalSetup(): Promise<void> {
  const reason = await skipReason(enginesUnderTest);
  console.warn(`      the service over log=${log}, views=${views}${reason === null ? '' : ` is skipped: ${reason}`}`);
}

export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    if (await skipReason(enginesUnderTest)) this.skip();
  },
  beforeEach(this: Mocha.Context): void {
    this.currentTest?.timeout(this.currentTest.timeout() * TIMEOUT_FACTOR);
  },
};
