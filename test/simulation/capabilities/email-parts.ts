/** Emails with copies, HTML and attachments, and the invariants of them. */
import type { Copy } from '../../../domain/messages/accepted-fields.js';
import type { SealedMessageEvent } from '../../../domain/messages/message.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { anyEmail, ask, EMAILS, nameOf } from '../recipients.js';
import type { Run } from '../run.js';
import type { RecordedDispatch } from '../world/outside.js';
import type { Random } from '../world/random.js';
import { acceptedBatches, startsOf, suppressionProblems } from './gates.js';

/** What an email may have beside its text. */
export interface EmailParts {
  readonly html?: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly attachments?: readonly { readonly filename: string; readonly content: string }[];
}

/** Explanations that are asked for in one run: each is a request. */
const MOST_EXPLAINED = 3;

/** `random`: a source of its own, so that the other draws of messages do not depend on letters. */
export function emailPartFields(random: Random, run: Run): EmailParts {
  const recipients = () => Array.from({ length: random.integer(1, 2) }, () => (random.chance(0.7) ? random.pick(EMAILS) : anyEmail(random)));
  const attachment = (nth: number) => ({ filename: `file-${nth}.txt`, content: Buffer.from(`${nameOf(run)} ${nth}`).toString('base64') });
  return {
    ...(random.chance(0.3) && { html: `<p>Hello <b>${nameOf(run)}</b></p>` }),
    ...(random.chance(0.3) && { cc: recipients() }),
    ...(random.chance(0.2) && { bcc: recipients() }),
    ...(random.chance(0.2) && { attachments: Array.from({ length: random.integer(1, 2) }, (_, nth) => attachment(nth)) }),
  };
}

/** `asked`: by message id. */
export async function letterProblems(final: Final, asked: ReadonlyMap<string, EmailParts>): Promise<string[]> {
  return [
    ...copiesPassTheirGate(final),
    ...final.run.outside.dispatches.flatMap((dispatch) => contentProblems(dispatch, final, asked.get(dispatch.message.message_id))),
    ...(await leftOutIsExplained(final)),
  ];
}

type MessageLog = readonly LogEvent<SealedMessageEvent>[];

const messagesOf = (final: Final): ReadonlyMap<string, MessageLog> => streamsOf(final, 'message-') as ReadonlyMap<string, MessageLog>;

const copiesOf = (events: MessageLog): readonly Copy[] => {
  const accepted = events[0]?.event;
  return accepted?.type === 'MessageQueued' || accepted?.type === 'MessageScheduled' ? (accepted.data.copies ?? []) : [];
};

/** Keys of copies that a dispatch leaves out, by its attempt. */
function leftOutOf(events: MessageLog, attempt: number): ReadonlySet<string> {
  const start = events.findLast(({ event }) => event.type === 'MessageDispatchStarted' && event.data.attempt === attempt)?.event;
  return new Set(start?.type === 'MessageDispatchStarted' ? (start.data.left_out ?? []).map(({ key }) => key) : []);
}

/** No dispatch reaches a copy whose address was suppressed when the gate looked. */
function copiesPassTheirGate(final: Final): string[] {
  const acceptedAt = acceptedBatches(final);
  return [...messagesOf(final)].flatMap(([id, events]) => {
    const copies = copiesOf(events).filter(({ refused }) => refused === undefined);
    if (copies.length === 0) return [];
    return startsOf(`message-${id}`, events, acceptedAt).flatMap((start) => {
      const leftOut = leftOutOf(events, start.attempt);
      return copies
        .filter(({ key }) => !leftOut.has(key))
        .flatMap(({ key, kind }) => suppressionProblems({ ...start, id: `a ${kind} of ${id}`, toKey: key }, final));
    });
  });
}

/** A carrier gets what the caller gave: the HTML, the files, and of the copies all but those that are left out, or erased. */
function contentProblems({ message }: RecordedDispatch, final: Final, letter: EmailParts | undefined): string[] {
  const { message_id: id, content, cc = [], bcc = [], attempt } = message;
  const events = messagesOfId(final, id);
  const leftOut = leftOutOf(events, attempt);
  const reached = copiesOf(events).filter(({ key, refused }) => refused === undefined && !leftOut.has(key)).length;
  const problems = cc.length + bcc.length > reached ? [`${id} was handed over with ${cc.length + bcc.length} copies, ${reached} pass the gate`] : [];
  if (!letter) return problems;
  for (const [kind, copies] of Object.entries({ cc, bcc }))
    for (const { address } of copies)
      if (!letter[kind as 'cc' | 'bcc']?.includes(address)) problems.push(`${id} was handed over with a ${kind} that nobody asked for`);
  if (letter.html !== undefined && !content.html?.startsWith(letter.html)) problems.push(`${id} was handed over without its HTML`);
  const files = (content.attachments ?? []).map((file) => file.content).join();
  if (files !== (letter.attachments ?? []).map((file) => file.content).join()) problems.push(`${id} was handed over without its files`);
  return problems;
}

const messagesOfId = ({ byStream }: Final, id: string): MessageLog => (byStream.get(`message-${id}`) ?? []) as MessageLog;

/** What a copy is left out for is named in the explanation of its message: a suppression by its id. */
async function leftOutIsExplained(final: Final): Promise<string[]> {
  const known = new Set(final.events.map(({ event }) => (event.data as { suppression_id?: string }).suppression_id));
  const problems: string[] = [];
  const concerned = [...messagesOf(final)].filter(([, events]) => copiesOf(events).some(({ refused }) => refused !== undefined));
  for (const [id, events] of concerned.slice(0, MOST_EXPLAINED)) {
    const { status, body } = await ask(final.run, `/v1/messages/${id}/why`);
    if (status !== 200) continue;
    const steps = (body.chain as { result: string; details: { refused_by?: { kind: string; suppression_id?: string } } }[]).filter(
      ({ result }) => result === 'left_out',
    );
    const expected = copiesOf(events).filter(({ refused }) => refused !== undefined).length;
    if (steps.length < expected) problems.push(`${id} leaves out ${expected} copies and explains ${steps.length}`);
    if (steps.some(({ details: { refused_by: by } }) => by === undefined || (by.kind === 'suppression' && !known.has(by.suppression_id))))
      problems.push(`${id} leaves a copy out for a suppression that is not on record`);
  }
  return problems;
}
