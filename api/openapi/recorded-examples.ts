import type { RecordedExamples } from '../http/description.js';
import examples from './examples.json' with { type: 'json' };

/** The examples that `test/api/examples` records, as they are checked in. */
export const recordedExamples: RecordedExamples = examples;
