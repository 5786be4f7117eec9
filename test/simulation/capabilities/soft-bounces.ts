import { messageIdOf, type SealedMessageEvent } from '../../../domain/messages/message.js';
import type { SoftBounceEvent } from '../../../domain/suppressions/soft-bounces.js';
import { type SealedSuppressionEvent, suppressionStream } from '../../../domain/suppressions/suppression.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';

const STREAM = 'softBounces-';

/** Each soft bounce of an email is counted once, and a count that reaches the limit of the account suppresses the address for marketing. */
export const softBounceCounts: Capability = {
  name: 'soft-bounces',
  begin(run) {
    const random = run.world.random('soft-bounces');
    const act = async () => {
      const soft_bounce_limit = random.pick([null, { count: 2, within: 'P1D' }, { count: 3, within: 'PT1H' }]);
      await run.caller.send('PATCH', '/v1/account/settings', { soft_bounce_limit });
    };
    return { actions: [{ name: 'change the limit of soft bounces', weight: 0.5, act }], check: problemsOf };
  },
};

function problemsOf(final: Final): string[] {
  const expected = new Set(final.events.flatMap((stored) => softBounceOf(stored as LogEvent<SealedMessageEvent>)));
  const events = [...final.byStream].flatMap(([stream, stored]) =>
    stream.startsWith(STREAM) ? (stored as readonly LogEvent<SoftBounceEvent>[]) : [],
  );
  const counted = events.map(({ event: { data } }) => `${data.address_key}/${data.message_id}`);
  return [
    ...(new Set(counted).size < counted.length ? ['a soft bounce is counted twice'] : []),
    ...[...expected].filter((one) => !counted.includes(one)).map((one) => `the soft bounce ${one} is not counted`),
    ...counted.filter((one) => !expected.has(one)).map((one) => `${one} is counted and is no soft bounce`),
    ...events.flatMap(({ event }) => reachedWithoutEntry(event, final)),
  ];
}

function reachedWithoutEntry({ data: { address_key, limit, reached } }: SoftBounceEvent, { byStream }: Final): string[] {
  if (!reached) return [];
  if (limit === null) return [`the soft bounces of ${address_key} reached a limit that the account has not`];
  const list = (byStream.get(suppressionStream(address_key)) ?? []) as readonly LogEvent<SealedSuppressionEvent>[];
  const isSuppressed = list.some(
    ({ event: { type, data } }) => type === 'AddressSuppressed' && data.reason === 'soft_bounces' && data.scope === 'marketing',
  );
  return isSuppressed ? [] : [`the soft bounces of ${address_key} reached the limit, and it is not suppressed`];
}

function softBounceOf({ event: { type, data }, stream }: LogEvent<SealedMessageEvent>): string[] {
  const isBounce = (type === 'MessageBounced' || type === 'ReceiptIgnored') && data.bounce_class === 'soft' && data.channel === 'email';
  return isBounce && data.test !== true ? [`${data.to_key}/${messageIdOf(stream)}`] : [];
}
