import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyEvent } from '../domain/kernel/event.js';
import type { Position } from '../domain/kernel/ports.js';
import { readPage } from '../log/feed/pages.js';
import type { CausedAppends } from '../log/runtime/event-log.js';
import { OpenedFields } from '../log/vault/personal-fields.js';
import { createApplication } from '../ops/app/application.js';
import { loadConfig } from '../ops/app/config/config.js';
import { openEngine } from '../ops/engines/engine.js';
import { loadMasterKey } from '../ops/system/secrets.js';
import { contacts } from '../projections/contacts/projection.js';
import { contactQueries } from '../projections/contacts/queries.js';
import { contactSearch } from '../projections/contacts/search.js';
import { foldPage } from '../projections/runtime/fold-page.js';
import type { AnyProjection } from '../projections/runtime/projection.js';
import { answerJob } from './job-entry.js';

/** Searches among contacts of a new store. */
export interface SearchJob {
  readonly dir: string;
  readonly contacts: number;
  /** Searches of each kind. */
  readonly rounds: number;
}
export interface SearchResult {
  /** Microseconds of CPU to fold the creation of a contact, and without what searches need. */
  readonly foldUs: number;
  readonly plainFoldUs: number;
  /** Bytes of the files of the read model a contact, and without what searches need. */
  readonly bytes: number;
  readonly plainBytes: number;
  /** Milliseconds of one search and its page of 50, by kind, in ascending order. */
  readonly times: Readonly<Record<string, readonly number[]>>;
}

const ACCOUNT = 'acc_BENCH';
const PAGE = 1_000;
const AT = '2026-01-01T00:00:00.000Z';
const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'ta', 'vos', 'bel', 'dar', 'sun', 'per', 'gri', 'hol', 'win', 'zak', 'ume', 'fin'];
const DOMAINS = ['gmail.test', 'mail.test', 'web.test', 'post.test', 'firm.example', 'shop.example'];

const syllable = (n: number): string => SYLLABLES[n % SYLLABLES.length] ?? '';
/** 256 first names and 4,096 last names; each number always gives the same. */
const firstName = (nth: number): string => `${syllable(nth)}${syllable(nth >> 4)}`;
const lastName = (nth: number): string => `${syllable(nth * 7)}${syllable((nth * 7) >> 4)}${syllable((nth * 7) >> 8)}`;
const phoneOf = (nth: number): string => `+1${String(2_000_000_000 + ((nth * 7_919_777) % 7_999_999_999)).padStart(10, '0')}`;

/** A contact whose names and addresses are those of many people, as in a real store. */
function personOf(nth: number): { first_name: string; last_name: string; email: string; phone: string } {
  const [first_name, last_name] = [firstName((nth * 31) % 256), lastName((nth * 17) % 4_096)];
  return { first_name, last_name, email: `${first_name}.${last_name}${nth}@${DOMAINS[nth % DOMAINS.length]}`, phone: phoneOf(nth) };
}

const searches: Readonly<Record<string, (nth: number) => string>> = {
  'a first and a last name': (nth) => `${personOf(nth).first_name} ${personOf(nth).last_name}`,
  'the first three letters of a name': (nth) => personOf(nth).last_name.slice(0, 3),
  'a whole email': (nth) => personOf(nth).email,
  'a first name and a domain': (nth) => `${personOf(nth).first_name} gmail.test`,
  'a phone number': (nth) => personOf(nth).phone,
  'the last four digits': (nth) => personOf(nth).phone.slice(-4),
  nobody: (nth) => `xy${nth} nobody`,
};

const nothingOpened = new OpenedFields(null, () => '');

const { opens: _, ...sealed } = contacts;
/** The same read model without what searches need: what they cost is the difference. */
const plain: AnyProjection = {
  ...sealed,
  name: 'plain-contacts',
  collections: {
    contacts: { indexes: [['account', 'sort']], multi: { fields: ['keys', 'tags', 'fields', 'list_ids'], scope: 'account', order: 'sort' } },
  },
  apply: (stored, view) =>
    contacts.apply({ ...stored, opened: nothingOpened } as never, {
      partition: view.partition,
      isLoaded: (collection, id) => view.isLoaded(collection, id),
      get: (collection, id) => view.get(collection, id),
      remove: (collection, id) => view.remove(collection, id),
      put: (collection, { search: _, tree, ...doc }) => {
        const { own, ...node } = tree as { own: object };
        view.put(collection, { ...doc, tree: { ...node, own: { ...own, search: {} } } });
      },
    }),
};

async function measure({ dir, contacts: count, rounds }: SearchJob): Promise<SearchResult> {
  mkdirSync(dir, { recursive: true });
  const config = loadConfig({ HELIOGRAPH_DATA_DIR: dir });
  const master = loadMasterKey(config);
  const engine = await openEngine(config);
  const app = createApplication(config, master, engine);
  const key = (text: string): string => app.vault.key(ACCOUNT, text);
  const created = (nth: number): AnyEvent => {
    const personal = personOf(nth);
    const keys = { email: key(personal.email), phone: key(personal.phone) };
    const about = { contact_id: contactId(nth), source: 'api', import_id: null, values: {}, cleared: [], tags_added: ['a'], tags_removed: [] };
    return { type: 'ContactCreated', data: { ...about, personal, said: Object.keys(personal), keys, at: AT } };
  };
  for (let from = 0; from < count; from += PAGE) {
    const chains = Array.from({ length: Math.min(PAGE, count - from) }, (_, i): CausedAppends => {
      const cause = { $correlationId: 'bench', $causationId: 'bench', account: ACCOUNT, actor: { kind: 'operator', id: 'bench' }, occurredAt: AT };
      const appends = [{ stream: `contact-${contactId(from + i)}`, expected: 'no-stream' as const, events: [created(from + i)] }];
      return { cause: { ...cause, invocation: `bench-${from + i}` }, appends };
    });
    for (const answer of await app.log.appendAll(chains)) if (answer instanceof Error) throw answer;
  }
  const foldUs = (await fold(contacts)) / count;
  const plainFoldUs = (await fold(plain)) / count;
  const times: Record<string, number[]> = {};
  const queries = contactQueries({ log: app.log, views: engine.views });
  for (const [kind, textOf] of Object.entries(searches)) {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      const search = contactSearch(textOf((round * 104_729) % count), key) ?? undefined;
      await queries.search({ account: ACCOUNT, keys: [], fields: [], search, after: null, descending: true, limit: 51 });
      taken.push(performance.now() - began);
    }
    times[kind] = taken.sort((a, b) => a - b);
  }
  await engine.close();
  const bytesOf = (name: string): number => filesOf(dir).reduce((sum, file) => sum + (file.includes(name) ? statSync(file).size : 0), 0) / count;
  const plainBytes = bytesOf(plain.name);
  return { foldUs, plainFoldUs, bytes: bytesOf(contacts.name) - plainBytes, plainBytes, times };

  /** Folds the log. Returns microseconds of CPU. */
  async function fold(projection: AnyProjection): Promise<number> {
    const writer = await engine.views.writer(projection);
    const { user, system } = process.cpuUsage();
    for (;;) {
      const at = await writer.checkpoint();
      const page = await readPage(app.log, at, PAGE);
      if (page.events.length === 0) break;
      await writer.commit(at, page.upTo as Position, await foldPage(projection, writer, page, app.log));
    }
    const used = process.cpuUsage();
    await writer.close();
    return used.user + used.system - user - system;
  }
}

const contactId = (nth: number): string => `con_${String(nth).padStart(26, '0')}`;

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((file) => join(dir, file))
    .filter((file) => statSync(file).isFile());

answerJob(measure);
