import type { Figure } from './figures.js';
import type { DataFolder } from './folders.js';

/** What a part of the bench works with. */
export interface BenchContext {
  /** For a first look: shorter rounds, fewer of them, smaller stores. */
  readonly quick: boolean;
  /** Messages of the large store. */
  readonly messages: number;
  /** Where data folders go; deleted at the end. */
  readonly parent: string;
  readonly say: (text: string) => void;
  /** A data folder with so many delivered messages in its log; read models are there where they are request for. Filled once and shared. */
  store(messages: number, views: boolean): Promise<DataFolder>;
}

export interface Measurement {
  readonly dataset: string;
  readonly figures: readonly Figure[];
}

/** One part: what it measures, and the measuring. */
export interface PartDefinition {
  readonly title: string;
  readonly measure: (context: BenchContext) => Promise<Measurement>;
}
