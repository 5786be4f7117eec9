import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { TemplateForm } from '../../domain/messages/whatsapp-template.js';
import type { Arithmetic } from '../../domain/templates/arithmetic.js';
import type { Translations } from '../../domain/templates/translations.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';
import type { RenderedContent } from './content.js';

/** Compiles MJML to HTML, within bounds of time and memory. The field of the problems is `mjml`. */
export type CompileMjml = (mjml: string) => Promise<{ readonly html: string } | { readonly problems: readonly FieldProblem[] }>;

/** The pages of the recipient of a message; null where the service has no public URL. */
export type RecipientPages = (about: {
  readonly account: string;
  readonly address_key: string;
  readonly channel: string;
  /** Null in a preview. */
  readonly message_id: string | null;
}) => { readonly unsubscribe_url: string; readonly preferences_url: string } | null;

/** What a content is made from: its own fields in Liquid, which come before those of its template. */
export interface ContentSources extends RenderedContent {
  readonly preheader?: string;
  readonly from?: string;
  readonly reply_to?: string;
  readonly template_id?: string;
  /** Instead of the latest one. */
  readonly template_version?: number;
  /** Partials, and a template without a version, as they were at this position of the log. */
  readonly as_of?: Position;
  readonly translations?: Translations<Omit<ContentSources, 'translations' | 'arithmetic'>>;
  /** How its own fields calculate. Those of its template calculate as the template does. Default: in decimals. */
  readonly arithmetic?: Arithmetic;
}

/** The content of one message, with the version of its template and the language of its translation. */
export type MadeContent = Omit<ContentSources, 'translations' | 'arithmetic'> & { readonly content_language?: string };

/**
 * Makes the content of one message of a campaign or journey, in the language of the contact among the variables. Throws nothing: `problem`
 * says what is wrong.
 */
export type RenderContent = (
  account: string,
  channel: string,
  contents: ContentSources,
  variables: Readonly<Record<string, unknown>>,
) => Promise<{ readonly content: MadeContent } | { readonly problem: string }>;

/** What templates read of an account; its zone and language serve contacts who have none. */
export interface AccountValues {
  readonly name: string;
  /** IANA name. */
  readonly timezone: string;
  readonly locale: string;
}

/** What the commands of templates need from outside. */
export interface TemplatePorts {
  /** Compiles the sources of templates, and keeps what it has compiled. */
  readonly compile: CompileTemplate;
  readonly compileMjml: CompileMjml;
  /** What templates read of an account. */
  readonly accountValues: (account: string) => Promise<AccountValues>;
  readonly recipientPages: RecipientPages;
  /** What the carriers of WhatsApp need to find a template. `own`: the account's route; null for that of the service. */
  readonly templateForms: (own: readonly string[] | null) => readonly TemplateForm[];
  /** Of this capability itself (`createContentRenderer`): what it has compiled serves many commands, and modules have no state. */
  readonly render: RenderContent;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly templates: TemplatePorts;
  }
}
