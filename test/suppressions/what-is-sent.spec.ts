import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Sent, tableChannels, whatIsSent, whatIsSentTable } from './what-is-sent.js';
import { type World, worldOfCauses } from './world-of-causes.js';

const categories = ['marketing', 'transactional'] as const;
type Accepted = readonly { readonly key: string; readonly ids: readonly string[] }[];

/** On every channel and of both categories, a message by itself and one in a bulk. */
async function acceptAll(world: World, timing: { later: boolean }): Promise<Accepted> {
  const accepted: { key: string; ids: string[] }[] = [];
  for (const channel of tableChannels) {
    for (const category of categories) accepted.push({ key: `${category} ${channel}`, ids: await world.accept(channel, category, timing) });
  }
  return accepted;
}

const dispatched = (world: World, accepted: Accepted): string[] =>
  accepted.flatMap(({ key, ids }) => ids.filter((id) => world.wasDispatched(id)).map(() => key));

/** Both messages on each channel and of each category that is sent. */
const expected = (sent: Partial<Record<string, Sent>>): string[] =>
  tableChannels.flatMap((channel) =>
    categories
      .filter((category) => (sent[channel] ?? 'all') === 'all' || sent[channel] === category)
      .flatMap((category) => [`${category} ${channel}`, `${category} ${channel}`]),
  );

describe('what is sent to a person, by cause, channel and category', () => {
  for (const { cause, settings, happens, sent, onlyAfterwards = false } of whatIsSent) {
    it(`follows the table for messages that are accepted afterwards: ${cause}`, async () => {
      const world = await worldOfCauses(settings);
      await happens(world);
      const accepted = await acceptAll(world, { later: false });
      await world.finish();
      expect(dispatched(world, accepted)).to.have.members(expected(sent));
    });

    if (onlyAfterwards) continue;
    it(`follows the table for messages that were accepted before: ${cause}`, async () => {
      const world = await worldOfCauses(settings);
      const accepted = await acceptAll(world, { later: true });
      await happens(world);
      await world.finish();
      expect(dispatched(world, accepted)).to.have.members(expected(sent));
    });
  }

  it('is printed in the guide', () => {
    const guide = readFileSync('docs/guides/consent.md', 'utf8');
    const printed = guide
      .split('<!-- what is sent: printed by test/suppressions/what-is-sent.ts -->\n')[1]
      ?.split('\n<!-- end of what is sent -->')[0];
    expect(printed).to.equal(whatIsSentTable());
  });
});
