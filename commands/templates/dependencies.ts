/** What the commands of templates need from outside. */
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';
import { dependency } from '../dependency.js';

/** Compiles the sources of templates, and keeps what it has compiled. */
export const templateEngine = dependency<CompileTemplate>('template engine');

/** Compiles MJML to HTML, within bounds of time and memory. The field of the problems is `mjml`. */
export type CompileMjml = (mjml: string) => Promise<{ readonly html: string } | { readonly problems: readonly FieldProblem[] }>;
export const mjmlCompiler = dependency<CompileMjml>('compiler of MJML');

/** The name of an account, as templates show it. */
export const accountNames = dependency<(account: string) => Promise<string>>('names of accounts', { fallback: async () => '' });

/** The pages of the recipient of a message; null where the service has no public URL. */
export type RecipientPages = (about: {
  readonly account: string;
  readonly address_key: string;
  readonly channel: string;
  /** Null in a preview. */
  readonly message_id: string | null;
}) => { readonly unsubscribe_url: string; readonly preferences_url: string } | null;
export const recipientPages = dependency<RecipientPages>('pages of recipients', { fallback: () => null });
