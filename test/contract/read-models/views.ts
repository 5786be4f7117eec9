import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Checkpoint, Doc, Find, Op, ReadModels, ViewSpec, ViewWriter } from '../../../domain/kernel/ports.js';
import { positionAt } from '../helpers.js';

export interface Parcel extends Doc {
  readonly account: string;
  readonly status: string | null;
  readonly weight: number | null;
  readonly fragile: boolean;
  readonly tags: readonly string[];
  readonly stops: readonly string[];
}

const collections: ViewSpec['collections'] = {
  parcels: {
    indexes: [['account', 'weight'], ['account', 'status', 'weight'], ['account', 'id'], ['account', 'fragile'], ['status'], ['weight']],
    keywords: ['account'],
    multi: { fields: ['tags', 'stops'], scope: 'account', order: 'weight' },
  },
  notes: { indexes: [] },
};

export type NewView = (version?: number) => ViewSpec;

/** A new projection. */
export const newView = (version = 1): ViewSpec => ({ name: `view_${randomUUID().replaceAll('-', '')}`, version, collections });

/** A new projection whose documents are divided. */
export const newDividedView = (version = 1): ViewSpec => ({ ...newView(version), partitionsOf: () => 'all' });

/** A projection that a child process writes. */
export const countingView: ViewSpec = { name: 'counting', version: 1, collections: { counters: { indexes: [['n']] } } };

export const parcel = (id: string, given: Partial<Parcel> = {}): Parcel => ({
  id,
  account: 'a',
  status: 'stored',
  weight: 1,
  fragile: false,
  tags: [],
  stops: [],
  ...given,
});

/** Builds pages from the stored documents and commits them, as the projection runner does. */
export class PageBuilder {
  #place = 0;

  private constructor(
    readonly writer: ViewWriter,
    private readonly collection: string,
  ) {}

  static async of(writer: ViewWriter, collection = 'parcels'): Promise<PageBuilder> {
    const builder = new PageBuilder(writer, collection);
    builder.#place = Number((await writer.checkpoint()).replace('start', '0'));
    return builder;
  }

  get at(): Checkpoint {
    return this.#place === 0 ? 'start' : positionAt(this.#place);
  }

  /** Commits the next page: documents to put, and ids to remove. */
  async put(...documents: (Doc | string)[]): Promise<void> {
    const from = this.at;
    const ops = await this.ops(...documents);
    expect(await this.writer.commit(from, positionAt(this.#place + 1), ops)).to.equal('ok');
    this.#place += 1;
  }

  async ops(...documents: (Doc | string)[]): Promise<Op[]> {
    const { collection } = this;
    const ids = documents.map((document) => (typeof document === 'string' ? document : document.id));
    const before = await this.writer.load(ids.map((id) => ({ collection, id })));
    return documents.map((document, i): Op => {
      if (typeof document !== 'string') return { collection, id: document.id, before: before[i], after: document };
      const removed = before[i];
      return removed ? { collection, id: document, before: removed, after: undefined } : expect.fail(`no ${document} to remove`);
    });
  }
}

export const parcelsOf = (models: ReadModels, view: ViewSpec) => models.docs<Parcel>(view, 'parcels');

/** The ids that a query finds, in the order found. */
export const found = async (models: ReadModels, view: ViewSpec, query: Partial<Find>): Promise<string[]> =>
  (await parcelsOf(models, view).find({ where: {}, limit: 1_000, ...query })).map(({ id }) => id);
