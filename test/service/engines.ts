import { enginesUnderTest, skipReason } from '../support/engines.js';
import { TIMEOUT_FACTOR } from '../support/eventually.js';

/** Read first where the specs of the service run over other engines: gives them more time, and leaves all of them out where one cannot be had. */
const { log, views } = enginesUnderTest;

export async function mochaGlobalSetup(): Promise<void> {
  const reason = await skipReason(enginesUnderTest);
  console.warn(`      the service over log=${log}, views=${views}${reason === null ? '' : ` is left out: ${reason}`}`);
}

export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    if (await skipReason(enginesUnderTest)) this.skip();
  },
  beforeEach(this: Mocha.Context): void {
    this.currentTest?.timeout(this.currentTest.timeout() * TIMEOUT_FACTOR);
  },
};
