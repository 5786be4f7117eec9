/** Limits of one render, so that no template holds a thread up or fills its memory. Sizes are in UTF-16 units, times in milliseconds. */
export const templateLimits = {
  /** Of one source: text, HTML, or subject. */
  source: 300_000,
  /** Tags and outputs in one source. */
  tags: 10_000,
  /** Of one tag or output. */
  tag: 10_000,
  /** By the clock, after which a render has one more try. */
  time: 50,
  /** Parts of a template that are rendered; a bound that does not depend on the speed of a machine. */
  steps: 500_000,
  /** Of the whole result. */
  output: 1_048_576,
  /** Of all texts and lists that are made on the way: a character, or an element of a list, is one. */
  memory: 1_000_000,
  /** Elements of a list that a filter takes, or that is compared or searched. */
  list: 10_000,
  /** Of a text or list that a filter takes beside its value, and looks at for each element of that. */
  argument: 1_000,
  /** Of a format of the filter `date`, and of the name of a time zone. */
  dateFormat: 200,
  /** Partials within partials. */
  depth: 8,
  /** Different partials that one template has, directly or not. */
  partials: 30,
  /** Problems and warnings that are listed. */
  listed: 20,
} as const;

/** A render has reached one of its limits. */
export class LimitReached extends Error {
  constructor(readonly limit: 'time' | 'steps' | 'output' | 'memory' | 'list') {
    super(
      {
        time: `Rendering takes longer than ${templateLimits.time} ms.`,
        steps: `Rendering takes more than ${templateLimits.steps} steps.`,
        output: `The result is longer than ${templateLimits.output} characters.`,
        memory: 'Rendering takes too much memory: texts or lists grow too long.',
        list: `Filters, comparisons and \`contains\` take lists of at most ${templateLimits.list} elements.`,
      }[limit],
    );
  }
}

/** How often the time is looked at: after this many steps. */
const STEPS_BETWEEN = 8;

/** What one render has used up. It has the two methods that the library calls on a limit. */
export class Budget {
  private memory = 0;
  private steps = 0;
  private readonly end: number;

  constructor(private readonly monotonic: () => number) {
    this.end = monotonic() + templateLimits.time;
  }

  /** Counts texts and lists that are made. */
  use(count: unknown): void {
    const made = Number(count);
    if (made > 0) this.memory += made;
    if (this.memory > templateLimits.memory) throw new LimitReached('memory');
  }

  /** Counts one step. The library passes its own time, which does not matter. */
  check(): void {
    this.steps++;
    if (this.steps > templateLimits.steps) throw new LimitReached('steps');
    if (this.steps % STEPS_BETWEEN === 0) this.checkTime();
  }

  checkTime(): void {
    if (this.monotonic() > this.end) throw new LimitReached('time');
  }

  /** Counts a list with all lists in it: one that has the same long list many times takes the time of a long text to be written. */
  useList(list: readonly unknown[]): void {
    for (const element of list) {
      if (Array.isArray(element)) this.useList(element);
      this.use(typeof element === 'string' ? element.length + 1 : 1);
    }
  }
}
