import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { keyFingerprint, signingKey, verifyDocument } from '../../formats/consent/signed-document.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import { type Audit, auditConsent, signedAudit } from './consent-audit.js';
import { requireAccount } from './listed-accounts.js';
import { print, withApplication } from './runtime.js';

interface AuditOptions {
  readonly account: string;
  readonly address: string;
  readonly asOf?: string;
  readonly export?: string;
  readonly json?: boolean;
}

interface VerifyOptions {
  readonly fingerprint?: string;
  readonly json?: boolean;
}

/** `audit consent`, `audit verify` and `audit key`. */
export function auditCommands(program: Command): void {
  const audit = program.command('audit').description('Consents, read from the log alone, and checks of signed exports.');

  audit
    .command('consent')
    .description('Show everything about an address: the contacts that have or had it, consents with their proof, lists, suppressions.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .requiredOption('--address <address>', 'an email address, or a phone number with country prefix', addressOption)
    .option('--as-of <time>', 'the state at that time, RFC 3339', parseTime)
    .option('--export <file>', 'also write a signed document, which `audit verify` checks')
    .option('--json', 'one JSON document')
    .action(({ account, address, asOf, export: file, json }: AuditOptions) =>
      withApplication(async ({ log, vault, purposeKey, clock }) => {
        await requireAccount(log, account);
        const now = new Date(clock.now()).toISOString();
        const [address_key, ...other_keys] = keysOfAddress(vault, account, address);
        const question = { account, address_key, other_keys, as_of: asOf ?? null, now };
        const found = await auditConsent(log, question);
        if (file !== undefined)
          writeFileSync(file, `${JSON.stringify(signedAudit(found, signingKey(purposeKey('consent-export'))))}\n`, { mode: 0o600 });
        print(found, json, () => formatAudit(found));
      }),
    );

  audit
    .command('verify')
    .description('Check a signed export of consents offline. Needs neither this service nor its data.')
    .argument('<file>', 'the export, byte for byte as downloaded')
    .option('--fingerprint <fingerprint>', 'fingerprint of the key that must have signed it, SHA256:…')
    .option('--json', 'one JSON document')
    .action(verify);

  audit
    .command('key')
    .description('Show the fingerprint of the key that signs the exports of this installation.')
    .option('--json', 'one JSON document')
    .action(({ json }: { json?: boolean }) =>
      withApplication(async ({ purposeKey }) => {
        const key = signingKey(purposeKey('consent-export')).public;
        print({ public_key: key, fingerprint: keyFingerprint(key) }, json, () => [keyFingerprint(key)]);
      }),
    );
}

function verify(file: string, { fingerprint, json }: VerifyOptions): void {
  const verified = verifyDocument(readFileSync(file));
  if (!verified.valid) throw new Error(`${file} is not valid: ${verified.problem}`);
  if (fingerprint !== undefined && fingerprint !== verified.fingerprint) {
    throw new Error(`${file} was signed by another key: ${verified.fingerprint}`);
  }
  const entries = (verified.document.entries as readonly unknown[]).length;
  const result = { valid: true, fingerprint: verified.fingerprint, format: verified.document.format, entries };
  print(result, json, () => [
    `${file} is valid: ${entries} entries, none changed, none missing`,
    `signed by ${verified.fingerprint}${fingerprint === undefined ? ' (compare it with what `heliograph audit key` prints)' : ', as expected'}`,
  ]);
}

/** An option's address, normalized. */
export function addressOption(text: string): string {
  const address = text.includes('@') ? normalizeEmail(text) : normalizePhone(text);
  if (address === null) throw new InvalidArgumentError('Use an email address, or a phone number with country prefix.');
  return address;
}

function parseTime(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Use a time like 2026-01-15T10:30:00Z.');
  return new Date(ms).toISOString();
}

/** An audit as lines of text. */
function formatAudit({ address_key, as_of, contacts, suppressions, entries }: Audit): string[] {
  const lines = [`address key  ${address_key}`, `as of        ${as_of ?? 'now'}`];
  if (contacts.length === 0) lines.push('contacts     none has or had this address');
  for (const { id, status, merged_ids, email, phone, standing, memberships } of contacts) {
    lines.push('', `contact      ${id} (${status})${merged_ids.length > 0 ? `, with ${merged_ids.join(', ')}` : ''}`);
    lines.push(`  email      ${String(email ?? '–')}`, `  phone      ${String(phone ?? '–')}`);
    for (const one of standing)
      lines.push(`  consent    ${one.channel} for ${one.purpose}: ${one.status} since ${one.occurred_at} (${one.lawful_basis}, ${one.event_id})`);
    for (const { list_id, status: on, since } of memberships) lines.push(`  list       ${list_id}: ${on} since ${since}`);
  }
  lines.push('', `do-not-contact list: ${suppressions.standing.length === 0 ? 'no entries' : ''}`);
  for (const { channel, reason, source, occurred_at } of suppressions.standing)
    lines.push(`  ${channel}: ${reason} since ${occurred_at} (${source})`);
  lines.push('', `ledger: ${entries.length} entries`);
  for (const one of entries) {
    lines.push(
      `  ${one.occurred_at}  ${one.status} ${one.channel} for ${one.purpose}, ${one.lawful_basis}, from ${one.source}, by ${one.cause.kind} ${one.cause.id}`,
    );
    const proof = Object.entries(one.proof).filter(([, value]) => value !== null);
    if (proof.length > 0) lines.push(`    proof: ${proof.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ')}`);
  }
  return lines;
}
