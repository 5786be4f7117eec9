import type { SealedConsentEvent } from '../../../domain/consent/consent.js';
import { isErased, type SealedSubmissionEvent, type SubmissionEvent } from '../../../domain/forms/submission.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { ask, askAll, bodyOf, isSuccess } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import { knownForms, MIN_SECONDS, type Submitted } from './forms.js';

/** What callers have sent to forms and to the pages of confirmations. */
export interface FormTraffic {
  readonly sent: readonly Submitted[];
  readonly confirmed: readonly Exchange[];
}

type SubmissionData = Extract<SubmissionEvent, { type: 'FormSubmitted' }>['data'];

/** A submission on record. */
interface Recorded {
  readonly id: string;
  readonly data: SubmissionData;
  readonly events: readonly LogEvent<SealedSubmissionEvent>[];
  readonly isConfirmed: boolean;
}

/** What is violated of: each accepted submission is one event with one proof on each channel, and no other one is on record. */
export async function formProblems(final: Final, { sent, confirmed }: FormTraffic): Promise<string[]> {
  const recorded = await recordedOf(final);
  return [
    ...answersAreOnRecord(sent, recorded),
    ...droppedAreNot(final, sent, recorded),
    ...eachHasItsEvents(recorded),
    ...repeatsAreMarked(final, sent, recorded),
    ...eachHasItsProofs(final, recorded),
    ...confirmationsAreOnRecord(final, confirmed, recorded),
    ...deliveriesName(final, recorded),
    ...(await listsAgree(final, recorded)),
  ];
}

async function recordedOf(final: Final): Promise<ReadonlyMap<string, Recorded>> {
  const found = new Map<string, Recorded>();
  for (const [id, sealed] of streamsOf(final, 'formSubmission-')) {
    const events = sealed as readonly LogEvent<SealedSubmissionEvent>[];
    const [first] = (await final.run.log.open(events.slice(0, 1))) as unknown as readonly LogEvent<SubmissionEvent>[];
    const isConfirmed = events.some(({ event }) => event.type === 'FormSubmissionConfirmed');
    found.set(id, { id, data: first?.event.data as SubmissionData, events, isConfirmed });
  }
  return found;
}

const isDropped = ({ trapped, pageMs }: Submitted): boolean => trapped || (pageMs !== null && pageMs < MIN_SECONDS * 1_000);

function answersAreOnRecord(sent: readonly Submitted[], recorded: ReadonlyMap<string, Recorded>): string[] {
  const refused = sent.filter(({ exchange }) => exchange.response?.status === 422);
  if (refused.length > 0) return [`${refused.length} submissions were refused: ${JSON.stringify(refused[0]?.exchange.response?.body)}`];
  return sent
    .filter((one) => isSuccess(one.exchange) && !one.trapped && one.pageMs === null)
    .flatMap(({ exchange, form, email, consent }) => {
      const { submission_id: id } = bodyOf(exchange);
      const data = recorded.get(id)?.data;
      if (!data) return [`the submission ${id} was answered and is not on record`];
      const isSame = data.form_id === form && data.consented === consent && (isErased(data) || data.fields.email === email);
      return isSame
        ? []
        : [`the submission ${id} is on record with ${JSON.stringify(data.fields)} and consent ${data.consented}, sent were ${email} and ${consent}`];
    });
}

/** What fills in the trap, or comes too early after its page, is dropped; what waits is not. Clocks that jump make pages older or younger. */
function droppedAreNot({ run }: Final, sent: readonly Submitted[], recorded: ReadonlyMap<string, Recorded>): string[] {
  const clocksAreRight = !run.disturbances.some(({ kind }) => kind === 'clock jump');
  return sent.flatMap((one) => {
    if (!isSuccess(one.exchange)) return [];
    const { submission_id: id } = bodyOf(one.exchange);
    if (one.trapped && recorded.has(id)) return [`the submission ${id} fell into the trap and is on record`];
    if (one.pageMs === null || !clocksAreRight) return [];
    if (isDropped(one) && recorded.has(id)) return [`the submission ${id} came ${one.pageMs} ms after its page and is on record`];
    return !one.trapped && one.waited && !recorded.has(id) ? [`the submission ${id} waited and was dropped`] : [];
  });
}

function eachHasItsEvents(recorded: ReadonlyMap<string, Recorded>): string[] {
  return [...recorded.values()].flatMap(({ id, data, events }) => {
    const count = (type: SealedSubmissionEvent['type']): number => events.filter(({ event }) => event.type === type).length;
    const mails = data.double_opt_in && data.duplicate_of === null ? 1 : 0;
    return [
      ...(count('FormSubmitted') === 1 && events[0]?.event.type === 'FormSubmitted'
        ? []
        : [`the submission ${id} has ${count('FormSubmitted')} events`]),
      ...(count('FormConfirmationSent') === mails ? [] : [`the submission ${id} has ${count('FormConfirmationSent')} mails, ${mails} are due`]),
      ...(count('FormSubmissionConfirmed') > 1 ? [`the submission ${id} is confirmed ${count('FormSubmissionConfirmed')} times`] : []),
    ];
  });
}

/** A duplicate names an earlier one with the same fields. One that was sent right after the answer to a first one is marked. */
function repeatsAreMarked({ run }: Final, sent: readonly Submitted[], recorded: ReadonlyMap<string, Recorded>): string[] {
  const idOf = ({ exchange }: Submitted): string => (isSuccess(exchange) ? bodyOf(exchange).submission_id : '');
  const problems = [...recorded.values()].flatMap(({ id, data, events }) => {
    if (data.duplicate_of === null) return [];
    const first = recorded.get(data.duplicate_of);
    const isSame =
      first !== undefined &&
      first.data.duplicate_of === null &&
      (first.events[0]?.position ?? '') < (events[0]?.position ?? '') &&
      first.data.form_id === data.form_id &&
      (isErased(first.data) || isErased(data) || JSON.stringify(first.data.fields) === JSON.stringify(data.fields));
    return isSame ? [] : [`the submission ${id} is a duplicate of ${data.duplicate_of}, which has other fields or came later`];
  });
  if (run.disturbances.some(({ kind }) => kind === 'clock jump')) return problems;
  const unmarked = sent.filter((one) => {
    const first = one.repeats && recorded.get(idOf(one.repeats))?.data;
    const again = recorded.get(idOf(one))?.data;
    return first?.duplicate_of === null && again?.duplicate_of === null && Date.parse(again.at) - Date.parse(first.at) < DUPLICATE_MS;
  });
  return [...problems, ...unmarked.map((one) => `the submission ${idOf(one)} repeats ${one.repeats && idOf(one.repeats)} and is not marked`)];
}
/** A little less than the service takes, for the milliseconds that clocks round to. */
const DUPLICATE_MS = 59_000;

/** By submission and cause: on which channels a consent is on record, once for each event. */
function proofsOf(final: Final): ReadonlyMap<string, readonly string[]> {
  const proofs = new Map<string, string[]>();
  for (const [contact, events] of streamsOf(final, 'consent-'))
    for (const { event } of events as readonly LogEvent<SealedConsentEvent>[]) {
      const { cause, channel } = event.data;
      if (cause.kind === 'form') proofs.set(cause.id, [...(proofs.get(cause.id) ?? []), `${contact} ${channel}`]);
    }
  return proofs;
}

/** One proof for each channel of the form where the box was ticked, after the confirmation where one is needed; none elsewhere. */
function eachHasItsProofs(final: Final, recorded: ReadonlyMap<string, Recorded>): string[] {
  const proofs = proofsOf(final);
  return [...recorded.values()].flatMap(({ id, data, isConfirmed }) => {
    const found = proofs.get(id) ?? [];
    const channels = found.map((one) => one.split(' ')[1]).sort();
    if (new Set(channels).size < channels.length) return [`the submission ${id} has ${channels.join()} as proofs, one twice`];
    // An email that came in with the phone of another consents to nothing for that contact. A confirmation looks for its contact anew.
    if (data.not_applied?.includes('consents') && (found.length === 0 || !isConfirmed))
      return found.length > 0 ? [`the submission ${id} has proofs of a consent for somebody else`] : [];
    const isDue = data.consented === true && (!data.double_opt_in || isConfirmed);
    if (isDue && channels.join() !== CHANNELS) return [`the submission ${id} has ${channels.join() || 'no'} proofs of its consent`];
    // A confirmation that broke off before its last step has some of them.
    const mayHave = data.consented === true && data.double_opt_in;
    return !isDue && !mayHave && found.length > 0 ? [`the submission ${id} has proofs of a consent that nobody gave`] : [];
  });
}
/** Of the consents of all forms. */
const CHANNELS = 'email,sms';

function confirmationsAreOnRecord({ events }: Final, confirmed: readonly Exchange[], recorded: ReadonlyMap<string, Recorded>): string[] {
  const byToken = new Set([...recorded.values()].filter(({ isConfirmed }) => isConfirmed).map(({ id }) => id));
  const answered = confirmed.filter(isSuccess).map(({ request }) => idInLink(request.path));
  const mistaken = events.filter(({ event }) => event.type === 'FormSubmissionConfirmed').length - byToken.size;
  return [
    ...answered.filter((id) => !byToken.has(id)).map((id) => `the confirmation of ${id} was answered and is not on record`),
    ...(mistaken === 0 ? [] : [`${mistaken} confirmations are of no submission`]),
  ];
}

const MAC_BYTES = 16;
const idInLink = (path: string): string =>
  Buffer.from(path.slice(path.lastIndexOf('/') + 1), 'base64url')
    .subarray(MAC_BYTES)
    .toString();

/** Each submission is one event of the platform, whichever endpoint gets it and however often it is tried. */
function deliveriesName({ run }: Final, recorded: ReadonlyMap<string, Recorded>): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { body } of run.outside.attempts) {
    if (!body.includes('"form.submitted"')) continue;
    const { event_id, data } = JSON.parse(body);
    ids.set(data.submission.id, (ids.get(data.submission.id) ?? new Set()).add(event_id));
  }
  return [...ids].flatMap(([id, events]) => [
    ...(recorded.has(id) ? [] : [`form.submitted names ${id}, which is not on record`]),
    ...(events.size > 1 ? [`form.submitted of ${id} has ${events.size} event ids`] : []),
  ]);
}

/** The list of a form and its counts are those of its events. */
async function listsAgree({ run }: Final, recorded: ReadonlyMap<string, Recorded>): Promise<string[]> {
  const problems: string[] = [];
  for (const { id } of knownForms(run)) {
    const own = [...recorded.values()].filter(({ data }) => data.form_id === id);
    const shown = new Map<string, string>((await askAll(run, `/v1/forms/${id}/submissions`)).map((one) => [one.id, one.status]));
    const missing = own.filter((one) => shown.get(one.id) !== statusOf(one));
    problems.push(...missing.map((one) => `the submission ${one.id} is ${statusOf(one)} and listed as ${shown.get(one.id)}`));
    if (shown.size !== own.length) problems.push(`the form ${id} lists ${shown.size} submissions, ${own.length} are on record`);
    const { total } = (await ask(run, `/v1/forms/${id}/stats`)).body;
    const counts = [total.submissions, total.duplicates, total.confirmed].join();
    const expected = [own.length, own.filter(({ data }) => data.duplicate_of !== null).length, own.filter(({ isConfirmed }) => isConfirmed).length];
    if (counts !== expected.join())
      problems.push(`the form ${id} counts ${counts} submissions, duplicates and confirmations, on record are ${expected}`);
  }
  return problems;
}

const statusOf = ({ data, isConfirmed }: Recorded): string => (isConfirmed ? 'confirmed' : data.double_opt_in ? 'pending_confirmation' : 'accepted');
