import type { Context } from '../../commands/runtime/command.js';
import { changedDivisions, contentWarnings, type PlacedSource } from '../../commands/templates/template-warnings.js';

/**
 * An answer with what the author of its contents should look at: variables that nobody has, and in `calculated` the texts that calculate in
 * another way than before the change.
 */
export async function withWarnings<S, B extends object, H>(
  answer: { readonly status: S; readonly body: B; readonly headers: H },
  contents: readonly unknown[],
  context: Context,
  calculated: readonly PlacedSource[] = [],
): Promise<{ status: S; body: B & { warnings?: string[] }; headers: H }> {
  const warnings = [...(await contentWarnings(contents, context)), ...changedDivisions(calculated)];
  return { ...answer, body: warnings.length > 0 ? { ...answer.body, warnings } : answer.body };
}
