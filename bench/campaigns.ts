import { join } from 'node:path';
import { call, imported, type Setting, startCampaign, statsOf, untilStats } from './campaign-load.js';
import { type Figure, figure } from './figures.js';
import { environmentOf, newFolder } from './folders.js';
import { codePercentiles, codes, DispatchLog } from './one-time-codes.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { startService } from './processes.js';

const EXPANSION_AIM = { of: 'value', at: 'least', is: 5_000 } as const;

/** The work of campaigns: messages made of contacts, codes beside them, and the memory of one that is paused and canceled. */
export const campaignsPart: PartDefinition = { title: 'campaigns: making messages, codes beside them, pause and cancel', measure };

async function measure({ quick, messages, parent, say }: BenchContext): Promise<Measurement> {
  const count = messages;
  const folder = await newFolder(parent);
  const dispatchLogFile = join(folder.dir, 'hand-overs.log');
  const service = await startService({ ...environmentOf(folder), HELIOGRAPH_SANDBOX_LOG: dispatchLogFile });
  const dispatchLog = new DispatchLog(dispatchLogFile);
  try {
    await call(service, folder, 'PATCH', '/account/settings', { marketing_consent: { email: 'opt_out' }, quiet_hours: { enabled: false } });
    const list = await imported(service, folder, count);
    const atRest = service.memory();
    say(`  ${count} contacts imported, ${Math.round(atRest.now)} MB`);
    const setting = { service, folder, list, count };
    const whole = await sent(setting, quick ? 200 : 1_000, dispatchLog, say);
    const stopped = await canceled(setting, say);
    const { peak } = service.memory();
    return {
      dataset: `${count.toLocaleString('en-US')} contacts on a list, an email with two variables, all roles; the carrier is the sandbox; codes of the same account, one every 20 ms`,
      figures: [
        ...whole,
        ...stopped,
        figure('peak memory, import included', peak, 'MB'),
        figure('peak memory up to the end of the import', atRest.peak, 'MB'),
        figure('memory after the import', atRest.now, 'MB'),
      ],
    };
  } finally {
    dispatchLog.close();
    await service.kill();
  }
}

/** A whole campaign with codes beside it. */
async function sent(setting: Setting, sends: number, dispatchLog: DispatchLog, say: BenchContext['say']): Promise<Figure[]> {
  const { service, folder, count } = setting;
  const from = { at: performance.now(), cpu: service.cpuMs() };
  const id = await startCampaign(setting);
  const coded = codes(service, folder.apiKey, sends, dispatchLog);
  await untilStats(
    setting,
    id,
    ({ audience, skipped, queued, sent, suppressed }) => audience === count && queued + sent + suppressed + skipped === count,
  );
  const made = { ms: performance.now() - from.at };
  await untilStats(setting, id, ({ queued, audience }) => audience === count && queued === 0);
  const handed = { ms: performance.now() - from.at, cpu: service.cpuMs() - from.cpu };
  say(`  all messages are made after ${Math.round(made.ms)} ms, handed over after ${Math.round(handed.ms)} ms`);
  const times = await coded;
  return [
    figure('recipients a second, made', (1_000 * count) / made.ms, '/s', { bound: EXPANSION_AIM }),
    figure('recipients a second, handed over', (1_000 * count) / handed.ms, '/s'),
    figure('CPU a recipient, made and handed over, codes and receipts included', (1_000 * handed.cpu) / count, 'µs'),
    ...codePercentiles('beside a campaign of the account', times),
  ];
}

/** A campaign that is paused after a quarter of its messages, and then canceled. */
async function canceled(setting: Setting, say: BenchContext['say']): Promise<Figure[]> {
  const { service, folder, count } = setting;
  const id = await startCampaign(setting);
  await untilStats(setting, id, ({ queued, sent, suppressed }) => queued + sent + suppressed >= count / 4);
  await call(service, folder, 'POST', `/campaigns/${id}/pause`);
  const paused = service.memory().now;
  const from = performance.now();
  await call(service, folder, 'POST', `/campaigns/${id}/cancel`);
  await untilStats(setting, id, ({ queued }) => queued === 0);
  const ms = performance.now() - from;
  const { sent, canceled: ended } = await statsOf(setting, id);
  say(`  canceled after ${Math.round(ms)} ms: ${sent} were handed over, ${ended} canceled`);
  return [figure('memory at the pause', paused, 'MB'), figure('from the cancel until nothing waits', ms, 'ms')];
}
