import { expect } from 'chai';
import { defaultSettings, mergeSettings, type SettingsPatch } from '../../domain/accounts/settings.js';
import type { SettingsInput } from '../../domain/journeys/definition.js';
import { frequencyStream } from '../../domain/messages/frequency.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { JourneyApp } from './journey-app.js';

const DAY = 86_400_000;

/** A journey of two mails, an hour apart, in an account with these settings. The clock begins at 10:00 UTC on 15 January 2026. */
async function start(patch: SettingsPatch, settings: SettingsInput, on_capped = 'skip') {
  const handed: string[] = [];
  const carrier = carrierThat(() => {
    handed.push(new Date(world.app.clock.now()).toISOString());
    return { outcome: 'accepted', carrier_message_id: `c-${handed.length}` };
  });
  const rules = mergeSettings(defaultSettings('Acme', 'UTC'), patch);
  const world = new JourneyApp({
    processes: [dispatchMessages({ routes: () => carrier })],
    ports: { messages: { marketingRules: () => rules } },
  });
  const mail = { kind: 'send', channel: 'email', subject: 'News', message: 'News' };
  const nodes = [
    { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'first' },
    { ...mail, id: 'first', next: 'hour' },
    { id: 'hour', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 'second' },
    { ...mail, id: 'second', next: null, on_capped },
  ];
  await world.publish({ nodes: nodes as never, settings });
  const contact = await world.contact('ada@example.com');
  await world.event(contact, 'go');
  await world.app.run(2 * DAY);
  const [enrollment] = await world.enrollments();
  return { world, handed, slots: await world.app.history(frequencyStream(contact)), path: await world.path(enrollment?.id ?? '') };
}

const quiet: SettingsPatch = { quiet_hours: { enabled: true, start: '09:00', end: '18:00' } };
const capped: SettingsPatch = { frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }] };

describe('The messages of a journey', () => {
  it('wait for the end of quiet hours', async () => {
    const { handed } = await start(quiet, {});
    expect(handed).to.deep.equal(['2026-01-15T18:00:00.000Z', '2026-01-15T18:00:00.000Z']);
  });

  it('go out in quiet hours where the journey ignores them', async () => {
    const { handed } = await start(quiet, { quiet_hours: 'ignore' });
    expect(handed).to.deep.equal(['2026-01-15T10:00:00.000Z', '2026-01-15T11:00:00.000Z']);
  });

  it('are skipped where a cap is full', async () => {
    const { handed, path } = await start(capped, {});
    expect(handed).to.deep.equal(['2026-01-15T10:00:00.000Z']);
    expect(path.slice(-2)).to.deep.equal(['skipped second frequency_cap', 'exited completed']);
  });

  it('wait until the cap has room, where their node says so', async () => {
    const { handed, path } = await start(capped, {}, 'wait');
    expect(handed).to.deep.equal(['2026-01-15T10:00:00.000Z', '2026-01-16T10:00:00.000Z']);
    expect(path.slice(-3)).to.deep.equal(['timer 2026-01-16T10:00:00.000Z', 'sent second', 'exited completed']);
  });

  it('pass full caps where the journey ignores them, and count for what comes later', async () => {
    const { handed, slots } = await start(capped, { frequency_cap: 'ignore' });
    expect(handed).to.deep.equal(['2026-01-15T10:00:00.000Z', '2026-01-15T11:00:00.000Z']);
    expect(slots).to.deep.equal(['FrequencyPlaceTaken', 'FrequencyPlaceTaken']);
  });

  it('wait for quiet hours of an account whose caps the journey ignores', async () => {
    const { handed } = await start({ ...quiet, ...capped }, { frequency_cap: 'ignore' });
    expect(handed).to.deep.equal(['2026-01-15T18:00:00.000Z', '2026-01-15T18:00:00.000Z']);
  });
});
