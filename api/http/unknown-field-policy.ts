import { unlike } from './validation/unknown-fields.js';
import { type JudgedResult, judged, type ValidationResult } from './validation/validation.js';

/** How the unknown fields of one request are taken: of its body, and of the elements of its lists. */
export interface UnknownFields {
  /** All are refused, not only those that look like a known one. */
  readonly strict: boolean;
  /** The request may repeat one that was accepted with such fields: whether it does is found out before any is refused. */
  readonly isOpen: boolean;
  /** The request is handled as such a repeat, and perhaps once more as a new one: its body stays as it is. */
  readonly isTrial: boolean;
  /** Whether a field that looks like another one (`meant`), or like none, is refused. */
  readonly refuses: (meant: string | null) => boolean;
  /** What becomes of an element of a list. */
  readonly judge: (result: ValidationResult) => JudgedResult;
}

/**
 * `open`: nobody knows yet whether the request repeats one that was accepted. `repeat`: it is taken for one, so nothing is refused.
 * `new`: it is none.
 */
export type RequestPhase = 'open' | 'repeat' | 'new';

export const unknownFieldsIn = (phase: RequestPhase, strict: boolean): UnknownFields => ({
  strict,
  isOpen: phase === 'open',
  isTrial: phase === 'repeat',
  refuses: (meant) => phase !== 'repeat' && (strict || meant !== null),
  judge: phase === 'repeat' ? ignored : (result) => judged(result, { strict }),
});

/** As for requests of earlier releases: unknown fields are named, and none is refused. */
const ignored = ({ unknown, ...result }: ValidationResult): JudgedResult => judged({ ...result, unknown: unlike(unknown) }, { strict: false });
