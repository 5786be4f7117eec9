import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { forecastEnrollment } from '../../commands/journeys/forecast-enrollment.js';
import { type Context, internalCommand } from '../../commands/runtime/command.js';
import { completeJourneyDefinition, type JourneyDefinitionInput } from '../../domain/journeys/definition.js';
import { type EnrollmentEvent, enrollmentStream } from '../../domain/journeys/enrollment.js';
import { type JourneyCommand, journey, journeyStream } from '../../domain/journeys/journey.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { newId } from '../../log/runtime/ids.js';
import { datedContacts } from '../../ops/app/ports/dated-contacts.js';
import { keepEnrollments } from '../../processes/journeys/keep-enrollments.js';
import type { AnyProcessManager } from '../../processes/runtime/process-manager.js';
import { NOTES, todoList } from '../../processes/runtime/todo-list.js';
import { keepMemberships } from '../../processes/segments/keep-memberships.js';
import { contacts } from '../../projections/contacts/projection.js';
import { customEvents } from '../../projections/events/projection.js';
import { forms } from '../../projections/forms/projection.js';
import { enrollmentQueries } from '../../projections/journeys/enrollment-queries.js';
import { type EnrollmentDoc, enrollments, type JourneyStatsDoc } from '../../projections/journeys/enrollments.js';
import { explainJourney } from '../../projections/journeys/explain.js';
import { journeyFactsReader } from '../../projections/journeys/facts.js';
import { journeyPastReader } from '../../projections/journeys/past.js';
import { segmentMemberQueries } from '../../projections/segments/member-queries.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { system } from '../support/system.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { type PortOverrides, withPorts } from '../support/test-ports.js';

const commandJourney = internalCommand({
  name: 'TestJourney',
  handle: async (command: JourneyCommand, context: Context) => {
    await context.decide(journey, journeyStream(command.journey_id), { ...command, now: context.now } as JourneyCommand);
  },
});

/** Journeys over engines in memory: the clock goes from one timer to the next. */
export class JourneyApp {
  readonly #process = keepEnrollments({
    views: () => this.#views(),
    find: {
      upToDate: async () => {
        await this.app.documents(enrollments, 'enrollments');
        return true;
      },
      members: async (log, segment, after) => {
        await this.app.documents(segmentMembers, 'members');
        const found = await segmentMemberQueries({ log, views: this.app.views }).members(segment, after);
        return { ids: found.map(({ contact_id }) => contact_id), next: null };
      },
      contacts: async (log, account, field, after) => {
        await this.app.documents(contacts, 'contacts');
        return datedContacts({ log, views: this.app.views }, account, field, after);
      },
      page: (account, id, filter, after) => enrollmentQueries({ views: this.app.views }).active(account, id, filter, after),
    },
  });
  /** Answers of the receivers of webhook nodes. */
  readonly calls: { readonly url: string; readonly attempt: number; readonly delivery_id: string; readonly body: object }[] = [];
  /** By which messages are timed that are sent at the best hour. */
  hours: readonly number[] | null = null;
  receiver: (attempt: number) => string = () => 'ok';
  #built: Promise<void> = Promise.resolve();
  readonly app: TestApp;

  /** With other processes, and ports of commands. */
  constructor({ processes = [], ports = {} }: { readonly processes?: readonly AnyProcessManager[]; readonly ports?: PortOverrides } = {}) {
    const own = [this.#process, keepMemberships({ views: () => this.app.views })];
    this.app = new TestApp([...own, ...processes], withPorts(this.#ports(), ports));
  }

  #ports(): PortOverrides {
    return {
      journeys: {
        facts: {
          holds: (...asked) => journeyFactsReader({ log: this.app.log, views: this.#views(), clock: this.app.clock }).holds(...asked),
        },
        past: {
          contacts: (...asked) => this.#past().contacts(...asked),
          contactSignals: (...asked) => this.#past().contactSignals(...asked),
          recent: (...asked) => this.#past().recent(...asked),
          starts: (...asked) => this.#past().starts(...asked),
          message: (...asked) => this.#past().message(...asked),
          holds: (...asked) => this.#past().holds(...asked),
        },
        calls: {
          retryDelaysMs: [30_000, 300_000, 1_800_000],
          post: async ({ url, attempt, delivery_id, body }) => {
            this.calls.push({ url, attempt, delivery_id, body });
            return this.receiver(attempt);
          },
        },
      },
      scores: { hoursToSend: async () => async () => this.hours },
    };
  }

  #past() {
    return journeyPastReader({ log: this.app.log, views: this.#views(), clock: this.app.clock });
  }

  /** What waits for a read model builds it. */
  #views(): ReadModels {
    const { app } = this;
    const build = async () => {
      await app.documents(todoList(this.#process), 'todos');
      await app.documents(customEvents, 'events');
      await app.documents(contacts, 'contacts');
      await app.documents(forms, 'forms');
    };
    const waitUntilReached: ReadModels['waitUntilReached'] = async () => {
      // One writer of a read model at a time.
      this.#built = this.#built.then(build);
      await this.#built;
      return true;
    };
    return new Proxy(app.views, {
      get: (views, name) => (name === 'waitUntilReached' ? waitUntilReached : bound(views, name as keyof ReadModels)),
    });
  }

  at(ms: number): string {
    return new Date(ms).toISOString();
  }

  /** Makes and publishes a journey. The definition is not validated. */
  async publish(definition: Omit<JourneyDefinitionInput, 'name'>, id = newId(system.entropy, 'jrn', this.app.clock.now())): Promise<string> {
    await this.command({
      type: 'Draft',
      journey_id: id,
      account_id: ACCOUNT,
      ...completeJourneyDefinition({ name: 'Test', ...definition }),
      now: '',
    });
    await this.command({ type: 'Publish', journey_id: id, account_id: ACCOUNT, in_flight: 'pinned', test: false, now: '' });
    return id;
  }

  async republish(id: string, definition: Omit<JourneyDefinitionInput, 'name'>, in_flight: 'pinned' | 'migrate'): Promise<void> {
    const complete = completeJourneyDefinition({ name: 'Test', ...definition });
    await this.command({ type: 'ChangeDraft', journey_id: id, account_id: ACCOUNT, ...complete, expected: null, now: '' });
    await this.command({ type: 'Publish', journey_id: id, account_id: ACCOUNT, in_flight, test: false, now: '' });
  }

  async command(command: JourneyCommand): Promise<void> {
    await this.app.execute(commandJourney, command);
  }

  async contact(email: string, more: object = {}): Promise<string> {
    return (await this.app.execute(upsertContact, { contact: { email, ...more }, source: 'api' })).output.contact_id;
  }

  async event(contact: string, event: string, properties: Record<string, unknown> = {}): Promise<string> {
    return (await this.app.execute(recordEvent, { contact: { id: contact }, event, properties } as never)).output.id;
  }

  async enrollments(journeyId?: string): Promise<EnrollmentDoc[]> {
    const all = await this.app.documents<EnrollmentDoc>(enrollments, 'enrollments');
    return all.filter(({ journey_id }) => journeyId === undefined || journey_id === journeyId).sort((a, b) => (a.sort < b.sort ? -1 : 1));
  }

  async stats(journey: string): Promise<JourneyStatsDoc | undefined> {
    return (await this.app.documents<JourneyStatsDoc>(enrollments, 'stats')).find(({ id }) => id === journey);
  }

  /** The events of an enrollment, short: `send s1`, `exited completed`. */
  async path(id: string): Promise<string[]> {
    const events = (await this.app.log.read<EnrollmentEvent>(enrollmentStream(id))) ?? [];
    return events.map(({ event }) => short(event));
  }

  explain(journey: string, contact: string) {
    const { log, clock } = this.app;
    return explainJourney({ log, views: this.#views(), clock }, ACCOUNT, journey, contact, async (enrollment_id) => {
      return (await this.app.execute(forecastEnrollment, { enrollment_id })).output;
    });
  }

  /** Ids of the notes of the list. */
  async notes(): Promise<string[]> {
    return (await this.app.documents(todoList(this.#process), NOTES)).map(({ id }) => id);
  }

  async messages(id: string): Promise<MessageEvent[]> {
    const events = (await this.app.log.read<EnrollmentEvent>(enrollmentStream(id))) ?? [];
    const ids = events.flatMap(({ event }) => (event.type === 'EnrollmentSendRequested' ? [event.data.message_id] : []));
    const streams = await Promise.all(ids.map((message) => this.app.log.read<MessageEvent>(messageStream(message))));
    return streams.flatMap((one) => (one ?? []).map(({ event }) => event));
  }
}

const bound = (views: ReadModels, name: keyof ReadModels): unknown => {
  const value: unknown = views[name];
  return typeof value === 'function' ? value.bind(views) : value;
};

function short({ type, data }: EnrollmentEvent): string {
  switch (type) {
    case 'EnrollmentNodeEntered':
      return `enter ${data.node_id}`;
    case 'EnrollmentTimerSet':
      return `timer ${data.due_at}`;
    case 'EnrollmentTimerFired':
      return `fired ${data.branch}`;
    case 'EnrollmentBranchTaken':
      return `took ${data.branch}`;
    case 'EnrollmentSendRequested':
      return `sent ${data.node_id}`;
    case 'EnrollmentSendSkipped':
      return `skipped ${data.node_id} ${data.reason}`;
    case 'EnrollmentActionTaken':
      return `${data.action} ${data.outcome}`;
    case 'EnrollmentExited':
      return `exited ${data.reason}`;
    default:
      return type.replace('Enrollment', '').toLowerCase();
  }
}
