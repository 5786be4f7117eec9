import type { Context } from '../../commands/runtime/command.js';
import { UnansweredRepeat } from '../../commands/runtime/idempotency.js';
import { pathText, type RuleContext, ruleCheck, type ValidationRule } from '../../commands/runtime/rules.js';
import { type FieldProblem, shownProblem } from '../../domain/kernel/errors.js';
import type { Static, TSchema } from '../../domain/kernel/schema.js';
import { MAX_LISTED_PROBLEMS } from './errors.js';
import type { Request } from './route.js';
import { bodyValidator, judged } from './validation/validation.js';

/** A problem of one element of a list. `field` is the path in the element, `body` for the element itself. */
export interface ItemProblem extends FieldProblem {
  readonly index: number;
}

export interface CheckedItems<T> {
  /** The well-formed elements, with their positions in the list. Their rules are checked by the command. */
  readonly items: readonly { readonly index: number; readonly value: T }[];
  /** All problems of the others. */
  readonly problems: readonly ItemProblem[];
  /** `unknown field: messages[3].x`, for the first of them. */
  readonly warnings: readonly string[];
}

/** What is checked before other requests get the thread: so many elements, fewer of large ones. */
const CHECKED_AT_ONCE = 100;
/** Characters of texts that take about as long to check as all else of an element. */
const CHARACTERS_PER_ELEMENT = 2_000;
/** Maximum number of elements whose unknown fields are named. */
export const MAX_NAMED_WARNINGS = 100;

/** The request whose list is checked. `signal`: work ends once it is aborted. */
export type CheckedRequest = Pick<Request, 'ruleContext' | 'unknownFields'> & { readonly signal?: AbortSignal };

/** Validates the elements of a list one by one, so that a malformed one does not affect the others. `name`: of the list. */
export function itemChecker<S extends TSchema>(name: string, schema: S) {
  const check = bodyValidator(schema);
  const rules = ruleCheck(schema);
  const judgedItem = (value: unknown, strict: boolean) => judged(check(value), { strict });

  async function problemsOf(value: unknown, index: number, result: ReturnType<typeof judgedItem>, context: () => Context): Promise<ItemProblem[]> {
    const broken = (await rules?.(value, result.malformed, context)) ?? [];
    return [...result.problems, ...broken].map((problem) => ({ index, ...problem }));
  }

  /**
   * Throws UnansweredRepeat where a field would be refused and the request may repeat one that was accepted with it, and the reason of
   * `signal` once it is aborted. Changes nothing.
   */
  async function requireFirst(values: Iterable<unknown>, { ruleContext, unknownFields: { isOpen, refuses }, signal }: CheckedRequest): Promise<void> {
    if (!isOpen) return;
    const rest = restsBetween(ruleContext, signal);
    for (const value of values) {
      await rest(value);
      if (check.unknownIn(value).some(({ meant }) => refuses(meant))) throw new UnansweredRepeat();
    }
  }

  /** Validates the shapes, and the rules of malformed elements. Throws the reason of `signal` once it is aborted. */
  async function checkItems(given: readonly unknown[], request: CheckedRequest): Promise<CheckedItems<Static<S>>> {
    await requireFirst(given, request);
    const { ruleContext, unknownFields, signal } = request;
    const items: { index: number; value: Static<S> }[] = [];
    const problems: ItemProblem[] = [];
    const warnings: string[] = [];
    const rest = restsBetween(ruleContext, signal);
    for (const [index, element] of given.entries()) {
      await rest(element);
      // What is not known is taken out of the elements.
      const value = unknownFields.isTrial ? structuredClone(element) : element;
      const result = unknownFields.judge(check(value));
      for (const warning of result.warnings) {
        if (warnings.length < MAX_NAMED_WARNINGS) warnings.push(warning.replace('unknown field: ', `unknown field: ${name}[${index}].`));
      }
      if (result.problems.length === 0) items.push({ index, value: value as Static<S> });
      else problems.push(...(await problemsOf(value, index, result, ruleContext)));
    }
    return { items, problems, warnings };
  }

  /** All problems of the elements of a list in a malformed body: of their shapes and of their rules. `strict`: of all unknown fields, too. */
  async function allProblems(values: readonly unknown[], context: Context, strict = false): Promise<ItemProblem[]> {
    const found: ItemProblem[] = [];
    const rest = restsBetween(() => context);
    for (const [index, value] of values.entries()) {
      await rest(value);
      found.push(...(await problemsOf(value, index, judgedItem(value, strict), () => context)));
      if (found.length > MAX_LISTED_PROBLEMS) break;
    }
    return found;
  }

  return { checkItems, allProblems, requireFirst };
}

/**
 * Before each element: other requests get the thread where much was checked without them. Throws the reason of `signal` once it is aborted
 * meanwhile.
 */
function restsBetween(context: () => Context, signal?: AbortSignal): (value: unknown) => Promise<void> {
  let checked = 0;
  return async (value) => {
    checked += weightOf(value);
    if (checked < CHECKED_AT_ONCE) return;
    checked = 0;
    await context().yieldToEventLoop();
    signal?.throwIfAborted();
  };
}

/** How long an element takes to check, by its texts: 1 for a small one. */
function weightOf(value: unknown): number {
  let characters = 0;
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) if (typeof member === 'string') characters += member.length;
  return 1 + characters / CHARACTERS_PER_ELEMENT;
}

/** Problems of elements with paths in the list: `messages[3].to`; without a name, `[3].to`. */
export const problemsInList = (name: string | null, problems: readonly ItemProblem[]): FieldProblem[] =>
  problems.map(({ index, ...problem }) => ({
    ...problem,
    field: `${pathText(name === null ? [index] : [name, index])}${problem.field === 'body' ? '' : `.${problem.field}`}`,
  }));

/** The rule of a list whose elements are validated one by one. `ofCount` checks the number of elements. */
export function listRule(
  checker: Pick<ReturnType<typeof itemChecker>, 'allProblems'>,
  ofCount: (count: number) => readonly FieldProblem[],
): ValidationRule<unknown[]> {
  return async (values, { context, strict }: RuleContext) => {
    const wrongCount = ofCount(values.length);
    return wrongCount.length > 0
      ? wrongCount
      : problemsInList(null, await checker.allProblems(values, context, strict)).map((problem) => ({ ...problem }));
  };
}

/** The list of problems of an answer that is not an error: complete up to 1,000. */
export function listedProblems<P extends FieldProblem>(problems: readonly P[]): { readonly errors: readonly P[]; readonly errors_truncated?: true } {
  const errors = problems.slice(0, MAX_LISTED_PROBLEMS).map((problem) => shownProblem(problem) as P);
  return problems.length > MAX_LISTED_PROBLEMS ? { errors, errors_truncated: true } : { errors };
}
