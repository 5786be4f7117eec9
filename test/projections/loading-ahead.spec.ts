import { expect } from 'chai';
import fc from 'fast-check';
import type { Doc, DocumentRef, ViewWriter } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import type { FeedPage } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { foldPage } from '../../projections/runtime/fold-page.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { system } from '../support/system.js';

const NODES = 6;

/** A node of a chain: how often it was passed, and the next one. */
interface NodeDoc extends Doc {
  readonly passed: number;
  readonly next: string | null;
}

/** Links a node to another one, and passes the chain from there to its end or to where it was passed before. */
interface Linked {
  readonly type: 'Linked';
  readonly data: { readonly id: string; readonly next: string };
}

const ref = (id: string) => ({ collection: 'nodes', id });

/** What an event changes depends on documents that earlier events of the page change: `readsMore` follows the chain. */
const chains: AnyProjection = {
  name: 'chains',
  version: 1,
  handles: ['Linked'],
  collections: { nodes: { indexes: [] } },
  reads: ({ event }) => [ref(event.data.id)],
  readsMore: ({ event }, view) => chainFrom(event, (id) => (view.isLoaded('nodes', id) ? view.get<NodeDoc>('nodes', id) : undefined)).map(ref),
  apply: ({ event }, view) => {
    const old = view.get<NodeDoc>('nodes', event.data.id);
    view.put('nodes', { id: event.data.id, passed: old?.passed ?? 0, next: event.data.next });
    for (const id of chainFrom(event, (one) => view.get<NodeDoc>('nodes', one))) {
      const node = view.get<NodeDoc>('nodes', id);
      view.put('nodes', { id, passed: (node?.passed ?? 0) + 1, next: node?.next ?? null });
    }
  },
};

function chainFrom({ data }: Linked, nodeOf: (id: string) => NodeDoc | undefined): string[] {
  const chain: string[] = [];
  for (let at: string | null = data.next; at !== null && !chain.includes(at); at = at === data.id ? null : (nodeOf(at)?.next ?? null)) chain.push(at);
  return chain;
}

const noLog = {} as EventLog;

function pageOf(links: readonly (readonly [number, number])[], after: number): FeedPage {
  const events = links.map(([id, next], i) => {
    const position = String(after + i + 1).padStart(20, '0');
    const event: Linked = { type: 'Linked', data: { id: `n${id}`, next: `n${next}` } };
    return { type: 'Linked', position, recorded: {} as never, decode: () => ({ event, position, stream: 'links' }) as unknown as LogEvent };
  });
  return { after: String(after).padStart(20, '0'), upTo: events.at(-1)?.position ?? 'start', events, bytes: 0 };
}

/** Counts loads that reach the store. */
function counting(writer: ViewWriter, isRemote: boolean): { writer: ViewWriter; loads: () => number } {
  let loads = 0;
  const load = (refs: readonly DocumentRef[]) => {
    loads += 1;
    return writer.load(refs);
  };
  const counted = Object.assign(Object.create(writer) as ViewWriter, { isRemote, load, commit: writer.commit.bind(writer) });
  return { writer: counted, loads: () => loads };
}

async function fold(pages: readonly (readonly (readonly [number, number])[])[], isRemote: boolean) {
  const { views } = openMemoryViews({ clock: system.clock });
  const { writer, loads } = counting(await views.writer(chains), isRemote);
  const ops: unknown[] = [];
  let from = await writer.checkpoint();
  for (const [n, links] of pages.entries()) {
    const page = pageOf(links, n * 1_000);
    const changes = await foldPage(chains, writer, page, noLog);
    ops.push(changes);
    expect(await writer.commit(from, page.upTo as string, changes)).to.equal('ok');
    from = page.upTo;
  }
  return { ops, loads: loads() };
}

describe('the documents that a page of events needs, in a read model on a server', () => {
  it('are loaded with few calls, not with one for each event', async () => {
    const links = Array.from({ length: 100 }, (_, i) => [2 * i, 2 * i + 1] as const);
    const embedded = await fold([links], false);
    const remote = await fold([links], true);
    expect(remote.ops).to.deep.equal(embedded.ops);
    expect(embedded.loads).to.equal(101);
    expect(remote.loads).to.equal(2);
  });

  it('change as they do where each event loads its own', async () => {
    const node = fc.nat({ max: NODES - 1 });
    const page = fc.array(fc.tuple(node, node), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 4 }), async (pages) => {
        expect((await fold(pages, true)).ops).to.deep.equal((await fold(pages, false)).ops);
      }),
      { numRuns: 300 },
    );
  });
});
