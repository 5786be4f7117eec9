import type { Context } from '../../commands/runtime/command.js';
import { contentWarnings } from '../../commands/templates/template-warnings.js';

/** An answer with what the author of its contents should look at: variables that nobody has. */
export async function withWarnings<S, B extends object, H>(
  answer: { readonly status: S; readonly body: B; readonly headers: H },
  contents: readonly unknown[],
  context: Context,
): Promise<{ status: S; body: B & { warnings?: string[] }; headers: H }> {
  const warnings = await contentWarnings(contents, context);
  return { ...answer, body: warnings.length > 0 ? { ...answer.body, warnings } : answer.body };
}
