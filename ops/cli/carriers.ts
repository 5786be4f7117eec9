import type { Command } from 'commander';
import { type CarrierName, carrierNames, carrierOf, createCarrier, isConfigured, neededVariables } from '../../carriers/registry.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { carrierSenderProblems } from '../../carriers/runtime/senders.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { SendingDomain } from '../../domain/messages/sending-domain.js';
import { domainOfSender } from '../../formats/messages/mailbox.js';
import { type Config, loadConfig } from '../app/config/config.js';
import { accountCarrierTexts } from '../app/ports/senders.js';
import { domainReport } from '../app/sending-domains/sending-domains.js';
import { systemClock } from '../system/clock.js';
import { systemDns } from '../system/dns.js';
import { print, printTable } from './runtime.js';

const CHECK_MS = 30_000;

interface CarrierState {
  readonly name: CarrierName;
  readonly channels: readonly string[];
  readonly configured: boolean;
  /** The channels whose routes name it. */
  readonly routes: readonly string[];
  /** The variables it needs to send. */
  readonly needs: string;
  /** Those of its variables that are set; never their values. */
  readonly set: readonly string[];
}

/** `carriers list|check`: what carriers are configured, and whether they accept the credentials. */
export function carrierCommands(program: Command): void {
  const carriers = program.command('carriers').description('Show the carriers, or ask them whether they accept their settings.');

  carriers
    .command('list')
    .description('Show all carriers: what they need, what is set, and which channels they serve.')
    .option('--json', 'one JSON document')
    .action(({ json }: { json?: boolean }) => {
      const states = statesOf(loadConfig(process.env));
      return printTable({ carriers: states }, json, ['carrier', 'for', 'serves', 'status'], () =>
        states.map(({ name, configured, channels, routes, needs }) => [
          name,
          channels.join(','),
          routes.join(',') || 'nothing',
          configured ? 'configured' : `needs ${needs}`,
        ]),
      );
    });

  carriers
    .command('check')
    .description(
      'Ask each configured carrier whether it accepts the settings, and the DNS about the domain of its sender. Sends no message. Exit code 1 if a carrier does not.',
    )
    .option('--json', 'one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const results = await checkAll(loadConfig(process.env));
      if (results.some(({ problem }) => problem !== null)) process.exitCode = 1;
      print({ carriers: results }, json, () => (results.length === 0 ? ['No carrier is configured.'] : results.flatMap(linesOf)));
    });
}

const statesOf = ({ carriers, routes }: Config): CarrierState[] =>
  carrierNames.map((name) => ({
    name,
    channels: carrierOf(name).channels,
    configured: isConfigured(name, carriers),
    routes: channelNames.filter((channel) => routes[channel]?.includes(name)),
    needs: neededVariables(name),
    set: Object.keys(carriers[name] ?? {}).flatMap((field) => ownField(carrierOf(name).fields, field)?.env ?? []),
  }));

interface CarrierCheck {
  readonly name: CarrierName;
  /** Null where the carrier accepts the settings. */
  readonly problem: string | null;
  /** What is wrong with the sender of its settings. */
  readonly sender?: string;
  /** What the DNS says of the domain of its sender; of carriers of email that have one. */
  readonly domain?: SendingDomain;
}

function linesOf({ name, problem, sender, domain }: CarrierCheck): string[] {
  const checks = (domain?.checks ?? []).map(({ kind, status, type, name: at, expected, hint }) => {
    const record = status === 'ok' || type === null ? '' : `  ${at} ${type} ${expected}`;
    return `  ${domain?.domain}  ${kind} ${status}${record}${status === 'ok' || hint === null ? '' : `  ${hint}`}`;
  });
  return [`${name}  ${problem ?? 'ok'}`, ...(sender === undefined ? [] : [`  ${sender}`]), ...checks];
}

async function checkAll({ carriers, publicUrl, dnsServers }: Config): Promise<CarrierCheck[]> {
  const configured = carrierNames.filter((name) => carriers[name] !== undefined && isConfigured(name, carriers));
  const http = createCarrierHttp();
  const dns = systemDns(dnsServers);
  return Promise.all(
    configured.map(async (name) => {
      const carrier = createCarrier(name, carriers, { http, clock: systemClock, publicUrl });
      const { from } = accountCarrierTexts({ carriers }, null, name);
      const [wrong] = from === undefined ? [] : carrierSenderProblems(carrierOf(name), from, 'from');
      const sendsFrom = carrier.sendingChecks && from !== undefined ? domainOfSender(from) : null;
      const [problem, domain] = await Promise.all([
        carrier.check?.(AbortSignal.timeout(CHECK_MS)),
        sendsFrom === null ? null : domainReport(dns, sendsFrom, [carrier], systemClock.now()),
      ]);
      return { name, problem: problem ?? null, ...(wrong && { sender: wrong.message }), ...(domain && { domain }) };
    }),
  );
}
