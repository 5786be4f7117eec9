import type { Dns } from '../../../domain/kernel/dns.js';

/** RFC 7208, 4.6.4: a receiver asks no more of these for one mail. */
const MOST_LOOKUPS = 10;

/**
 * Whether a record of SPF has a mechanism such as `include:amazonses.com`, also by the records that it includes or redirects to. `silent`
 * where it was not found and a name server has not answered.
 */
export async function spfIncludes(dns: Dns, record: string, mechanism: string): Promise<boolean | 'silent'> {
  const wanted = mechanism.toLowerCase();
  const asked = new Set<string>();
  const left = [record];
  let silent = false;
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const terms = next
      .toLowerCase()
      .split(/\s+/)
      .map((term) => term.replace(/^[+]/, ''));
    if (terms.includes(wanted)) return true;
    for (const term of terms) {
      const name = /^(?:include:|redirect=)([a-z0-9._-]+)$/.exec(term)?.[1];
      if (name === undefined || asked.has(name) || asked.size >= MOST_LOOKUPS) continue;
      asked.add(name);
      const answer = await dns.txt(name);
      if (answer === 'silent') silent = true;
      else if (answer !== 'none') left.push(...answer.filter((text) => /^v=spf1(?: |$)/i.test(text)));
    }
  }
  return silent ? 'silent' : false;
}
