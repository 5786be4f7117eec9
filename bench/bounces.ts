/**
 * Reads a folder of mails that came back, and compares each with what its index says of it:
 *
 *   npm run bounces -- FOLDER [--wrong]
 *
 * docs/carriers.md describes the folder. It prints the share of recipients that are read as the index says by mail system and by
 * class, and which class was taken for which; `--wrong` lists those recipients. Exits with 1 where a mail of a machine is taken for a
 * person's, more than 1 % of the soft bounces for hard ones, or fewer than 95 % are read as the index says.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiveMail } from '../carriers/smtp/receive.js';
import { isUnsubscribeSubject } from '../domain/messages/unsubscribe-mails.js';
import type { IncomingReport } from '../domain/webhooks/incoming.js';

/** What a mail says of one recipient. `person`: it is taken for a mail that a person wrote. */
type MailClass = 'hard' | 'soft' | 'complaint' | 'automatic' | 'unsubscribed' | 'delivered' | 'none' | 'person';

interface IndexedMail {
  readonly file: string;
  readonly system: string;
  readonly class: MailClass;
  /** One for each recipient; none where the mail is about the mail itself. */
  readonly facts: readonly { readonly recipient: string; readonly class: MailClass; readonly reason?: string }[];
}

interface Comparison {
  readonly system: string;
  readonly expected: MailClass;
  readonly found: MailClass;
  readonly what: string;
}

/** The address to which the mails came: that of a message. */
const OWN_ADDRESS = 'bounces+msg_01JZ0000000000000000000000@example.com';
const LEAST_RIGHT = 0.95;
const MOST_SOFT_AS_HARD = 0.01;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name a folder: npm run bounces -- FOLDER');
  process.exit(2);
}
await main(folder, options.includes('--wrong'));

async function main(path: string, lists: boolean): Promise<void> {
  const index = JSON.parse(readFileSync(join(path, 'index.json'), 'utf8')) as IndexedMail[];
  const compared: Comparison[] = [];
  const before = process.cpuUsage();
  for (const mail of index) compared.push(...(await compare(path, mail)));
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000;
  printTable('Mail system', compared, ({ system }) => system);
  printTable('Class', compared, ({ expected }) => expected);
  printConfusion(compared);
  if (lists) for (const { what, expected, found } of compared) if (expected !== found) console.log(`${what}: ${expected}, read as ${found}`);
  const right = compared.filter(({ expected, found }) => expected === found).length / compared.length;
  const softs = compared.filter(({ expected }) => expected === 'soft');
  const softAsHard = softs.filter(({ found }) => found === 'hard').length / Math.max(1, softs.length);
  const people = compared.filter(({ found }) => found === 'person').length;
  console.log(`${index.length} mails, ${compared.length} recipients, ${(cpuMs / index.length).toFixed(2)} ms of CPU a mail`);
  console.log(`${percent(right)} right, ${percent(softAsHard)} of the soft ones read as hard, ${people} taken for people's`);
  process.exitCode = right < LEAST_RIGHT || softAsHard > MOST_SOFT_AS_HARD || people > 0 ? 1 : 0;
}

async function compare(path: string, { file, system, class: whole, facts }: IndexedMail): Promise<Comparison[]> {
  const bytes = readFileSync(join(path, file));
  const reports = await receiveMail(Buffer.concat([Buffer.from(`X-Original-To: ${OWN_ADDRESS}\r\n`), bytes]), Date.now());
  const recipients = facts.length > 0 ? facts : [{ recipient: '', class: whole }];
  return recipients.map(({ recipient, class: expected, ...more }) => ({
    system,
    expected,
    found: classOf(reports, recipient.toLowerCase()),
    what: `${file} <${recipient}> ${'reason' in more ? more.reason : ''}`,
  }));
}

/** What the reports of a mail say of a recipient: those that name it before those that name nobody, and these before any. */
function classOf(reports: readonly IncomingReport[], recipient: string): MailClass {
  const namesOf = (one: IncomingReport): string | null => (one.kind === 'receipt' ? (one.recipient?.toLowerCase() ?? null) : null);
  const exact = reports.filter((one) => namesOf(one) === recipient);
  const about = exact.length > 0 ? exact : reports.filter((one) => namesOf(one) === null);
  const classes = (about.length > 0 ? about : reports).map(meaningOf);
  return classes.find((one) => one === 'person') ?? classes.find((one) => one === 'hard') ?? classes[0] ?? 'none';
}

function meaningOf(report: IncomingReport): MailClass {
  if (report.kind === 'email') return isUnsubscribeSubject(report.subject) ? 'unsubscribed' : report.automatic ? 'automatic' : 'person';
  if (report.kind !== 'receipt') return 'none';
  const { kind, reason } = report.receipt;
  switch (kind) {
    case 'bounced':
      return reason === 'hard_bounce' ? 'hard' : 'soft';
    case 'deferred':
      return 'soft';
    case 'complained':
      return 'complaint';
    case 'unsubscribed':
    case 'delivered':
      return kind;
    default:
      return 'none';
  }
}

function printTable(title: string, compared: readonly Comparison[], keyOf: (one: Comparison) => string): void {
  const keys = [...new Set(compared.map(keyOf))].sort();
  console.log(`\n${title.padEnd(28)} recipients  right`);
  for (const key of keys) {
    const of = compared.filter((one) => keyOf(one) === key);
    const right = of.filter(({ expected, found }) => expected === found).length;
    console.log(`${key.padEnd(28)} ${String(of.length).padStart(10)}  ${percent(right / of.length).padStart(7)}`);
  }
}

function printConfusion(compared: readonly Comparison[]): void {
  const found = [...new Set(compared.map((one) => one.found))].sort();
  const expected = [...new Set(compared.map((one) => one.expected))].sort();
  console.log(`\n${'is \\ read as'.padEnd(14)}${found.map((name) => name.padStart(14)).join('')}`);
  for (const is of expected) {
    const counts = found.map((as) => compared.filter((one) => one.expected === is && one.found === as).length);
    console.log(`${is.padEnd(14)}${counts.map((n) => String(n).padStart(14)).join('')}`);
  }
  console.log();
}
