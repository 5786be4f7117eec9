import { expect } from 'chai';
import fc from 'fast-check';
import { channelNames } from '../../domain/kernel/channels.js';
import { fold } from '../../domain/kernel/decider.js';
import { suppressionReasonNames, suppressionScopes } from '../../domain/suppressions/reasons.js';
import {
  type Suppression,
  type SuppressionCause,
  type SuppressionCommand,
  type SuppressionEvent,
  suppression,
  suppressionChannels,
  suppressionRefusalOf,
} from '../../domain/suppressions/suppression.js';
import { specification } from '../given.js';
import { at, backdated, lift, liftedEvent, optedOut, suppress, suppressed, widened } from './event-examples.js';

const { given } = specification(suppression);
const stop = { channel: 'sms', reason: 'stop_keyword' } as const;

/** The events that a run of commands makes. */
function run(commands: readonly SuppressionCommand[]): SuppressionEvent[] {
  const events: SuppressionEvent[] = [];
  for (const command of commands) events.push(...suppression.decide(command, fold(suppression, events)));
  return events;
}

const causes = (state: Suppression) => (state.status === 'suppressed' ? state.causes : []);

describe('a suppression', () => {
  it('starts with the first reason', () => given().when(suppress()).then(optedOut()));
  it('produces no event when it is repeated', () =>
    given(suppressed())
      .when(suppress({ at: at(13) }))
      .thenNothing());
  it('produces no event for a later occurred_at', () =>
    given(suppressed())
      .when(suppress({ occurred_at: at(11), source: 'one_click' }))
      .thenNothing());
  it('is backdated by an earlier occurred_at', () =>
    given(suppressed())
      .when(suppress({ occurred_at: at(9) }))
      .then(backdated({ occurred_at: at(9) })));
  it('is not backdated twice', () =>
    given(suppressed(), backdated({ occurred_at: at(9) }))
      .when(suppress({ occurred_at: at(9) }))
      .thenNothing());
  it('takes a time in the future as now', () =>
    given()
      .when(suppress({ occurred_at: at(20) }))
      .then(optedOut({ occurred_at: at(12) })));
  it('can have a second reason', () =>
    given(suppressed())
      .when(suppress({ reason: 'bounced' }))
      .then(suppressed({ reason: 'bounced' })));
  it('can have a second channel', () =>
    given(suppressed())
      .when(suppress({ channel: 'all' }))
      .then(optedOut({ channel: 'all' })));
  it('is not an opt-out if the person has opted out on all channels or by STOP', () => {
    given(suppressed({ channel: 'all' }))
      .when(suppress())
      .then(suppressed());
    given(suppressed({ reason: 'stop_keyword' }))
      .when(suppress())
      .then(suppressed());
  });
  it('is an opt-out after a hard bounce', () =>
    given(suppressed({ reason: 'bounced' }))
      .when(suppress())
      .then(optedOut()));
  const marketing = { scope: 'marketing', via: 'page', source: 'page' } as const;

  it('is widened by the same reason with a wider scope, which is an opt-out from the rest', () =>
    given(suppressed(marketing))
      .when(suppress({ occurred_at: at(11) }))
      .then(widened({ occurred_at: at(11), opted_out: true })));
  it('is not widened again, and never narrowed', () => {
    given(suppressed(marketing), widened()).when(suppress()).thenNothing();
    given(suppressed()).when(suppress(marketing)).thenNothing();
    const state = given(suppressed(), backdated({ ...marketing, occurred_at: at(9) })).state();
    expect(causes(state)).to.have.length(1);
    expect(causes(state)[0]).to.include({ scope: 'all', occurred_at: at(9) });
  });
  it('keeps its earliest occurred_at when it is widened', () =>
    expect(causes(given(suppressed(marketing), widened({ occurred_at: at(11) })).state())[0]).to.include({
      scope: 'all',
      via: 'import',
      occurred_at: at(10),
    }));
  it('is an opt-out by STOP after one from marketing only, and not the other way round', () => {
    given(suppressed({ ...marketing, channel: 'sms' }))
      .when(suppress(stop))
      .then(optedOut(stop));
    given(suppressed(stop))
      .when(suppress({ ...marketing, channel: 'sms' }))
      .then(suppressed({ ...marketing, channel: 'sms' }));
  });
  it('can be made for an address that is known only by its key', () =>
    given()
      .when(suppress({ address: null }))
      .then(optedOut({ address: null })));
});

describe('lifting a suppression', () => {
  it('is recorded with its reason and proof', () => given(suppressed()).when(lift()).then(liftedEvent()));
  it('lifts all active reasons of the channel', () =>
    given(suppressed(), suppressed({ reason: 'bounced' }))
      .when(lift())
      .then(liftedEvent({ reasons: ['unsubscribed', 'bounced'] })));
  it('leaves other channels unchanged', () =>
    given(suppressed({ channel: 'all' }))
      .when(lift())
      .thenNothing());
  it('produces no event if nothing is active', () => given().when(lift()).thenNothing());
  it('produces no event when it is repeated', () => given(suppressed(), liftedEvent()).when(lift()).thenNothing());
  it('by keyword lifts stop_keyword', () =>
    given(suppressed(stop))
      .when(lift({ channel: 'sms', by: 'keyword', because: 'START' }))
      .then(liftedEvent({ channel: 'sms', by: 'keyword', because: 'START', reasons: ['stop_keyword'] })));
  for (const reason of suppressionReasonNames.filter((name) => name !== 'stop_keyword'))
    it(`by keyword does not lift '${reason}'`, () =>
      given(suppressed({ channel: 'sms', reason }))
        .when(lift({ channel: 'sms', by: 'keyword' }))
        .thenNothing());
  it('by a page lifts an opt-out from marketing by a page or a link', () => {
    for (const via of ['page', 'one_click'] as const)
      given(suppressed({ scope: 'marketing', via }))
        .when(lift({ by: 'page' }))
        .then(liftedEvent({ by: 'page' }));
  });
  it('by a page lifts nothing that came in another way, and nothing that stops all messages', () => {
    for (const via of ['import', 'request', 'feedback', 'keyword', null] as const)
      given(suppressed({ scope: 'marketing', via }))
        .when(lift({ by: 'page' }))
        .thenNothing();
    given(suppressed({ scope: 'marketing', via: 'page' }), widened())
      .when(lift({ by: 'page' }))
      .thenNothing();
  });
  it('by keyword leaves other reasons active', () => {
    const state = given(
      suppressed(stop),
      suppressed({ ...stop, reason: 'legal' }),
      liftedEvent({ channel: 'sms', reasons: ['stop_keyword'] }),
    ).state();
    expect(suppressionRefusalOf(state, 'sms', 'transactional')).to.equal('legal');
  });
  it('allows a new suppression, also with an earlier occurred_at', () =>
    given(suppressed(), liftedEvent())
      .when(suppress({ occurred_at: at(9), at: at(15) }))
      .then(optedOut({ occurred_at: at(9), at: at(15) })));
});

describe('an exception from a suppression', () => {
  const except = { type: 'Except', address_key: 'key-of-ada', channel: 'sms', message_id: 'msg_1', because: 'stop', now: at(12) } as const;
  const { type: _, now, ...data } = except;
  const excepted = { type: 'SuppressionExcepted', data: { ...data, at: now } } as const;
  const refused = (events: readonly SuppressionEvent[], messageId: string) =>
    suppressionRefusalOf(fold(suppression, events), 'sms', 'transactional', messageId);

  it('is recorded once, and only while the address is suppressed', () => {
    given(suppressed(stop)).when(except).then(excepted);
    given(suppressed(stop), excepted).when(except).thenNothing();
    given().when(except).thenNothing();
  });
  it('lets only its message pass an opt-out', () => {
    expect(refused([suppressed(stop), excepted], 'msg_1')).to.equal(null);
    expect(refused([suppressed(stop), excepted], 'msg_2')).to.equal('stop_keyword');
    expect(refused([suppressed({ channel: 'all' }), suppressed(stop), excepted], 'msg_1')).to.equal(null);
  });
  it('does not pass other reasons', () => {
    for (const [reason, status] of [
      ['legal', 'legal'],
      ['manual', 'manual'],
      ['complained', 'complaint'],
      ['erased', 'erased'],
      ['bounced', 'hard_bounce'],
    ] as const)
      expect(refused([suppressed(stop), suppressed({ channel: 'all', reason }), excepted], 'msg_1')).to.equal(status);
  });
  it('ends when the last reason is lifted', () => {
    const again = [suppressed(stop), excepted, liftedEvent({ channel: 'sms', reasons: ['stop_keyword'], by: 'keyword' }), suppressed(stop)];
    expect(refused(again, 'msg_1')).to.equal('stop_keyword');
  });
});

describe('the refusal of a message', () => {
  const statuses = {
    erased: 'erased',
    legal: 'legal',
    complained: 'complaint',
    stop_keyword: 'stop_keyword',
    unsubscribed: 'unsubscribed',
    bounced: 'hard_bounce',
    soft_bounces: 'soft_bounces',
    manual: 'manual',
  } as const;
  it('is defined for every reason', () => expect(Object.keys(statuses)).to.have.members(suppressionReasonNames));

  for (const reason of suppressionReasonNames)
    for (const category of ['transactional', 'marketing'])
      it(`of the category ${category} is '${statuses[reason]}' for '${reason}'`, () => {
        const state = fold(suppression, [suppressed({ reason })]);
        expect(suppressionRefusalOf(state, 'email', category)).to.equal(statuses[reason]);
      });

  for (const reason of suppressionReasonNames)
    it(`is null for a transactional message if '${reason}' has the scope 'marketing'`, () => {
      const state = fold(suppression, [suppressed({ reason, scope: 'marketing' })]);
      expect(suppressionRefusalOf(state, 'email', 'transactional')).to.equal(null);
      expect(suppressionRefusalOf(state, 'email', 'marketing')).to.equal(statuses[reason]);
    });

  it('is that of the widest scope', () => {
    const state = fold(suppression, [suppressed({ scope: 'marketing' }), suppressed({ channel: 'all', reason: 'manual' })]);
    expect(suppressionRefusalOf(state, 'email', 'marketing')).to.equal('manual');
  });
  it('is null for an address that is not suppressed', () => expect(suppressionRefusalOf(suppression.initial, 'email', 'marketing')).to.equal(null));
  it('is null on another channel', () => {
    const state = fold(suppression, [suppressed(stop)]);
    expect(channelNames.filter((channel) => suppressionRefusalOf(state, channel, 'transactional') !== null)).to.deep.equal(['sms']);
  });
  it('applies to every channel, also an unknown one, for an entry on all channels', () => {
    const state = fold(suppression, [suppressed({ channel: 'all' })]);
    for (const channel of [...channelNames, 'pigeon']) expect(suppressionRefusalOf(state, channel, 'transactional')).to.equal('unsubscribed');
  });
  it('is null after the suppression is lifted', () =>
    expect(suppressionRefusalOf(fold(suppression, [suppressed(), liftedEvent()]), 'email', 'marketing')).to.equal(null));
  it('is that of the first reason in order of precedence', () => {
    const reasons = (['manual', 'bounced', 'complained', 'stop_keyword'] as const).map((reason) => suppressed({ reason }));
    expect(suppressionRefusalOf(fold(suppression, reasons), 'email', 'marketing')).to.equal('complaint');
    expect(suppressionRefusalOf(fold(suppression, reasons.toReversed()), 'email', 'marketing')).to.equal('complaint');
  });
});

describe('any sequence of suppressions', () => {
  const saying = fc.record({
    channel: fc.constantFrom(...suppressionChannels),
    reason: fc.constantFrom(...suppressionReasonNames),
    scope: fc.constantFrom(...suppressionScopes),
    occurred_at: fc.integer({ min: 0, max: 11 }).map(at),
  });

  it('results in the earliest occurred_at and the widest scope for every order', () => {
    fc.assert(
      fc.property(
        fc
          .array(saying, { minLength: 1, maxLength: 20 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([sayings, shuffled]) => {
          const known = (all: typeof sayings) =>
            causes(fold(suppression, run(all.map(suppress)))).map(
              ({ channel, reason, scope, occurred_at }) => `${channel}/${reason} ${scope} ${occurred_at}`,
            );
          const earliest = new Map<string, string>();
          const wide = new Set(sayings.filter(({ scope }) => scope === 'all').map(({ channel, reason }) => `${channel}/${reason}`));
          for (const { channel, reason, occurred_at } of sayings) {
            const id = `${channel}/${reason}`;
            const before = earliest.get(id);
            if (before === undefined || occurred_at < before) earliest.set(id, occurred_at);
          }
          expect(known(sayings)).to.have.members([...earliest].map(([id, time]) => `${id} ${wide.has(id) ? 'all' : 'marketing'} ${time}`));
          expect(known(shuffled)).to.have.members(known(sayings));
        },
      ),
    );
  });

  it('produces no event when it is repeated', () => {
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 20 }), (sayings) => {
        const commands = sayings.map(suppress);
        expect(run([...commands, ...commands])).to.deep.equal(run(commands));
      }),
    );
  });

  const changeOf = (before: SuppressionCause | undefined, after: SuppressionCause | undefined) => {
    if (before === undefined || after === undefined) return 'AddressSuppressed';
    if (before.scope !== after.scope) return 'SuppressionWidened';
    return after.occurred_at < before.occurred_at ? 'SuppressionBackdated' : 'nothing';
  };

  it('suppresses each reason with exactly one event, widens it at most once, and backdates it only to earlier times', () => {
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 20 }), (sayings) => {
        const events = run(sayings.map(suppress));
        events.forEach((event, i) => {
          const causeAt = (length: number) =>
            causes(fold(suppression, events.slice(0, length))).find(
              ({ channel, reason }) => 'reason' in event.data && channel === event.data.channel && reason === event.data.reason,
            );
          expect(event.type).to.equal(changeOf(causeAt(i), causeAt(i + 1)));
        });
      }),
    );
  });
});
