import type { Position } from '../../domain/kernel/ports.js';
import type { ExportedSubmission } from './submission-rows.js';

export interface SubmissionPage {
  readonly submissions: readonly ExportedSubmission[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** What the commands of forms need from outside. */
export interface FormPorts {
  /** A page of the submissions of a form, oldest first; null as long as the read model lacks what was recorded up to `since`. */
  readonly submissionPage: (
    form_id: string,
    range: { readonly after: string | null; readonly since: Position; readonly created_after?: string; readonly created_before?: string },
  ) => Promise<SubmissionPage | null>;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly forms: FormPorts;
  }
}
