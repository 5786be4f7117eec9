import type { SealedListEvent, SealedSuppressionEvent } from '../../../domain/suppressions/suppression.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { askAll, bodyOf, hotAddress, nameOf, PHONES, pickOrNull, succeeded } from '../recipients.js';
import type { Run } from '../run.js';
import type { Random } from '../world/random.js';

const PATH = '/v1/account/unsubscribes';
const ADD = /^\/v1\/account\/unsubscribes$/;
const LINK = /\/v1\/public\/unsubscribe\/[\w.~-]+/;
const PREFERENCES = /\/v1\/public\/preferences\/[\w.~-]+/;

/** Suppresses addresses one by one, by imports, by links and on pages, and lifts that. Receipts of the carrier suppress, too. */
export const suppressions: Capability = {
  name: 'suppressions',
  begin(run) {
    const random = run.world.random('suppressions');
    let nth = 0;
    const key = () => `suppressions-${++nth}`;
    const about = () => ({
      ...onSomeChannel(random),
      source: nameOf(run),
      ...(random.chance(0.5) && { reason: random.pick(['unsubscribed', 'manual', 'legal', 'complained']) }),
      ...(random.chance(0.4) && { scope: random.pick(['marketing', 'all']) }),
    });
    return {
      actions: [
        { name: 'suppress an address', weight: 1, act: async () => void (await run.caller.send('POST', PATH, about(), key())) },
        {
          name: 'import suppressions',
          weight: 0.5,
          act: async () => {
            const entries = Array.from({ length: random.integer(1, 6) }, about);
            await run.caller.send('POST', `${PATH}/api/import`, { entries, ...(random.chance(0.2) && { dry_run: true }) }, key());
          },
        },
        {
          name: 'lift a suppression',
          weight: 2,
          act: async () => {
            const added = pickOrNull(random, succeeded(run, 'POST', ADD));
            if (added) await run.caller.send('DELETE', `${PATH}/${bodyOf(added).id}`, { reason: `asked for it: ${nameOf(run)}`, proof: nameOf(run) });
          },
        },
        {
          name: 'unsubscribe by a link',
          weight: 0.7,
          act: async () => {
            const links = run.outside.live.flatMap(({ message }) => LINK.exec(JSON.stringify(message.headers ?? {}))?.[0] ?? []);
            const link = pickOrNull(random, links);
            if (link) await run.caller.send('POST', link, { 'List-Unsubscribe': 'One-Click' });
          },
        },
        {
          name: 'choose on the preference page',
          weight: 0.7,
          act: async () => {
            const pages = run.outside.live.flatMap(({ message }) => PREFERENCES.exec(message.content.message)?.[0] ?? []);
            const page = pickOrNull(random, pages);
            if (page) await choose(run, page);
          },
        },
        {
          name: 'a text with a keyword',
          weight: 1.2,
          act: async () => {
            // The same id twice is a carrier that repeats its report.
            const id = `in-${random.integer(1, 40)}`;
            const text = random.pick(['STOP', 'START', 'START', 'HELP', 'thank you']);
            await run.caller.send('POST', '/v1/sandbox/inbound', { from: random.pick(PHONES), text, id }, key());
          },
        },
      ],
      check,
    };
  },
};

function onSomeChannel(random: Random): object {
  const address = hotAddress(random);
  const channel = random.pick(['all', ...('email' in address ? ['email'] : ['sms', 'whatsapp', 'rcs'])]);
  return { ...address, ...(random.chance(0.4) && { channel }) };
}

/** Opens the page, and sends its form with some of the channels and lists that it offers. */
async function choose({ caller, world }: Run, page: string): Promise<void> {
  const random = world.random('suppressions');
  const { response } = await caller.send('GET', page);
  if (response?.status !== 200) return;
  const offered = (field: string): string[] =>
    [...response.body.matchAll(new RegExp(`name="${field}" value="([^"]+)"`, 'g'))].map(([, value]) => value);
  const [shown, shown_list] = [offered('shown'), offered('shown_list')];
  const some = (names: readonly string[]) => names.filter(() => random.chance(0.5));
  await caller.send('POST', page, { shown, channel: some(shown), shown_list, list: some(shown_list) });
}

/** A reason of an entry, as the events say. */
interface Reason {
  readonly scope: string;
  readonly via: string | null;
}

function reasonsAfter(before: ReadonlyMap<string, Reason>, { type, data }: SealedListEvent): Map<string, Reason> {
  const after = new Map(before);
  if (type === 'SuppressionLifted') for (const reason of data.reasons) after.delete(reason);
  else after.set(data.reason, { scope: before.get(data.reason)?.scope === 'all' ? 'all' : data.scope, via: data.via });
  return after;
}

/** The events of the list in the order of their streams, each with the reasons of its entry (address and channel) before it. */
function* replay({ byStream }: Final) {
  for (const [stream, events] of byStream) {
    if (!stream.startsWith('suppression-')) continue;
    const entries = new Map<string, Map<string, Reason>>();
    for (const { event } of events as readonly LogEvent<SealedSuppressionEvent>[]) {
      if (event.type === 'SuppressionExcepted') continue;
      const reasons = entries.get(event.data.suppression_id) ?? new Map<string, Reason>();
      yield { event, before: reasons };
      entries.set(event.data.suppression_id, reasonsAfter(reasons, event));
    }
    yield { entries };
  }
}

/** By entry, its active reasons as `reason scope`. */
function activeReasons(final: Final): ReadonlyMap<string, readonly string[]> {
  const active = new Map<string, readonly string[]>();
  for (const { entries } of replay(final))
    for (const [id, reasons] of entries ?? []) active.set(id, [...reasons].map(([reason, { scope }]) => `${reason} ${scope}`).sort());
  return active;
}

/** A page and a confirmed double opt-in lift an opt-out from marketing that came by a page or a link, START lifts a STOP, and nothing else is lifted by them. */
function liftedByOthers(final: Final): string[] {
  const problems: string[] = [];
  for (const { event, before } of replay(final)) {
    if (event?.type !== 'SuppressionLifted' || event.data.by === 'request') continue;
    for (const reason of event.data.reasons) {
      const { scope, via } = before?.get(reason) ?? {};
      const own = reason === 'unsubscribed' && scope === 'marketing' && (via === 'page' || via === 'one_click');
      if (event.data.by === 'keyword' ? reason === 'stop_keyword' : own) continue;
      problems.push(`${event.data.by} lifted ${reason} ${scope} by ${via} of the suppression ${event.data.suppression_id}`);
    }
  }
  return problems;
}

async function check(final: Final): Promise<string[]> {
  const { run } = final;
  const active = activeReasons(final);
  const added = succeeded(run, 'POST', ADD).map((exchange) => bodyOf(exchange).id as string);
  const problems = added.filter((id) => !active.has(id)).map((id) => `the suppression ${id} was answered and is not on record`);
  const listed = await askAll(run, PATH);
  const ids = new Set(listed.map(({ id }) => id));
  for (const [id, reasons] of active) if (reasons.length > 0 && !ids.has(id)) problems.push(`the suppression ${id} is active and not listed`);
  for (const { id, reasons, scope } of listed) {
    const shown = (reasons as { reason: string; scope: string }[]).map((one) => `${one.reason} ${one.scope}`).sort();
    const expected = active.get(id) ?? [];
    if (shown.join() !== expected.join())
      problems.push(`the suppression ${id} is listed with ${shown.join()}, on record are ${expected.join() || 'none'}`);
    const widest = expected.some((one) => one.endsWith(' all')) ? 'all' : 'marketing';
    if (scope !== widest) problems.push(`the suppression ${id} is listed with the scope ${scope}, its widest is ${widest}`);
  }
  return [...problems, ...liftedByOthers(final)];
}
