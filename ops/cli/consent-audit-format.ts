import type { Audit } from './consent-audit.js';

/** An audit as lines of text. */
export function formatAudit({ address_key, as_of, contacts, suppressions, entries }: Audit): string[] {
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
