import type { Command } from 'commander';
import { type CarrierName, carrierNames, carrierOf, createCarrier, isConfigured, neededVariables } from '../../carriers/registry.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { type Config, loadConfig } from '../app/config/config.js';
import { systemClock } from '../system/clock.js';
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
    .description('Ask each configured carrier whether it accepts the settings. Sends no message. Exit code 1 if one does not.')
    .option('--json', 'one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const results = await checkAll(loadConfig(process.env));
      if (results.some(({ problem }) => problem !== null)) process.exitCode = 1;
      print({ carriers: results }, json, () =>
        results.length === 0 ? ['No carrier is configured.'] : results.map(({ name, problem }) => `${name}  ${problem ?? 'ok'}`),
      );
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

/** `problem`: null where the carrier accepts the settings. */
async function checkAll({ carriers, publicUrl }: Config): Promise<{ readonly name: CarrierName; readonly problem: string | null }[]> {
  const configured = carrierNames.filter((name) => carriers[name] !== undefined && isConfigured(name, carriers));
  const http = createCarrierHttp();
  return Promise.all(
    configured.map(async (name) => {
      const carrier = createCarrier(name, carriers, { http, clock: systemClock, publicUrl });
      return { name, problem: (await carrier.check?.(AbortSignal.timeout(CHECK_MS))) ?? null };
    }),
  );
}
