import Type from 'typebox';
import type { WellFormed } from '../../commands/runtime/rules.js';
import { type ConsentProof, noProof } from '../../domain/consent/consent.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { annotate, flag, optional } from '../../domain/kernel/schema.js';
import { consentProofInput } from './schemas.js';

/** How a body says that people have confirmed elsewhere. */
export const confirmedFields = {
  confirmed: optional(
    annotate(flag, {
      default: false,
      description:
        'They have confirmed elsewhere, as `proof` says: they are subscribed at once, also to a list with double opt-in, and their consent to marketing email is recorded with the proof. Nobody is asked by mail. Who has left a list stays off it.',
    }),
  ),
  proof: optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 10_000, description: 'The proof as a text.' }), consentProofInput], {
      description: 'Only with `confirmed`: how you know. For example `{"text":"Double opt-in at the shop, 2023-05-01"}`.',
    }),
  ),
};

interface ConfirmedBody {
  readonly confirmed?: boolean;
  readonly proof?: string | Readonly<Partial<Record<keyof ConsentProof, string | null>>>;
}

/** The proof of a body, null without one. A text stands for an object with that text. */
export function proofOf(given: ConfirmedBody['proof']): ConsentProof | null {
  if (given === undefined) return null;
  const proof = { ...noProof, ...(typeof given === 'string' ? { text: given } : given) };
  return Object.values(proof).some((value) => (value ?? '').trim() !== '') ? proof : null;
}

/** What is wrong with `confirmed` and `proof` beside each other. `others`: proofs that count as well. */
export function confirmedProblems(
  { confirmed, proof }: WellFormed<ConfirmedBody>,
  isMalformed: (field: string) => boolean,
  others: readonly (ConfirmedBody['proof'] | undefined)[] = [],
): FieldProblem[] {
  if (isMalformed('confirmed') || isMalformed('proof')) return [];
  if (confirmed === true && [proof as ConfirmedBody['proof'], ...others].every((one) => proofOf(one) === null)) {
    const message = 'Say how you know that they have confirmed, for example {"text":"Double opt-in at the shop, 2023-05-01"}.';
    return [{ field: 'proof', code: 'required', message }];
  }
  if (confirmed !== true && proof !== undefined)
    return [
      {
        field: 'confirmed',
        code: 'required',
        message: 'A proof is of people who have confirmed elsewhere: send "confirmed":true with it, or leave it out.',
      },
    ];
  return [];
}
