import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { KeyRow, LogEngine } from '../../domain/kernel/ports.js';
import type { LogUnderTest } from './engines.js';
import { newEvents, newStream, ownFolder } from './helpers.js';

const newKey = (subject: string): KeyRow => ({ id: randomUUID(), subject, seed: Uint8Array.from(randomBytes(32)) });
const plain = (row: KeyRow | undefined) => row && { id: row.id, subject: row.subject, seed: Buffer.from(row.seed).toString('hex') };

/** The contract of every key store. */
export function keysContract({ durable, open, clear }: LogUnderTest): void {
  const dir = ownFolder(clear);
  let engine: LogEngine;
  before(async () => {
    engine = await open(dir());
  });
  // Undefined when the engine is skipped.
  after(() => engine?.events.close());

  /** A key is guaranteed to be stored before any later append, so an append makes it visible. */
  const put = async (rows: readonly KeyRow[]): Promise<void> => {
    await engine.keys.put(rows);
    await engine.events.append(newStream(), 'no-stream', newEvents(1));
  };
  const byId = async (...ids: string[]) => (await engine.keys.byId(ids)).map(plain);
  const bySubject = async (...subjects: string[]) => (await engine.keys.bySubject(subjects)).map(plain);

  it('finds keys by id and by subject in the given order, undefined for missing ones', async () => {
    const [a, b] = [newKey(newStream()), newKey(newStream())];
    await put([a, b]);
    expect(await byId(b.id, 'missing', a.id, b.id)).to.deep.equal([plain(b), undefined, plain(a), plain(b)]);
    expect(await bySubject(b.subject, 'missing', a.subject)).to.deep.equal([plain(b), undefined, plain(a)]);
    expect(await byId()).to.deep.equal([]);
    expect(await bySubject()).to.deep.equal([]);
  });

  it('keeps the first seed when a key is put again', async () => {
    const key = newKey(newStream());
    await put([key]);
    await put([{ ...key, seed: randomBytes(32) }]);
    expect(await byId(key.id)).to.deep.equal([plain(key)]);
    expect(await bySubject(key.subject)).to.deep.equal([plain(key)]);
  });

  it('keeps every key of a subject when two were created concurrently', async () => {
    const subject = newStream();
    const keys = [newKey(subject), newKey(subject)];
    await put(keys.slice(0, 1));
    await put(keys.slice(1));
    expect(await byId(...keys.map(({ id }) => id))).to.deep.equal(keys.map(plain));
    const [one] = await bySubject(subject);
    expect(keys.map(({ id }) => id)).to.include(one?.id);
  });

  it('stores a copy of the seed', async () => {
    const key = newKey(newStream());
    const before = plain(key);
    await put([key]);
    key.seed.fill(0);
    expect(await byId(key.id)).to.deep.equal([before]);
  });

  it('writes and reads thousands of keys in one call', async () => {
    const keys = Array.from({ length: 5_000 }, () => newKey(newStream()));
    await put(keys);
    expect(await byId(...keys.map(({ id }) => id))).to.deep.equal(keys.map(plain));
    expect(await bySubject(...keys.map(({ subject }) => subject))).to.deep.equal(keys.map(plain));
  });

  it('destroys every key of a subject, and no other', async () => {
    const [gone, stays] = [newStream(), newStream()];
    const keys = [newKey(gone), newKey(gone), newKey(stays)];
    await put(keys);
    await engine.keys.destroy(gone);
    expect(await byId(...keys.map(({ id }) => id))).to.deep.equal([undefined, undefined, plain(keys[2])]);
    expect(await bySubject(gone, stays)).to.deep.equal([undefined, plain(keys[2])]);
    await engine.keys.destroy(gone);
    await engine.keys.destroy(newStream());
  });

  it('distinguishes destroyed keys from those that it has lost or never had', async () => {
    const [gone, stays] = [newKey(newStream()), newKey(newStream())];
    await put([gone, stays]);
    await engine.keys.destroy(gone.subject);
    const lost = Array.from({ length: 1_500 }, () => randomUUID());
    expect([...(await engine.keys.missing([gone.id, stays.id, ...lost]))]).to.have.members(lost);
    expect([...(await engine.keys.missing([]))]).to.deep.equal([]);
  });

  it('destroys keys that are being put, and accepts new keys of the subject afterward', async () => {
    const subject = newStream();
    const [early, late] = [newKey(subject), newKey(subject)];
    const putting = engine.keys.put([early]);
    const destroying = engine.keys.destroy(subject);
    await Promise.all([putting, destroying]);
    expect(await byId(early.id)).to.deep.equal([undefined]);
    await put([late]);
    expect(await bySubject(subject)).to.deep.equal([plain(late)]);
    expect(await byId(early.id)).to.deep.equal([undefined]);
  });

  it('lists live keys by id, page by page', async () => {
    const keys = Array.from({ length: 25 }, (_, n) => newKey(`listed-${n % 5}-${randomUUID()}`));
    await put(keys);
    const gone = keys.filter((_, n) => n % 5 === 2);
    for (const { subject } of gone) await engine.keys.destroy(subject);
    const listed: KeyRow[] = [];
    // The store also has thousands of keys of previous tests.
    for (let page: readonly KeyRow[] = [], limit = 10; listed.length === 0 || page.length > 0; limit = 1_500) {
      page = await engine.keys.page(listed.at(-1)?.id ?? null, limit);
      expect(page.length).to.be.at.most(limit);
      listed.push(...page);
    }
    const ids = listed.map(({ id }) => id);
    expect(ids).to.deep.equal([...new Set(ids)].sort());
    const ours = new Set(keys.map(({ id }) => id));
    const expected = keys.filter((key) => !gone.includes(key)).sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(listed.filter(({ id }) => ours.has(id)).map(plain)).to.deep.equal(expected.map(plain));
    expect((await engine.keys.page(ids[10] as string, 5)).map(({ id }) => id)).to.deep.equal(ids.slice(11, 16));
  });

  it('lists new and destroyed keys at once', async () => {
    const key = newKey(newStream());
    await put([key]);
    const place = async () => (await engine.keys.page(null, 100_000)).some(({ id }) => id === key.id);
    expect(await place()).to.equal(true);
    await engine.keys.destroy(key.subject);
    expect(await place()).to.equal(false);
  });

  if (durable) {
    it('has its keys after it is reopened, but not destroyed ones', async () => {
      const [kept, gone] = [newKey(newStream()), newKey(newStream())];
      await put([kept, gone]);
      await engine.keys.destroy(gone.subject);
      await engine.events.close();
      engine = await open(dir());
      expect(await byId(kept.id, gone.id)).to.deep.equal([plain(kept), undefined]);
    });

    it('leaves no trace of a destroyed seed in any file', async () => {
      // Many keys in random order, so that pages are split and reused.
      const keys = Array.from({ length: 600 }, (_, n) => newKey(`trace-${n % 60}`));
      for (let n = 0; n < keys.length; n += 100) await put(keys.slice(n, n + 100));
      const doomed = keys.filter(({ subject }) => subject.endsWith('7'));
      const traces = async () => {
        const files = await readdir(dir(), { recursive: true, withFileTypes: true });
        const contents = await Promise.all(files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))));
        return doomed.filter(({ seed }) => contents.some((content) => content.includes(Buffer.from(seed)))).length;
      };
      expect(await traces(), 'seeds before the destruction').to.equal(doomed.length);
      for (const subject of new Set(doomed.map((key) => key.subject))) await engine.keys.destroy(subject);
      expect(await traces()).to.equal(0);
      const others = keys.filter((key) => !doomed.includes(key));
      expect(await byId(...others.map(({ id }) => id))).to.deep.equal(others.map(plain));
    });
  }
}
