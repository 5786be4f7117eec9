import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { type Received, Receiver, type Script } from './receiver.js';
import { WebhookFixture, type WebhookFixtureOptions } from './webhook-fixture.js';

export const header = (received: Received, name: string): string => String(received.headers[name.toLowerCase()]);
/** The timestamp of the attempt, in milliseconds. */
export const sentAt = (received: Received): number => Number(header(received, 'X-Service-Timestamp'));

/** Gives each spec its own clock, and fixtures and receivers that are closed at its end. */
export function webhookFixtures() {
  let clock: SkippingClock;
  let ends: (() => unknown)[];
  beforeEach(() => {
    clock = new SkippingClock('2026-01-15T10:30:00.000Z');
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
  });

  return {
    clock: () => clock,
    atEnd: (end: () => unknown) => void ends.push(end),

    async startReceiver(script: Script): Promise<Receiver> {
      const started = await Receiver.start(clock, script);
      ends.push(() => started.close());
      return started;
    },

    startFixture(given: Partial<WebhookFixtureOptions> = {}): WebhookFixture {
      const started = new WebhookFixture({ log: openMemoryLog(), view: openMemoryViews({ clock }), clock, ...given }).start();
      ends.push(() => started.stop());
      return started;
    },
  };
}
