import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { bulks } from './bulks.js';
import { campaignSmtpPart } from './campaign-smtp.js';
import { campaignsPart } from './campaigns.js';
import { commit, withCommitted } from './committed.js';
import { contactsPart } from './contacts.js';
import { engines } from './engines/part.js';
import { figureTable, type Part } from './figures.js';
import { type DataFolder, newFolder } from './folders.js';
import { growingStreams } from './growing-streams.js';
import { importPart } from './imports.js';
import { inboxPart } from './inbox.js';
import { journeysPart } from './journeys.js';
import { largeRequests } from './large-requests.js';
import { latencies } from './latencies.js';
import { lifePart } from './life.js';
import { machine, machineText } from './machine.js';
import { oneTimeCodes } from './one-time-codes.js';
import type { BenchContext, PartDefinition } from './part.js';
import { pausedCampaign } from './paused-campaign.js';
import { runJob } from './processes.js';
import { push } from './push.js';
import { rebuilding } from './rebuild.js';
import { rebuildingAll } from './rebuild-all.js';
import { receipts } from './receipts.js';
import { scores } from './scores.js';
import { searchPart } from './search.js';
import type { SeedJob } from './seed.js';
import { segmentEntries } from './segment-entries.js';
import { segmentMemberships } from './segments.js';
import { sends } from './sends.js';
import { silentReceiver } from './silent-receiver.js';
import { webhooksPart } from './webhooks.js';

/**
 * `npm run bench`: measures the service, each figure with a reference of the same run, alternating. What
 * counts is the ratio: unlike the absolute figures it also applies to other and to busy machines. The first parts, which have names
 * of their own, are compared with committed figures.
 */
const parts: Readonly<Record<string, PartDefinition>> = {
  life: lifePart,
  'campaign-smtp': campaignSmtpPart,
  import: importPart,
  a: sends,
  b: bulks,
  d: rebuilding,
  e: latencies,
  g: engines,
  h: contactsPart,
  j: growingStreams,
  k: oneTimeCodes,
  l: largeRequests,
  m: rebuildingAll,
  n: webhooksPart,
  o: silentReceiver,
  p: receipts,
  q: campaignsPart,
  r: pausedCampaign,
  s: segmentMemberships,
  t: journeysPart,
  u: push,
  v: inboxPart,
  w: scores,
  x: segmentEntries,
  y: searchPart,
};

const MESSAGES = 1_000_000;
const QUICK_MESSAGES = 50_000;

interface Options {
  readonly only: string[];
  readonly quick: boolean;
  readonly messages?: number;
  readonly json: boolean;
  readonly record: boolean;
  readonly dir: string;
}

const {
  only,
  quick,
  messages = quick ? QUICK_MESSAGES : MESSAGES,
  json,
  record,
  dir,
} = new Command('bench')
  .description('Measures the service. Progress goes to standard error, figures to standard output.')
  .option(
    '--only <parts>',
    `parts to measure, with commas: ${Object.entries(parts)
      .map(([name, { title }]) => `\n${name}: ${title}`)
      .join('')}`,
    partNames,
    Object.keys(parts),
  )
  .option('--quick', 'fewer and shorter rounds, and smaller stores', false)
  .option('--messages <count>', `messages of the full store (${MESSAGES}, with --quick ${QUICK_MESSAGES})`, wholeNumber)
  .option('--dir <folder>', 'parent of the data folders, on the disk to measure', tmpdir())
  .option('--record', 'write the figures into bench/committed.json, beside which later runs show theirs', false)
  .option('--json', 'print one JSON document', false)
  .parse()
  .opts<Options>();

function partNames(text: string): string[] {
  const wanted = text.split(',').map((name) => name.trim());
  for (const name of wanted) if (!Object.hasOwn(parts, name)) throw new InvalidArgumentError(`Unknown part '${name}'.`);
  return wanted;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const parent = mkdtempSync(join(dir, 'heliograph-bench-'));
process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Stores grow and are shared: the store of the rebuild becomes the full one. */
function stores(): BenchContext['store'] {
  let folder: DataFolder | undefined;
  let filled = 0;
  return async (wanted, views) => {
    folder ??= await newFolder(parent);
    const startedAt = performance.now();
    const task: SeedJob = { dir: folder.dir, account: folder.account, from: Math.min(filled, wanted), to: wanted, views };
    await runJob<SeedJob, null>('./seed.js', task);
    filled = Math.max(filled, wanted);
    say(`  a store of ${filled} messages was filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    return folder;
  };
}

const on = machine(parent);
say(machineText(on));
const context: BenchContext = { quick, messages, parent, say, store: stores() };
const measured: Part[] = [];
const startedAt = performance.now();
for (const name of only) {
  const { title, measure } = parts[name] as PartDefinition;
  say(`(${name}) ${title}`);
  const start = performance.now();
  measured.push(withCommitted({ name, title, ...(await measure(context)), seconds: (performance.now() - start) / 1_000 }));
}
if (record) commit(measured, on, quick);
const seconds = (performance.now() - startedAt) / 1_000;
const missed = measured.flatMap(({ figures }) => figures).filter(({ met }) => met === false).length;
if (json) process.stdout.write(`${JSON.stringify({ machine: on, quick, seconds, parts: measured })}\n`);
else
  process.stdout.write(
    `\n${machineText(on)}\n\n${measured.map(figureTable).join('\n\n')}\n\n${missed === 0 ? 'All bounds met' : `${missed} bounds missed`}, ${Math.round(seconds)} s${quick ? '; a quick run, for orientation only' : ''}.\n`,
  );
