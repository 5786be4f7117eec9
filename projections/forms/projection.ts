import type { FormStatus } from '../../domain/forms/definition.js';
import type { FormEvent } from '../../domain/forms/form.js';
import type { SealedSubmissionEvent } from '../../domain/forms/submission.js';
import { type FormVisitEvent, visitKinds } from '../../domain/forms/visits.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection, View } from '../runtime/projection.js';

/** A form as lists show it. */
export interface FormDoc extends Doc {
  readonly account: string;
  readonly name: string;
  readonly slug: string;
  readonly status: FormStatus;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted: boolean;
  /** Time and id: the order of creation. */
  readonly sort: string;
}

/** A version of a form without its definition. */
export interface FormVersionDoc extends Doc {
  readonly form_id: string;
  readonly version: number;
  readonly name: string;
  readonly status: FormStatus;
  readonly created_at: string;
  /** The version as a text of fixed length. */
  readonly sort: string;
}

/** A submission. Its personal fields stay sealed until a query opens them. */
export interface SubmissionDoc extends Doc {
  readonly account: string;
  readonly form_id: string;
  readonly form_version: number;
  readonly contact_id: string;
  readonly contact_created: boolean;
  readonly status: 'accepted' | 'pending_confirmation' | 'confirmed';
  readonly consent: boolean | null;
  readonly language: string;
  readonly duplicate_of: string | null;
  /** Names of what the contact did not take; absent where it took all. */
  readonly not_applied?: readonly string[];
  readonly submitted_at: string;
  readonly confirmed_at: string | null;
  /** `submitted_at`, then the position in the log. */
  readonly sort: string;
  readonly sealed: string;
}

/** What happened to a form on one day, in UTC. */
export interface FormDayDoc extends Doc {
  readonly form_id: string;
  /** `2026-01-31`. */
  readonly day: string;
  readonly views: number;
  readonly starts: number;
  readonly submissions: number;
  readonly duplicates: number;
  readonly confirmed: number;
  readonly dropped: number;
}

export const FORMS = 'forms';
export const FORM_VERSIONS = 'versions';
export const SUBMISSIONS = 'submissions';
export const FORM_DAYS = 'days';

type HandledEvent = FormEvent | SealedSubmissionEvent | FormVisitEvent;

const versionText = (version: number): string => String(version).padStart(8, '0');
const versionId = (formId: string, version: number): string => `${formId}/${versionText(version)}`;
const dayId = (formId: string, day: string): string => `${formId}/${day}`;
const dayOf = (time: string): string => time.slice(0, 10);

/** Forms, their versions and submissions, and counts per day. Definitions are read from the log. */
export const forms: Projection<HandledEvent> = {
  name: 'forms',
  version: 2,
  handles: ['FormCreated', 'FormChanged', 'FormDeleted', 'FormSubmitted', 'FormSubmissionConfirmed', 'FormVisitsCounted'],
  collections: {
    [FORMS]: {
      indexes: [
        ['account', 'deleted', 'sort'],
        ['account', 'deleted', 'status', 'sort'],
      ],
    },
    [FORM_VERSIONS]: { indexes: [['form_id', 'sort']] },
    [SUBMISSIONS]: {
      indexes: [
        ['form_id', 'sort'],
        ['form_id', 'status', 'sort'],
        ['form_id', 'contact_id', 'sort'],
      ],
    },
    [FORM_DAYS]: { indexes: [['form_id', 'day']] },
  },
  reads: ({ event }) => {
    switch (event.type) {
      case 'FormCreated':
      case 'FormChanged': {
        const version = event.type === 'FormCreated' ? 1 : event.data.version;
        return [
          { collection: FORMS, id: event.data.form_id },
          { collection: FORM_VERSIONS, id: versionId(event.data.form_id, version) },
        ];
      }
      case 'FormDeleted':
        return [{ collection: FORMS, id: event.data.form_id }];
      case 'FormVisitsCounted':
        return [{ collection: FORM_DAYS, id: dayId(event.data.form_id, event.data.day) }];
      default:
        return [
          { collection: SUBMISSIONS, id: event.data.submission_id },
          { collection: FORM_DAYS, id: dayId(event.data.form_id, dayOf(event.data.at)) },
        ];
    }
  },
  apply: ({ event, meta: { account }, position }, view) => {
    switch (event.type) {
      case 'FormSubmitted':
        applySubmitted(event.data, account, position, view);
        break;
      case 'FormSubmissionConfirmed': {
        const { submission_id, form_id, at } = event.data;
        const doc = view.get<SubmissionDoc>(SUBMISSIONS, submission_id);
        if (!doc || doc.status === 'confirmed') return;
        view.put(SUBMISSIONS, { ...doc, status: 'confirmed', confirmed_at: at });
        count(view, form_id, dayOf(at), { confirmed: 1 });
        break;
      }
      case 'FormVisitsCounted': {
        const { form_id, day } = event.data;
        count(view, form_id, day, Object.fromEntries(visitKinds.map((kind) => [kind, event.data[kind]])));
        break;
      }
      case 'FormConfirmationSent':
        break;
      default:
        applyForm(event, account, view);
    }
  },
};

type SubmissionData = Extract<SealedSubmissionEvent, { type: 'FormSubmitted' }>['data'];

function applySubmitted(data: SubmissionData, account: string, position: LogEvent['position'], view: View): void {
  const {
    submission_id: id,
    form_id,
    form_version,
    contact_id,
    contact_created,
    consented,
    language,
    duplicate_of,
    double_opt_in,
    not_applied,
    at,
    sealed,
  } = data;
  const doc: SubmissionDoc = {
    id,
    account,
    form_id,
    form_version,
    contact_id,
    contact_created,
    status: double_opt_in ? 'pending_confirmation' : 'accepted',
    consent: consented,
    language,
    duplicate_of,
    ...(not_applied && { not_applied }),
    submitted_at: at,
    confirmed_at: null,
    sort: `${at}/${position}`,
    sealed,
  };
  view.put(SUBMISSIONS, doc);
  count(view, form_id, dayOf(at), { submissions: 1, duplicates: duplicate_of === null ? 0 : 1 });
}

type DayCounts = Pick<FormDayDoc, (typeof countNames)[number]>;
const countNames = ['views', 'starts', 'submissions', 'duplicates', 'confirmed', 'dropped'] as const;
const nothing: DayCounts = { views: 0, starts: 0, submissions: 0, duplicates: 0, confirmed: 0, dropped: 0 };

function count(view: View, form_id: string, day: string, more: Partial<DayCounts>): void {
  const id = dayId(form_id, day);
  const before = view.get<FormDayDoc>(FORM_DAYS, id) ?? nothing;
  const after = Object.fromEntries(countNames.map((name) => [name, before[name] + (more[name] ?? 0)]));
  view.put(FORM_DAYS, { id, form_id, day, ...after });
}

function applyForm(event: FormEvent, account: string, view: View): void {
  const { form_id: id, at } = event.data;
  if (event.type === 'FormCreated') {
    const { name, slug, status } = event.data.definition;
    const doc: FormDoc = { id, account, name, slug, status, version: 1, created_at: at, updated_at: at, deleted: false, sort: `${at}/${id}` };
    view.put(FORMS, doc);
    putVersion(view, id, 1, { name, status, at });
    return;
  }
  const doc = view.get<FormDoc>(FORMS, id);
  if (!doc) return;
  if (event.type === 'FormDeleted') {
    view.put(FORMS, { ...doc, deleted: true, updated_at: at });
    return;
  }
  const { version, definition } = event.data;
  const { name, slug, status } = definition;
  view.put(FORMS, { ...doc, name, slug, status, version, updated_at: at });
  putVersion(view, id, version, { name, status, at });
}

function putVersion(view: View, form_id: string, version: number, { name, status, at }: { name: string; status: FormStatus; at: string }): void {
  const doc: FormVersionDoc = { id: versionId(form_id, version), form_id, version, name, status, created_at: at, sort: versionText(version) };
  view.put(FORM_VERSIONS, doc);
}
