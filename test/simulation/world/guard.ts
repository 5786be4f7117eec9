import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

/**
 * Packages that may read real time or chance while a run lasts, each with its reason. A file of Node itself never comes here: it
 * has its own references.
 */
const ALLOWED: readonly { readonly path: string; readonly reason: string }[] = [
  { path: '/node_modules/mocha/', reason: 'reports of the worker in which a spec runs' },
  { path: '/node_modules/workerpool/', reason: 'messages of the worker in which a spec runs' },
  { path: '/node_modules/c8/', reason: 'coverage' },
];

type Members = Record<string, unknown>;

/** What may not be called while a run lasts: an object, and the names of its functions. */
const FORBIDDEN: readonly { readonly of: string; readonly owner: object; readonly names: readonly string[] }[] = [
  { of: 'globalThis', owner: globalThis, names: ['setTimeout', 'setInterval', 'setImmediate'] },
  { of: 'node:timers', owner: timers, names: ['setTimeout', 'setInterval', 'setImmediate'] },
  { of: 'node:timers/promises', owner: timersPromises, names: ['setTimeout', 'setInterval', 'setImmediate'] },
  { of: 'Math', owner: Math, names: ['random'] },
  { of: 'performance', owner: performance, names: ['now'] },
  { of: 'process', owner: process, names: ['hrtime'] },
  {
    of: 'node:crypto',
    owner: crypto,
    names: ['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'generateKey', 'generateKeySync'],
  },
  { of: 'crypto', owner: globalThis.crypto, names: ['randomUUID', 'getRandomValues'] },
];

const RealDate = Date;

/**
 * Makes real time, timers and chance throw, so that a run depends on its seed alone. Use as `const guard = new Guard()`, and `end()`
 * when the run is over. One at a time.
 */
export class Guard {
  /** Uses so far, each with its caller: also those whose error the caller has caught. */
  readonly uses: string[] = [];
  readonly #undo: (() => void)[] = [];

  constructor() {
    for (const { of, owner, names } of FORBIDDEN) for (const name of names) this.#replace(of, owner as Members, name);
    this.#replaceDate();
    syncBuiltinESMExports();
  }

  end(): void {
    for (const undo of this.#undo.splice(0)) undo();
    syncBuiltinESMExports();
  }

  #replace(of: string, owner: Members, name: string): void {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    const real = owner[name];
    if (typeof real !== 'function') return;
    const check = () => this.#check(`${of}.${name}()`);
    const guarded = new Proxy(real, {
      apply(target, self, args) {
        check();
        return Reflect.apply(target, self, args);
      },
    });
    Object.defineProperty(owner, name, { value: guarded, configurable: true, writable: true, enumerable: own?.enumerable ?? true });
    this.#undo.push(() => {
      if (own) Object.defineProperty(owner, name, own);
      else delete owner[name];
    });
  }

  /** A date of a given moment is allowed. */
  #replaceDate(): void {
    const check = (what: string) => this.#check(what);
    const now = () => {
      check('Date.now()');
      return RealDate.now();
    };
    globalThis.Date = new Proxy(RealDate, {
      construct(target, args, newTarget) {
        if (args.length === 0) check('new Date()');
        return Reflect.construct(target, args, newTarget);
      },
      apply(target, self, args) {
        check('Date()');
        return Reflect.apply(target, self, args);
      },
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
    this.#undo.push(() => {
      globalThis.Date = RealDate;
    });
  }

  #check(what: string): void {
    const caller = callerOf(new Error().stack ?? '');
    if (ALLOWED.some(({ path }) => caller.includes(path))) return;
    const use = `${what} was called while a simulation ran, by ${caller}`;
    this.uses.push(use);
    throw new Error(use);
  }
}

/** The first line of a stack that is neither of this file nor of Node. */
function callerOf(stack: string): string {
  const lines = stack.split('\n').slice(1);
  const isElsewhere = (line: string) => !line.includes('/world/guard.') && !/\(node:|at node:internal|\(<anonymous>\)/.test(line);
  return (lines.find(isElsewhere) ?? 'Node').trim();
}
