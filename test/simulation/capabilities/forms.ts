import type { Capability } from '../capability.js';
import { bodyOf, EMAILS, nameOf, pickOrNull, succeeded } from '../recipients.js';
import type { Run } from '../run.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';
import { formProblems } from './form-records.js';
import { knownLists } from './segments.js';

const FORMS = /^\/v1\/forms$/;
const CONFIRM = /\/v1\/public\/forms\/confirm\/[\w.~-]+/;
const URLENCODED = { 'content-type': 'application/x-www-form-urlencoded' };
/** Longer than the service takes to answer a request of a calm run. */
export const MIN_SECONDS = 60;
const PAUSE_MS = 5_000;

/** A submission that a program made, as a page or as JSON. */
export interface Submitted {
  readonly form: string;
  readonly email: string;
  readonly consent: boolean;
  readonly exchange: Exchange;
  /** Whether it filled in what no person sees. */
  readonly trapped: boolean;
  /** How long its page was open at most, in milliseconds; null without a page. */
  readonly pageMs: number | null;
  /** Whether its page was open for long enough. */
  readonly waited: boolean;
  /** The same fields before. */
  readonly repeats: Submitted | null;
}

/** People and programs submit forms with single and double opt-in: each accepted submission is one event, with one proof of its consent. */
export const forms: Capability = {
  name: 'forms',
  begin(run) {
    const random = run.world.random('forms');
    const sent: Submitted[] = [];
    const confirmed: Exchange[] = [];
    let nth = 0;
    const create = async (double_opt_in: boolean): Promise<void> => {
      const number = ++nth;
      await run.caller.send('POST', '/v1/forms', formInput(number, double_opt_in), `form-${number}`);
    };
    for (const doubleOptIn of [false, true]) void create(doubleOptIn);
    const withForm = async (act: (form: { id: string; slug: string }) => Promise<unknown>): Promise<void> => {
      const form = pickOrNull(random, knownForms(run));
      if (form) await act(form);
    };
    const submit = async (form: string, more: Partial<Submission> = {}, about: Partial<Submitted> = {}): Promise<Submitted> => {
      const one = { ...anySubmission(random, run), ...more };
      const exchange = await post(run, form, one, random.chance(0.7) ? `submission-${++nth}` : undefined);
      const submitted = {
        form,
        email: one.fields.email ?? '',
        consent: one.consent,
        trapped: 'website' in one.fields,
        pageMs: null,
        waited: false,
        repeats: null,
      };
      const made = { ...submitted, ...about, exchange };
      sent.push(made);
      return made;
    };
    const sendPage = async (form: { id: string; slug: string }, waitMs: number): Promise<void> => {
      const openedAt = run.world.now;
      const page = (await run.caller.send('GET', `/f/${form.slug}`)).response;
      const [, token] = /name="_token" value="([^"]+)"/.exec(String(page?.body)) ?? [];
      if (!token) return;
      await run.world.sleep(waitMs, 'forms');
      const { exchange } = await submit(form.id, { token }, { pageMs: Number.POSITIVE_INFINITY, waited: waitMs >= MIN_SECONDS * 1_000 });
      const last = sent.findIndex((one) => one.exchange === exchange);
      sent[last] = { ...(sent[last] as Submitted), pageMs: exchange.answeredAt - openedAt };
    };
    return {
      actions: [
        { name: 'create a form', weight: 0.1, act: () => create(random.chance(0.4)) },
        {
          name: 'change a form',
          weight: 0.3,
          act: () =>
            withForm(({ id }) => {
              const list = pickOrNull(random, knownLists(run));
              const change = { list_ids: list && random.chance(0.7) ? [list] : [], consent: consentOf(`${++nth}`) };
              return run.caller.send('PATCH', `/v1/forms/${id}`, change);
            }),
        },
        { name: 'submit a form', weight: 3, act: () => withForm(({ id }) => submit(id)) },
        {
          name: 'submit a form twice',
          weight: 1,
          act: () =>
            withForm(async ({ id }) => {
              const one = anySubmission(random, run);
              const first = await submit(id, one);
              await run.world.sleep(random.duration(PAUSE_MS), 'forms');
              await submit(id, { ...one, isPage: random.chance(0.5) }, { repeats: first });
            }),
        },
        { name: 'a program submits a form', weight: 0.5, act: () => withForm(({ id }) => submit(id, trappedFields(random))) },
        {
          name: 'send the page of a form',
          weight: 0.5,
          act: () => withForm((form) => sendPage(form, MIN_SECONDS * 1_000 + random.duration(PAUSE_MS))),
        },
        { name: 'send the page of a form at once', weight: 0.5, act: () => withForm((form) => sendPage(form, random.duration(PAUSE_MS))) },
        {
          name: 'confirm a submission',
          weight: 2,
          act: async () => {
            const link = pickOrNull(random, confirmationLinks(run));
            if (!link) return;
            if (random.chance(0.3)) await run.caller.send('GET', link);
            confirmed.push(await run.caller.send('POST', link, 'language=en', undefined, URLENCODED));
          },
        },
      ],
      check: (final) => formProblems(final, { sent, confirmed }),
    };
  },
};

/** The forms that callers know. */
export const knownForms = (run: Run): readonly { readonly id: string; readonly slug: string }[] => succeeded(run, 'POST', FORMS).map(bodyOf);

const confirmationLinks = ({ outside }: Run): string[] =>
  outside.live.flatMap(({ message }) => (message.channel === 'email' ? (CONFIRM.exec(message.content.message)?.[0] ?? []) : []));

const consentOf = (version: string) => ({ text: `I want offers (${version}).`, version, channels: ['email', 'sms'] });

const formInput = (number: number, double_opt_in: boolean): object => ({
  ...{ name: `Form ${number}`, slug: `form-${number}`, status: 'live', double_opt_in, honeypot_field: 'website', min_seconds: MIN_SECONDS },
  fields: [
    { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' },
    { key: 'name', type: 'text', label: 'Name', maps_to: 'first_name' },
    { key: 'note', type: 'textarea', label: 'Note' },
  ],
  consent: consentOf('1'),
});

interface Submission {
  readonly fields: Readonly<Record<string, string>>;
  readonly consent: boolean;
  readonly token?: string;
  /** As a page without a script sends it, instead of JSON. */
  readonly isPage: boolean;
}

const anySubmission = (random: Random, run: Run): Submission => ({
  fields: { email: random.pick(EMAILS), name: nameOf(run), ...(random.chance(0.3) && { note: nameOf(run) }) },
  consent: random.chance(0.7),
  isPage: random.chance(0.5),
});

const trappedFields = (random: Random): Pick<Submission, 'fields'> => ({
  fields: { email: `robot${random.integer(1, 1_000)}@example.com`, website: 'https://spam.example' },
});

function post(run: Run, form: string, { fields, consent, token, isPage }: Submission, key?: string): Promise<Exchange> {
  const path = `/v1/public/forms/${form}/submit`;
  if (!isPage) return run.caller.send('POST', path, { fields, consent, ...(token && { token }) }, key);
  const encoded = new URLSearchParams({ ...fields, ...(consent && { consent: 'on' }), ...(token && { _token: token }) });
  return run.caller.send('POST', path, encoded.toString(), key, URLENCODED);
}
