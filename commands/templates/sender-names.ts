/** The names of senders, `{{ contact.first_name }} at Shop <shop@example.com>`: what is before the address is a template. */
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { type SenderField, senderFields } from '../../domain/templates/template-fields.js';
import { formatMailbox, MAX_MAILBOX_NAME } from '../../formats/messages/mailbox.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';

type Senders = Partial<Readonly<Record<SenderField, string>>>;

const LIQUID = /\{[{%]/;
const NAMED = /^([\s\S]*)<([^<>]*)>\s*$/;
/** Control characters and line separators: they could end the header that holds the name. */
const BREAKING = /[\p{Cc}\u2028\u2029]+/gu;

interface SenderSource {
  readonly name: string;
  readonly address: string;
}

/** The parts of a sender that has Liquid; null for one without. */
function sourceOf(sender: string | undefined): SenderSource | null {
  if (sender === undefined || !LIQUID.test(sender)) return null;
  const [, name = '', address = sender] = NAMED.exec(sender) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/s, '$1'), address: address.trim() };
}

/** What is wrong with the Liquid of senders, and the senders without it, whose addresses are still to be checked. */
export function checkSenders(given: Senders, compile: CompileTemplate): { readonly problems: readonly FieldProblem[]; readonly plain: Senders } {
  const problems: FieldProblem[] = [];
  const plain: Partial<Record<SenderField, string>> = {};
  for (const field of senderFields) {
    const source = sourceOf(given[field]);
    if (!source) continue;
    if (LIQUID.test(source.address)) {
      const message = 'An address has no variables, only the name before it: {{ contact.first_name }} at Shop <shop@example.com>.';
      problems.push({ field, code: 'variable_in_address', message, details: { received: source.address.slice(0, 200) } });
      plain[field] = 'sender@example.com';
      continue;
    }
    plain[field] = source.address;
    problems.push(
      ...compile(source.name, { html: false }).problems.map(({ code, message, line, column }) => ({
        field,
        code,
        message,
        details: { line, column },
      })),
    );
  }
  return { problems, plain };
}

/** The paths of the variables that the names of senders read. */
export const sendersVariables = (given: Senders, compile: CompileTemplate): string[] =>
  senderFields.flatMap((field) => {
    const source = sourceOf(given[field]);
    return source ? compile(source.name, { html: false }).variables : [];
  });

/** The senders with their names for these values, quoted as headers need it. */
export function renderedSenders(given: Senders, compile: CompileTemplate, values: object): Senders | { readonly problem: string } {
  const rendered: Partial<Record<SenderField, string>> = {};
  for (const field of senderFields) {
    const source = sourceOf(given[field]);
    if (!source) continue;
    const made = compile(source.name, { html: false }).render(values);
    if ('problem' in made) return { problem: `${field}: ${made.problem.message}` };
    const name = Array.from(made.text.replace(BREAKING, ' ').replace(/\s+/g, ' ').trim())
      .slice(0, MAX_MAILBOX_NAME / 2)
      .join('');
    rendered[field] = formatMailbox({ address: source.address, name: name === '' ? null : name });
  }
  return rendered;
}
