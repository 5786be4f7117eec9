import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { bodyValidator } from '../../api/http/validation/validation.js';
import { eventType } from '../../domain/kernel/event.js';
import { record, text } from '../../domain/kernel/schema.js';
import { eventTypes } from '../../log/event-types.js';
import { EventTypeRegistry, type Upcasters } from '../../log/runtime/event-type-registry.js';

/** An event of a log, with its personal fields opened in `data`. */
interface Golden {
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: Record<string, unknown>;
}

const FOLDER = 'test/golden/events';
const golden = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Golden);

describe('events of old logs', () => {
  it('have a golden file for every version of every type', () => {
    const stored = new Set(golden.map(({ type, schemaVersion }) => `${type}@${schemaVersion}`));
    const released = eventTypes.names().flatMap((name) => Array.from({ length: eventTypes.get(name).version }, (_, i) => `${name}@${i + 1}`));
    expect([...stored].sort()).to.deep.equal(released.sort());
  });

  for (const { type, schemaVersion, data } of golden) {
    it(`${type}@${schemaVersion} is read as the current version`, () => {
      const event = eventTypes.upcast(type, schemaVersion, structuredClone(data));
      const verdict = bodyValidator(eventTypes.get(type).schema)(structuredClone(event.data));
      expect(verdict.problems).to.deep.equal([]);
      expect(verdict.unknown).to.deep.equal([]);
    });
  }
});

describe('upcasting', () => {
  const current = eventType('Renamed', record({ title: text, subtitle: text }), { version: 3 });
  const upcasters: Upcasters = {
    Renamed: { 1: (data: { name: string }) => ({ title: data.name }), 2: (data: { title: string }) => ({ ...data, subtitle: '-' }) },
  };

  it('applies every upcaster from version to version', () =>
    expect(new EventTypeRegistry([current], upcasters).upcast('Renamed', 1, { name: 'a' }).data).to.deep.equal({ title: 'a', subtitle: '-' }));
  it('leaves the current version unchanged', () =>
    expect(new EventTypeRegistry([current], upcasters).upcast('Renamed', 3, { title: 'a', subtitle: 'b' }).data).to.deep.equal({
      title: 'a',
      subtitle: 'b',
    }));
  it('rejects a future version, a gap, and an unknown type', () => {
    expect(() => new EventTypeRegistry([current], upcasters).upcast('Renamed', 4, {})).to.throw('version 4');
    expect(() => new EventTypeRegistry([current]).upcast('Renamed', 1, {})).to.throw('no upcaster');
    expect(() => new EventTypeRegistry([]).upcast('Renamed', 1, {})).to.throw("The log holds the unknown event type 'Renamed'");
  });
});
