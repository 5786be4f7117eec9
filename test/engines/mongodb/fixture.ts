import { randomUUID } from 'node:crypto';
import { type MongoEngine, openMongoViews } from '../../../engines/mongodb/index.js';
import { dropDatabase, mongoSkipReason, mongoUrl } from '../../support/mongodb.js';
import { MongoProxy } from '../../support/mongodb-proxy.js';

/** Time limit of a test with a slow server, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** A database per test with any number of engines, all removed afterward. */
export class MongoFixture {
  #database = '';
  readonly #closers: (() => Promise<unknown>)[] = [];

  /** To be called in a describe. Without a server its tests are skipped with a warning. */
  static use(suite: Mocha.Suite): MongoFixture {
    const fixture = new MongoFixture();
    suite.timeout(TIMEOUT_MS);
    before(async function () {
      const reason = await mongoSkipReason();
      if (!reason) return;
      console.warn(`      skipped: ${suite.title}: ${reason}`);
      this.skip();
    });
    beforeEach(() => {
      fixture.#database = `heliograph-test-${randomUUID().slice(0, 13)}`;
    });
    afterEach(async () => {
      await Promise.all(fixture.#closers.splice(0).map((end) => end()));
      await dropDatabase(fixture.#database);
    });
    return fixture;
  }

  get database(): string {
    return this.#database;
  }

  /** Another engine, as in another process. */
  async engine({ url = mongoUrl(), now }: { url?: string; now?: () => number } = {}): Promise<MongoEngine> {
    const engine = await openMongoViews({ url, database: this.#database, instance: randomUUID(), ...(now && { now }) });
    this.#closers.push(() => engine.close());
    return engine;
  }

  /** An engine whose connections can be broken at an exact step. */
  async engineOverProxy(): Promise<{ engine: MongoEngine; proxy: MongoProxy }> {
    const proxy = await MongoProxy.start(mongoUrl());
    const engine = await this.engine({ url: proxy.url });
    this.#closers.push(() => proxy.close());
    return { engine, proxy };
  }
}
