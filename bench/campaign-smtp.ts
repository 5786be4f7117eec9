import { call, imported, type Setting, startCampaign, untilStats } from './campaign-load.js';
import { echoPrice } from './echo-price.js';
import { type Figure, figure, medianOf } from './figures.js';
import { environmentOf, newFolder, waitUntilNoneIs } from './folders.js';
import type { LoadJob, LoadResult } from './load.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startService, startSmtpSink } from './processes.js';

const FULL = { warmUp: 5_000, mails: 20_000, singles: 3_000, rounds: 3 };
const QUICK = { warmUp: 2_000, mails: 4_000, singles: 1_000, rounds: 1 };
const CONNECTIONS = 16;
const POLL_MS = 250;

/** Mails by SMTP to a local server whose CPU is not counted: those of a campaign, and single ones. */
export const campaignSmtpPart: PartDefinition = { title: 'campaign by SMTP, and transactional mails by SMTP', measure };

const template = {
  name: 'News',
  channel: 'email',
  subject: 'Hello {{ contact.first_name }}',
  html: '<html><body><p>Hi {{ contact.first_name }},</p><p>here are <a href="https://shop.example/news">the news of {{ campaign.name }}</a>.</p></body></html>',
};

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const { warmUp, mails, singles, rounds } = quick ? QUICK : FULL;
  const folder = await newFolder(parent);
  const echo = await echoPrice();
  const sink = await startSmtpSink();
  const service = await startService({
    ...environmentOf(folder),
    HELIOGRAPH_ROUTES: '{"email":["smtp"]}',
    HELIOGRAPH_SMTP_TRACKING: 'true',
    HELIOGRAPH_PUBLIC_URL: 'https://click.example',
    SMTP_URL: sink.url,
    EMAIL_FROM: 'Shop <news@shop.example>',
  });
  try {
    await call(service, folder, 'PATCH', '/account/settings', { marketing_consent: { email: 'opt_out' }, quiet_hours: { enabled: false } });
    const { id: template_id } = await call<{ id: string }>(service, folder, 'POST', '/templates', template);
    const setting = async (count: number, prefix: string): Promise<Setting> => ({
      ...{ service, folder, count },
      list: await imported(service, folder, count, { prefix }),
    });
    const few = await setting(warmUp, 'first');
    const all = await setting(mails, 'reader');
    await campaign(few, template_id);
    await echo.again();
    service.resetPeak();
    const { cpu, seconds } = await campaign(all, template_id);
    const { peak } = service.memory();
    await echo.again();
    say(`  campaign: ${Math.round(cpu)} µs a mail, ${Math.round(mails / seconds)} mails a second, echo ${Math.round(echo.reference.value)} µs`);
    const single: number[] = [];
    // The first round compiles.
    for (let round = 0; round <= rounds; round++) {
      const price = await mailsOneByOne(service, folder.apiKey, singles);
      await echo.again();
      if (round > 0) single.push(price);
    }
    const { reference } = echo;
    return {
      dataset: `a campaign of ${mails.toLocaleString('en-US')} mails with a template and one tracked link after one of ${warmUp.toLocaleString('en-US')}, then ${singles.toLocaleString('en-US')} single mails, the median of ${rounds} rounds; all roles; the mail server is a process of its own`,
      figures: [
        figure('campaign, a mail', cpu, 'µs', { reference, bound: most(600) }),
        figure('campaign, mails a second', mails / seconds, '/s', { bound: { of: 'value', at: 'least', is: 2_500 } }),
        figure('memory during the campaign, peak', peak, 'MB', { bound: most(500) }),
        figure('transactional mail, whole life', medianOf(single), 'µs', { reference, bound: most(1_000) }),
      ] satisfies Figure[],
    };
  } finally {
    await Promise.all([service.kill(), sink.kill(), echo.end()]);
  }
}

const most = (is: number) => ({ of: 'value', at: 'most', is }) as const;

/** From the start of a campaign until all of its mails are handed over: microseconds of CPU a mail, and seconds in all. */
async function campaign(setting: Setting, template_id: string): Promise<{ readonly cpu: number; readonly seconds: number }> {
  const { service, count } = setting;
  const from = { at: performance.now(), cpuMs: service.cpuMs() };
  const id = await startCampaign(setting, { template_id });
  await untilStats(setting, id, ({ audience, queued, sent, skipped, suppressed }) => {
    if (skipped + suppressed > 0) throw new Error('mails of the campaign were not sent');
    return audience === count && queued === 0 && sent === count;
  });
  return { cpu: (1_000 * (service.cpuMs() - from.cpuMs)) / count, seconds: (performance.now() - from.at) / 1_000 };
}

/** Microseconds of CPU a mail, from its request until it is handed over. */
async function mailsOneByOne(service: Server, apiKey: string, count: number): Promise<number> {
  const from = service.cpuMs();
  const job: LoadJob = { url: service.url, apiKey, connections: CONNECTIONS, seconds: 1, amount: count, post: '/v1/messages/send', body: 'email' };
  await runJob<LoadJob, LoadResult>('./load.js', job);
  await waitUntilNoneIs(['queued', 'sending'], service.url, apiKey, POLL_MS);
  return (1_000 * (service.cpuMs() - from)) / count;
}
