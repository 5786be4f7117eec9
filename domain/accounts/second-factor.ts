/**
 * The second factor of one user: an app that shows codes by the time (TOTP, RFC 6238), and recovery codes for when it is lost. It is in
 * force once a first code has confirmed it. A stream of its own, since every sign-in adds to it: a code counts once.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, list, record, text, time } from '../kernel/schema.js';

// Events

const user_id = text;
const at = time;

/** `secret` in base32; `recovery`: the SHA-256 of the recovery codes, which are stored nowhere. */
export const SecondFactorPrepared = eventType('SecondFactorPrepared', record({ user_id, secret: text, recovery: list(text), at }), {
  personal: { subject: 'user_id', fields: ['secret'] },
});
/** `step`: the period of 30 seconds since 1970 that a code was of. */
export const SecondFactorTurnedOn = eventType('SecondFactorTurnedOn', record({ user_id, step: count, at }));
export const SecondFactorCodeUsed = eventType('SecondFactorCodeUsed', record({ user_id, step: count, at }));
export const RecoveryCodeUsed = eventType('RecoveryCodeUsed', record({ user_id, hash: text, at }));
export const SecondFactorTurnedOff = eventType('SecondFactorTurnedOff', record({ user_id, at }));

export const secondFactorEvents = [
  SecondFactorPrepared,
  SecondFactorTurnedOn,
  SecondFactorCodeUsed,
  RecoveryCodeUsed,
  SecondFactorTurnedOff,
] as const;
export type SecondFactorEvent = EventOf<(typeof secondFactorEvents)[number]>;

// State

interface FactorSecrets {
  readonly secret: string;
  /** Hashes of the recovery codes that are not used. */
  readonly recovery: readonly string[];
}
/** `step`: of the latest code that was used. Codes up to it are refused. */
export type SecondFactor =
  | { readonly status: 'off' }
  | ({ readonly status: 'prepared' } & FactorSecrets)
  | ({ readonly status: 'on'; readonly step: number } & FactorSecrets);

export function evolve(factor: SecondFactor, event: SecondFactorEvent): SecondFactor {
  if (event.type === 'SecondFactorPrepared') return { status: 'prepared', secret: event.data.secret, recovery: event.data.recovery };
  if (factor.status === 'off') return factor;
  switch (event.type) {
    case 'SecondFactorTurnedOn':
      return { ...factor, status: 'on', step: event.data.step };
    case 'SecondFactorCodeUsed':
      return { ...factor, status: 'on', step: event.data.step };
    case 'RecoveryCodeUsed':
      return { ...factor, recovery: factor.recovery.filter((hash) => hash !== event.data.hash) };
    case 'SecondFactorTurnedOff':
      return { status: 'off' };
    default:
      return event satisfies never;
  }
}

// Commands

/** A code that a user has typed. */
export interface TypedCode {
  /** The step whose code it is under a secret, or null. */
  readonly stepUnder: (secret: string) => number | null;
  /** As the hash of a recovery code. */
  readonly hash: string;
}

export type SecondFactorCommand =
  | { type: 'PrepareSecondFactor'; user_id: string; secret: string; recovery: readonly string[]; now: string }
  | { type: 'TurnOnSecondFactor'; user_id: string; code: TypedCode; now: string }
  /** At a sign-in. `code`: null where none was given. */
  | { type: 'ShowSecondFactor'; user_id: string; code: TypedCode | null; now: string }
  /** `code`: null where the user has shown the password instead. */
  | { type: 'TurnOffSecondFactor'; user_id: string; code: TypedCode | null; now: string };
type Of<T extends SecondFactorCommand['type']> = Extract<SecondFactorCommand, { type: T }>;
type On = Extract<SecondFactor, { status: 'on' }>;

export function decide(command: SecondFactorCommand, factor: SecondFactor): readonly SecondFactorEvent[] {
  const { user_id, now: at } = command;
  switch (command.type) {
    case 'PrepareSecondFactor':
      if (factor.status === 'on') throw invalidState('on', 'The second factor is on. Turn it off before you set up another.');
      return [{ type: 'SecondFactorPrepared', data: { user_id, secret: command.secret, recovery: [...command.recovery], at } }];
    case 'TurnOnSecondFactor':
      return turnOn(command, factor);
    case 'ShowSecondFactor':
      if (factor.status !== 'on') return [];
      if (command.code === null) throw new DomainError('second_factor_required', 'Send the code of your authenticator app, too: `code`.');
      return [used(command.code, factor, user_id, at)];
    case 'TurnOffSecondFactor': {
      if (factor.status === 'off') return [];
      const shown = command.code === null || factor.status !== 'on' ? [] : [used(command.code, factor, user_id, at)];
      return [...shown, { type: 'SecondFactorTurnedOff', data: { user_id, at } }];
    }
    default:
      return command satisfies never;
  }
}

function turnOn({ user_id, code, now: at }: Of<'TurnOnSecondFactor'>, factor: SecondFactor): readonly SecondFactorEvent[] {
  if (factor.status === 'on') return [];
  if (factor.status === 'off') throw invalidState('off', 'There is no second factor to confirm. Begin with `POST /v1/auth/totp`.');
  const step = code.stepUnder(factor.secret);
  if (step === null) throw wrongCode();
  return [{ type: 'SecondFactorTurnedOn', data: { user_id, step, at } }];
}

/** Throws `invalid_credentials` for a code that is wrong, or was used before. */
function used({ stepUnder, hash }: TypedCode, { secret, recovery, step: last }: On, user_id: string, at: string): SecondFactorEvent {
  const step = stepUnder(secret);
  if (step !== null && step > last) return { type: 'SecondFactorCodeUsed', data: { user_id, step, at } };
  if (recovery.includes(hash)) return { type: 'RecoveryCodeUsed', data: { user_id, hash, at } };
  throw wrongCode();
}

const wrongCode = (): DomainError => new DomainError('invalid_credentials', 'The code is wrong, or was used before. Wait for the next one.');
const invalidState = (current: string, message: string): DomainError => new DomainError('invalid_state', message, { current, allowed: [] });

// Stream

export const secondFactorStream = (userId: string) => `secondFactor-${userId}`;

export const secondFactor: Aggregate<SecondFactor, SecondFactorCommand, SecondFactorEvent> = {
  stream: secondFactorStream,
  events: secondFactorEvents,
  snapshots: { name: 'secondFactor', version: 1 },
  initial: { status: 'off' },
  evolve,
  decide,
};
