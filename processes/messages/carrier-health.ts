import { type Carrier, NO_SENDER } from '../../carriers/runtime/carrier.js';
import type { SendResult } from '../../domain/messages/send-result.js';

/** Why a carrier is not called for a while. */
type Trouble = 'unavailable' | 'misconfigured';

/** Failures in a row after which a carrier is not called, and how long; misconfigured is one at once. In milliseconds. */
const CIRCUIT = { failures: 5, unavailableMs: 30_000, misconfiguredMs: 60_000 } as const;

interface Circuit {
  readonly failures: number;
  readonly trouble: Trouble | null;
  readonly until: number;
}

const CLOSED: Circuit = { failures: 0, trouble: null, until: 0 };

/** Something of each carrier: of those of the service by their names, of an account's own for as long as its settings are in use. */
export class ByCarrier<T extends object> {
  readonly #byName = new Map<string, T>();
  readonly #own = new WeakMap<Carrier, T>();

  get(carrier: Carrier): T | undefined {
    return carrier.own ? this.#own.get(carrier) : this.#byName.get(carrier.name);
  }

  set(carrier: Carrier, value: T): void {
    if (carrier.own) this.#own.set(carrier, value);
    else this.#byName.set(carrier.name, value);
  }
}

/** The circuits of the carriers of this node: whether they are called at present. Times in milliseconds since 1970. */
export class CarrierHealth {
  readonly #circuits = new ByCarrier<Circuit>();

  constructor(private readonly onMisconfigured: (carrier: string, isMisconfigured: boolean) => void = () => {}) {}

  /** Notes what became of a call; 'unknown' where the carrier has not answered. The operator is warned about the carriers of the service. */
  note(carrier: Carrier, result: SendResult | 'unknown', now: number): void {
    const before = this.#circuits.get(carrier) ?? CLOSED;
    const after = next(before, result, now);
    this.#circuits.set(carrier, after);
    const isMisconfigured = after.trouble === 'misconfigured';
    if (isMisconfigured !== (before.trouble === 'misconfigured') && !carrier.own) this.onMisconfigured(carrier.name, isMisconfigured);
  }

  /** The reason why a carrier is not to be called now; null after its time, too. */
  trouble(carrier: Carrier, now: number): Trouble | null {
    const { trouble, until } = this.#circuits.get(carrier) ?? CLOSED;
    return until > now ? trouble : null;
  }

  /** The first one without trouble; else one that answers now and then; else the first. */
  choose(carriers: readonly [Carrier, ...Carrier[]], now: number): Carrier {
    const without = (kinds: readonly (Trouble | null)[]) => carriers.find((one) => kinds.includes(this.trouble(one, now)));
    return without([null]) ?? without(['unavailable']) ?? carriers[0];
  }
}

function next(before: Circuit, result: SendResult | 'unknown', now: number): Circuit {
  if (result === 'unknown' || result.outcome === 'transient_error') {
    const failures = before.failures + 1;
    return failures < CIRCUIT.failures ? { ...before, failures } : { failures, trouble: 'unavailable', until: now + CIRCUIT.unavailableMs };
  }
  if (result.outcome !== 'misconfigured') return CLOSED;
  return result.code === NO_SENDER ? before : { ...before, trouble: 'misconfigured', until: now + CIRCUIT.misconfiguredMs };
}
