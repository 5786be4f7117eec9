import { expect } from 'chai';
import fc from 'fast-check';
import { fold } from '../../domain/kernel/decider.js';
import { type DeviceEvent, type Devices, type DevicesCommand, devices, listedDevices, MAX_DEVICES, replacedBy } from '../../domain/push/devices.js';

const now = '2026-01-15T10:30:00.000Z';
const id = fc.integer({ min: 0, max: 70 }).map((nth) => `psh_${nth}`);
const device = fc.option(
  fc.integer({ min: 0, max: 5 }).map((nth) => `device_${nth}`),
  { nil: null },
);
const commands: fc.Arbitrary<DevicesCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('Add' as const),
      subscription_id: id,
      token_key: fc.constant('k'),
      device_key: device,
      verified: fc.constantFrom(true, false, undefined),
      now: fc.constant(now),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('Remove' as const), subscription_id: id, now: fc.constant(now) }) },
);

describe('the devices of a contact', () => {
  it('are those that were added last: one of each device, and no more than the limit', () =>
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 200 }), (history) => {
        let state: Devices = devices.initial;
        for (const command of history) {
          const before = state;
          const events: readonly DeviceEvent[] = devices.decide(command, state);
          state = fold(devices, events, state);
          const listed = listedDevices(state);
          expect(devices.decide(command, state), 'a repeat changes nothing').to.deep.equal([]);
          const having = (of: Devices, ...kinds: (boolean | undefined)[]) => listedDevices(of).filter((one) => kinds.includes(of.get(one)?.verified));
          expect(having(state, true, undefined).length).to.be.at.most(MAX_DEVICES.verified);
          expect(having(state, false).length).to.be.at.most(MAX_DEVICES.unverified);
          const keys = listed.flatMap((one) => state.get(one)?.device_key ?? []);
          expect(new Set(keys).size).to.equal(keys.length);
          if (command.type === 'Remove') expect(listed).not.to.include(command.subscription_id);
          else expect(listed).to.include(command.subscription_id);
          const gone = listedDevices(before).filter((one) => !listed.includes(one));
          if (command.type === 'Add' && state.get(command.subscription_id)?.verified === false) {
            const ended = gone.filter((one) => before.get(one)?.verified !== false && before.get(one)?.device_key !== command.device_key);
            expect(ended, 'a device without a proof ends none that has one').to.deep.equal([]);
          }
          if (command.type === 'Add') expect(replacedBy(state, command.subscription_id)).to.include.members(gone);
          expect([...state.keys()], 'an erasure reaches all').to.include.members([...before.keys()]);
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 50) },
    ));
});
