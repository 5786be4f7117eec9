import type { Figure } from './figures.js';
import type { DataFolder } from './folders.js';

/** The context of a part of the benchmark. */
export interface BenchContext {
  /** Fewer and shorter rounds, smaller stores. */
  readonly quick: boolean;
  /** Messages of the large store. */
  readonly messages: number;
  /** Parent of all data folders; deleted at the end. */
  readonly parent: string;
  readonly say: (text: string) => void;
  /** A data folder with this number of delivered messages in its log; `views` adds the read models. Filled once and shared. */
  store(messages: number, views: boolean): Promise<DataFolder>;
}

export interface Measurement {
  readonly dataset: string;
  readonly figures: readonly Figure[];
}

/** One part of the benchmark. */
export interface PartDefinition {
  readonly title: string;
  readonly measure: (context: BenchContext) => Promise<Measurement>;
}
