import { suppressionStream } from '../../domain/suppressions/suppression.js';
import { InMemoryStreamIndex } from '../stream-index.js';

/**
 * The addresses that have a stream in the do-not-contact list: nearly every address has none, and then a send needs no
 * look into the log. Some are lifted by now, and the newest may be missing, which is why the second gate, right before
 * hand-over, asks the log itself.
 */
export class SuppressionIndex extends InMemoryStreamIndex {
  constructor() {
    super(suppressionStream(''), new Set<string>());
  }
}
