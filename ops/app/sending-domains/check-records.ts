/** Compares what the DNS has with what receivers look for. */
import type { SendingCheck, SendingRecord } from '../../../carriers/runtime/sending-records.js';
import type { Dns, DnsAnswer } from '../../../domain/kernel/dns.js';
import type { SendingCheckResult, SendingCheckStatus } from '../../../domain/messages/sending-domain.js';
import { spfIncludes } from './spf.js';

interface Result extends Pick<SendingCheckResult, 'status'> {
  readonly found: readonly string[];
  readonly hint?: string;
}

/** The result of a check of a carrier. */
export async function checkRecord(dns: Dns, carrier: string, check: SendingCheck): Promise<SendingCheckResult> {
  const { kind, record, hint = null } = check;
  if (record === null) return { kind, carrier, status: check.status, type: null, name: null, found: [], expected: null, hint };
  const { type, name, value } = record;
  const { status, found, hint: problem } = await (type === 'CNAME' ? checkCname : kind === 'spf' ? checkSpf : checkKey)(dns, record);
  return { kind, carrier, status, type, name, found: [...found], expected: value, hint: problem ?? (status === 'ok' ? null : hint) };
}

const SILENT: Result = { status: 'unknown', found: [], hint: 'No name server has answered. Try again.' };

/** What is wrong with records of which there must be one. */
function severalOf(found: readonly string[], what: string): Result | null {
  return found.length > 1
    ? { status: 'wrong', found, hint: `There are ${found.length} records of ${what}: receivers then ignore all of them. Keep one.` }
    : null;
}

async function checkCname(dns: Dns, { name, value }: SendingRecord): Promise<Result> {
  const found = await dns.cname(name);
  if (found === 'silent') return SILENT;
  if (found === 'none') return { status: 'missing', found: [] };
  return { status: found.includes(value.toLowerCase().replace(/\.$/, '')) ? 'ok' : 'wrong', found };
}

const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

async function checkSpf(dns: Dns, { name, include = null }: SendingRecord): Promise<Result> {
  const answer = await dns.txt(name);
  if (answer === 'silent') return SILENT;
  const found = textsOf(answer).filter(isSpf);
  const [only] = found;
  if (only === undefined) return { status: 'missing', found: [] };
  const several = severalOf(found, 'SPF');
  if (several) return several;
  if (include === null) return { status: 'ok', found };
  const includes = await spfIncludes(dns, only, include);
  if (includes === 'silent') return { ...SILENT, found };
  return includes ? { status: 'ok', found } : { status: 'wrong', found, hint: `Add ${include} to this record: a domain has one record of SPF.` };
}

const isKey = (text: string): boolean => tagsOf(text).has('p') && (tagsOf(text).get('v') ?? 'DKIM1') === 'DKIM1';

async function checkKey(dns: Dns, { name, value }: SendingRecord): Promise<Result> {
  const answer = await dns.txt(name);
  if (answer === 'silent') return SILENT;
  const found = textsOf(answer).filter(isKey);
  if (found.length === 0) return { status: 'missing', found: [] };
  const several = severalOf(found, 'DKIM');
  if (several) return several;
  const keyOf = (text: string) => tagsOf(text).get('p')?.replace(/\s/g, '');
  const isSame = keyOf(found[0] ?? '') === keyOf(value);
  return { status: isSame ? 'ok' : 'wrong', found, ...(!isSame && { hint: 'This is another key than the one that signs.' }) };
}

/** Where DMARC says nothing of the domain itself, its parents do (RFC 7489, 6.6.3, and the walk up the tree of its successor). */
export async function checkDmarc(dns: Dns, domain: string): Promise<SendingCheckResult> {
  const labels = domain.split('.');
  const names = labels.slice(0, -1).map((_, at) => `_dmarc.${labels.slice(at).join('.')}`);
  const expected = `v=DMARC1; p=none; rua=mailto:dmarc@${domain}`;
  const about = { kind: 'dmarc', carrier: null, type: 'TXT', expected } as const;
  for (const name of names.slice(0, MOST_ASKED)) {
    const { status, found, hint = null } = await checkPolicy(dns, name);
    if (status !== 'missing') return { ...about, name, status, found: [...found], hint };
  }
  const hint = 'Begin with p=none, which changes nothing and has reports sent to you.';
  return { ...about, name: names[0] ?? null, status: 'missing', found: [], hint };
}
const MOST_ASKED = 5;

async function checkPolicy(dns: Dns, name: string): Promise<Result> {
  const answer = await dns.txt(name);
  if (answer === 'silent') return SILENT;
  const found = textsOf(answer).filter((text) => /^v\s*=\s*DMARC1\b/i.test(text));
  if (found.length === 0) return { status: 'missing', found: [] };
  const several = severalOf(found, 'DMARC');
  if (several) return several;
  const policy = tagsOf(found[0] ?? '')
    .get('p')
    ?.toLowerCase();
  const status: SendingCheckStatus = policy !== undefined && ['none', 'quarantine', 'reject'].includes(policy) ? 'ok' : 'wrong';
  return { status, found, ...(status === 'wrong' && { hint: 'It needs a policy: p=none, p=quarantine or p=reject.' }) };
}

const textsOf = (answer: Exclude<DnsAnswer, 'silent'>): readonly string[] => (answer === 'none' ? [] : answer);

/** `v=DKIM1; p=…` by the names of its tags. */
function tagsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf('=');
      return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]];
    }),
  );
}
