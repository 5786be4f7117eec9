import type { Clock } from '../../domain/kernel/ports.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import { InMemoryStreamIndex } from '../runtime/stream-index.js';

/**
 * Address keys that were ever suppressed. Nearly every address never was, so a send need not read its stream. The gate at
 * dispatch reads the log itself, since the latest suppressions may be missing here.
 */
export class SuppressionIndex extends InMemoryStreamIndex {
  constructor(clock: Clock) {
    super(suppressionStream(''), new Set<string>(), clock);
  }
}
