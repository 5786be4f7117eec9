/**
 * A port that commands need and the composition root provides. A capability declares it beside its commands
 * (`<capability>/dependencies.ts`); a handler takes the implementation with `context.use(port)`.
 */
export interface Dependency<T> {
  readonly name: string;
  /** Used where nothing is provided. */
  readonly fallback: T | undefined;
}

export interface Provision {
  readonly dependency: Dependency<unknown>;
  readonly implementation: unknown;
}

export const dependency = <T>(name: string, { fallback }: { readonly fallback?: T } = {}): Dependency<T> => ({ name, fallback });

export const provide = <T>(port: Dependency<T>, implementation: T): Provision => ({ dependency: port, implementation });

export type ResolvePort = <T>(port: Dependency<T>) => T;

/** Looks implementations up; of two for one port the later one counts. Throws where a port has neither an implementation nor a fallback. */
export function resolver(provisions: readonly Provision[]): ResolvePort {
  const provided = new Map<Dependency<unknown>, unknown>(provisions.map(({ dependency, implementation }) => [dependency, implementation]));
  return <T>(port: Dependency<T>): T => {
    const found = provided.has(port) ? (provided.get(port) as T) : port.fallback;
    if (found === undefined) throw new Error(`no implementation of '${port.name}' is provided`);
    return found;
  };
}
