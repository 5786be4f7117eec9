import { refitScores, scoreBuyers } from '../../commands/scores/refit-scores.js';
import { rescoreContact } from '../../commands/scores/rescore-contact.js';
import { CONTACT_SCORING, SCORE_FIT } from '../../commands/scores/score-kinds.js';
import type { AccountEvent } from '../../domain/accounts/account.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { SealedRecordedEvent } from '../../domain/events/custom-event.js';
import type { JobEvent } from '../../domain/jobs/job.js';
import type { Doc, Position } from '../../domain/kernel/ports.js';
import type { ContactScoreEvent } from '../../domain/scores/contact-scores.js';
import type { ScoreModelFittedEvent } from '../../domain/scores/score-model.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type Intention, type PerformContext, type ProcessManager, performEach, type ReactionMemory, type Todo } from '../runtime/process-manager.js';

/** A contact to score again, or the next fit or scoring of an account. */
export interface ScoreTodo extends Todo {
  readonly correlation: string;
  readonly step: 'contact' | 'fit' | 'score';
  /** Position of the event that asked for it. */
  readonly asked: Position;
}

/** What is known of an account. */
interface AccountNote extends Doc {
  /** Name of the custom event of a purchase. */
  readonly event: string;
  readonly fitted: boolean;
  readonly scheduled: boolean;
}

type ContactMoved = Extract<
  SealedContactEvent,
  { type: 'ContactAbsorbed' | 'ContactUnmerged' | 'ContactReleased' | 'ContactDeleted' | 'ContactErased' }
>;
type HandledEvent =
  | SealedRecordedEvent
  | ContactMoved
  | Extract<AccountEvent, { type: 'SettingsChanged' }>
  | Extract<JobEvent, { type: 'JobAccepted' }>
  | Extract<ContactScoreEvent, { type: 'ContactRescored' }>
  | ScoreModelFittedEvent;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The first accounts' scores are renewed then, in UTC: a time of day at which little happens. */
const NIGHT_MS = 3 * HOUR_MS;
const FIT_DAYS = 7;
const NOT_YET_MS = 1_000;
const { event: DEFAULT_EVENT } = defaultSettings('', 'UTC').purchase;

const contactTodoId = (contact: string): string => `contact/${contact}`;
const fitTodoId = (account: string): string => `fit/${account}`;
const scoreTodoId = (account: string): string => `score/${account}`;
const noteId = (account: string): string => `account/${account}`;

/** A time in the night of a later day, spread over two hours by the account. */
const nightAfter = (ms: number, days: number, account: string): number =>
  (Math.floor(ms / DAY_MS) + days) * DAY_MS + NIGHT_MS + (spreadOf(account) % (2 * HOUR_MS));

function spreadOf(text: string): number {
  let sum = 0;
  for (const char of text) sum = (sum * 31 + (char.codePointAt(0) as number)) % 7_200_000;
  return sum;
}

export interface ScoreProcessParts {
  /** Whether the read models include everything up to a position. */
  readonly upToDate: (position: Position) => Promise<boolean>;
}

/**
 * Keeps the scores of accounts that record purchases: a contact is scored again after a purchase, a merge or its end; all are every
 * night, and the models are fitted every week, the first time in the night after the first purchase.
 */
export const keepScores = ({ upToDate }: ScoreProcessParts): ProcessManager<HandledEvent, ScoreTodo> => ({
  name: 'scores/keep-scores',
  version: 1,
  handles: [
    ...(['CustomEventRecorded', 'ContactAbsorbed', 'ContactUnmerged', 'ContactReleased', 'ContactDeleted', 'ContactErased'] as const),
    ...(['SettingsChanged', 'JobAccepted', 'ContactRescored', 'ScoreModelFitted'] as const),
  ],
  reads: ({ event, meta }) => ({
    notes: [noteId(meta.account)],
    todos: [fitTodoId(meta.account), scoreTodoId(meta.account), ...('contact_id' in event.data ? [contactTodoId(event.data.contact_id)] : [])],
  }),
  react: (stored, memory) => react(stored, memory),
  concurrency: { lane: 4, total: 8 },

  perform: performEach(async (todo, performing) => {
    if (todo.step !== 'contact') return begin(todo, performing);
    if (!(await upToDate(todo.asked))) return { retry_at: performing.clock.now() + NOT_YET_MS };
    const { account, correlation, asked } = todo;
    const contact_id = todo.id.slice(contactTodoId('').length);
    return (await performing.execute(rescoreContact, { contact_id, asked }, { account, correlation, about: `${contact_id}/${asked}` })).position;
  }),
});

async function begin({ id, step, account, correlation, due_at }: ScoreTodo, { execute }: PerformContext) {
  const command = step === 'fit' ? refitScores : scoreBuyers;
  return (await execute(command, {}, { account, correlation, about: `${id}/${due_at}` })).position;
}

function react(stored: LogEvent<HandledEvent>, memory: ReactionMemory<ScoreTodo>): readonly Intention[] {
  const { event, meta, position } = stored;
  const { account } = meta;
  const note: AccountNote = memory.note(noteId(account)) ?? { id: noteId(account), event: DEFAULT_EVENT, fitted: false, scheduled: false };
  const at = Date.parse(event.data.at);
  const store = (changes: Partial<AccountNote>): Intention => ({ do: 'store-note', note: { ...note, ...changes } });
  const todo = (id: string, step: ScoreTodo['step'], due_at: number): Intention => ({
    do: 'schedule',
    todo: { id, due_at, account, priority: 2, lane: step, correlation: meta.$correlationId, step, asked: position },
  });
  const contact = (id: string): readonly Intention[] =>
    note.fitted ? [todo(contactTodoId(id), 'contact', at)] : [{ do: 'ignore', reason: 'not_fitted' }];
  switch (event.type) {
    case 'SettingsChanged': {
      const { purchase, churn_window } = event.data.changes;
      if (purchase === undefined && churn_window === undefined) return [{ do: 'ignore', reason: 'other_settings' }];
      return [store({ event: purchase?.event ?? note.event }), ...(note.fitted ? [todo(fitTodoId(account), 'fit', at)] : [])];
    }
    case 'CustomEventRecorded':
      if (event.data.name !== note.event) return [{ do: 'ignore', reason: 'no_purchase' }];
      if (note.scheduled) return contact(event.data.contact_id);
      return [store({ scheduled: true }), todo(fitTodoId(account), 'fit', nightAfter(at, 1, account))];
    case 'ScoreModelFitted':
      return [store({ fitted: true, scheduled: true })];
    case 'JobAccepted':
      if (event.data.kind === CONTACT_SCORING) return [todo(scoreTodoId(account), 'score', nightAfter(at, 1, account))];
      if (event.data.kind !== SCORE_FIT) return [{ do: 'ignore', reason: 'other_job' }];
      return [
        store({ scheduled: true }),
        todo(fitTodoId(account), 'fit', nightAfter(at, FIT_DAYS, account)),
        todo(scoreTodoId(account), 'score', nightAfter(at, 1, account)),
      ];
    case 'ContactAbsorbed':
    case 'ContactReleased':
    case 'ContactUnmerged':
      return contact(event.data.contact_id);
    case 'ContactDeleted':
    case 'ContactErased':
      return [{ do: 'cancel', id: contactTodoId(event.data.contact_id) }];
    case 'ContactRescored': {
      const waiting = memory.todo(contactTodoId(event.data.contact_id));
      if (!waiting || waiting.asked > event.data.asked) return [{ do: 'ignore', reason: 'asked_again' }];
      return [{ do: 'cancel', id: waiting.id }];
    }
    default:
      return event satisfies never;
  }
}
