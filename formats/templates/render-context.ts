import { Context, Drop, type Liquid } from 'liquidjs';
import { type Budget, templateLimits } from './limits.js';
import { charactersOf, MarkedText, NumberRange, plainOf, RANGE, textOf, WholeFloat } from './values.js';

/** What a template has made of values that are not there, or that a filter cannot take. */
export interface RenderWarning {
  readonly code: 'missing_variable' | 'filter_failed';
  /** The path of the variable, or the name of the filter. */
  readonly name: string;
  readonly message: string;
}

type PathPart = string | number;

/** The state of one render. A variable is looked up without the library's generators, which take most of its time. */
export class RenderContext extends Context {
  readonly budget: Budget;
  readonly warnings = new Map<string, RenderWarning>();
  /** Whether a missing variable is reported: not in conditions, and not where it has a default. */
  isOutput = false;
  /** Of each `cycle`, whose turn it is. */
  readonly turns = new Map<string, number>();
  /** What `ifchanged` has shown last. */
  readonly shown: { last: string | null } = { last: null };

  constructor(liquid: Liquid, scope: object, budget: Budget) {
    super(
      Object.create(null),
      liquid.options,
      { sync: true, globals: scope },
      { memoryLimit: budget as never, renderLimit: budget as never, liquid },
    );
    this.budget = budget;
  }

  override _get(paths: PathPart[]): IterableIterator<unknown> {
    if (paths[0] === RANGE) return this.rangeOf(paths.slice(1)) as unknown as IterableIterator<unknown>;
    // biome-ignore lint/complexity/useLiteralKeys: the method is private in the types of the library
    let value: unknown = this['findScope'](String(paths[0]));
    for (const part of paths) value = this.readProperty(value as object, part);
    if ((value === undefined || value === null) && this.isOutput) this.noteMissing(paths.slice(0, 20).join('.').slice(0, 200));
    return value as IterableIterator<unknown>;
  }

  private rangeOf(ends: readonly unknown[]): NumberRange {
    const [low = 0, high = 0] = ends.map((end) => Math.trunc(Number(plainOf(end) ?? 0)) || 0);
    this.budget.use(high - low + 1);
    return NumberRange.between(low, high);
  }

  override readProperty(holder: unknown, key: unknown): unknown {
    if (typeof holder === 'string' || holder instanceof MarkedText) return key === 'size' ? charactersOf(textOf(holder)).length : undefined;
    if (holder instanceof WholeFloat) return undefined;
    if (key === 'first' && typeof holder === 'object' && holder !== null && !Array.isArray(holder) && !(holder instanceof Drop))
      return Object.hasOwn(holder, 'first') ? super.readProperty(holder, 'first') : Object.entries(holder)[0];
    return super.readProperty(holder as object, key as PathPart);
  }

  override spawn(scope: object = {}): RenderContext {
    const inner = new RenderContext(this.liquid as Liquid, this.globals as object, this.budget);
    inner.environments = scope as never;
    (inner as { warnings: unknown }).warnings = this.warnings;
    return inner;
  }

  noteFailure(filter: string, reason: string): void {
    this.note({ code: 'filter_failed', name: filter, message: `The filter \`${filter}\` cannot take this value: ${reason.slice(0, 200)}` });
  }

  private noteMissing(path: string): void {
    this.note({ code: 'missing_variable', name: path, message: `\`${path}\` has no value. It is rendered as an empty text.` });
  }

  private note(warning: RenderWarning): void {
    if (this.warnings.size < templateLimits.listed) this.warnings.set(`${warning.code} ${warning.name}`, warning);
  }
}
