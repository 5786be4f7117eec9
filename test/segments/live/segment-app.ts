/** An app that keeps memberships, and beside it the plain reading of what happens in it. */
import { randomUUID } from 'node:crypto';
import type { AnyEvent } from '../../../domain/kernel/event.js';
import { readEarlier } from '../../../domain/segments/earlier-reading.js';
import type { Rule } from '../../../domain/segments/rule.js';
import type { AnyProcessManager, PerformOutcome, Todo } from '../../../processes/runtime/process-manager.js';
import { keepMemberships } from '../../../processes/segments/keep-memberships.js';
import { segmentMemberQueries } from '../../../projections/segments/member-queries.js';
import { segmentMembers } from '../../../projections/segments/members.js';
import { ACCOUNT, TestApp } from '../../support/test-app.js';
import { textAt } from './rules.js';
import { LiveWorld } from './world.js';
import { personalNames } from './world-building.js';

export interface SentMessage {
  readonly id: string;
  readonly to: { readonly contact: string } | { readonly key: string };
  readonly key: string;
  readonly channel: 'email' | 'sms';
  readonly campaign_id: string | null;
}

/** An app and the plain reading of what happens in it. */
export class SegmentApp {
  readonly process = keepMemberships({ views: () => this.app.views });
  /** More may be added later. */
  readonly processes: AnyProcessManager[] = [this.process];
  readonly app: TestApp;
  readonly world: LiveWorld;
  readonly #revisions = new Map<string, number>();
  readonly #versions = new Map<string, number>();
  readonly #links = new Map<string, { merge_id: string; into: string }>();
  readonly messages: SentMessage[] = [];
  #appends = 0;

  /** Partitions of the list of the process. */
  constructor(partitions = 1) {
    this.app = new TestApp(this.processes, {}, partitions);
    this.world = new LiveWorld(this.app.clock.now());
  }

  get at(): string {
    return textAt(this.app.clock.now());
  }

  /** Lets time pass; all that is due is done. */
  async pass(ms: number): Promise<void> {
    // Contacts first: the end of a build records what is due of them, too.
    for (;;) {
      const contacts = (await this.due()).filter(({ lane }) => lane === 'segments');
      if (contacts.length === 0) break;
      await this.perform(contacts);
    }
    await this.app.run(ms);
    this.world.now = this.app.clock.now();
  }

  async append(stream: string, event: AnyEvent): Promise<void> {
    const revision = this.#revisions.get(stream);
    this.#revisions.set(stream, (revision ?? -1) + 1);
    await this.app.log.append(stream, revision ?? 'no-stream', [event], {
      ...{ $correlationId: 'c', $causationId: 'c', account: ACCOUNT, actor: { kind: 'operator', id: 'test' }, occurredAt: this.at },
      invocation: `append-${++this.#appends}`,
    });
  }

  async define(id: string, rules: Rule | null): Promise<void> {
    const version = (this.#versions.get(id) ?? 0) + 1;
    const about = { segment_id: id, at: this.at };
    if (rules === null) return;
    this.#versions.set(id, version);
    const event =
      version === 1
        ? { type: 'SegmentCreated', data: { ...about, name: id, rules } }
        : { type: 'SegmentUpdated', data: { ...about, rules, rules_version: version } };
    await this.append(`segment-${id}`, event);
    this.world.define(id, rules);
  }

  /** Of the time before rules were read as now. */
  async defineEarlier(segment_id: string, rules: Rule): Promise<void> {
    const about = { $correlationId: 'c', $causationId: 'c', account: ACCOUNT, actor: { kind: 'operator', id: 'test' } };
    const event = {
      id: randomUUID(),
      type: 'SegmentCreated',
      data: JSON.stringify({ segment_id, name: segment_id, rules, at: this.at }),
      metadata: JSON.stringify({ ...about, occurredAt: this.at, schemaVersion: 1 }),
    };
    await this.app.engine.events.append(`segment-${segment_id}`, 'no-stream', [event]);
    this.world.define(segment_id, readEarlier(rules));
  }

  async create(): Promise<void> {
    const id = this.world.create();
    await this.append(`contact-${id}`, { type: 'ContactCreated', data: this.#patch(id, {}) });
  }

  /** The account has another time zone. */
  async zone(timezone: string): Promise<void> {
    this.world.zone(timezone);
    const stream = `account-${ACCOUNT}`;
    if (!this.#revisions.has(stream)) {
      const account = { account_id: ACCOUNT, name: 'Test', timezone: 'UTC', webhook_secret: 'none', at: this.at };
      await this.append(stream, { type: 'AccountCreated', data: account });
    }
    await this.append(stream, { type: 'SettingsChanged', data: { changes: { timezone }, at: this.at } });
  }

  async happen(id: string, name: string, time: number, properties: Record<string, unknown>): Promise<void> {
    const event_id = `evt_${this.#appends}`;
    this.world.happen(id, { id: event_id, name, time, properties });
    const data = { event_id, contact_id: id, name, properties, occurred_at: textAt(time), at: this.at };
    await this.append(`event-${event_id}`, { type: 'CustomEventRecorded', data });
  }

  async set(id: string, name: string, value: unknown): Promise<void> {
    this.world.set(id, name, value);
    const patch =
      value === null ? { cleared: [name] } : personalNames.has(name) ? { said: [name], personal: { [name]: value } } : { values: { [name]: value } };
    await this.append(`contact-${id}`, { type: 'ContactUpdated', data: this.#patch(id, patch) });
  }

  async tag(id: string, tag: string, add: boolean): Promise<void> {
    this.world.tag(id, tag, add);
    await this.append(`contact-${id}`, { type: 'ContactUpdated', data: this.#patch(id, add ? { tags_added: [tag] } : { tags_removed: [tag] }) });
  }

  async list(id: string, list: string, subscribed: boolean): Promise<void> {
    this.world.list(id, list, subscribed ? 'subscribed' : 'unsubscribed', 'person');
    const data = { contact_id: id, list_id: list, source: 'api', by: 'person', at: this.at };
    const event = subscribed ? { type: 'ListSubscribed', data: { ...data, request_id: null } } : { type: 'ListUnsubscribed', data };
    await this.append(`membership-${id}`, event);
  }

  async consent(id: string, type: 'ConsentGranted' | 'ConsentWithdrawn', occurredAt: number): Promise<void> {
    const about = { contact_id: id, channel: 'email', purpose: 'marketing', lawful_basis: 'consent', cause: { kind: 'api', id: null } };
    const data = { ...about, occurred_at: textAt(occurredAt), at: this.at };
    this.world.consent(id, { type, data: { ...data, sealed: '' } } as unknown as Parameters<LiveWorld['consent']>[1]);
    await this.append(`consent-${id}`, { type, data: { ...data, source: 'api', proof: null } });
  }

  async address(id: string, kind: 'email' | 'phone', key: string | null): Promise<void> {
    this.world.address(id, kind, key);
    if (key !== null) await this.append(`contactKey-${key}`, { type: 'ContactKeyClaimed', data: { contact_id: id, at: this.at } });
    const patch = key === null ? { cleared: [kind] } : { said: [kind], personal: { [kind]: key } };
    await this.append(`contact-${id}`, { type: 'ContactUpdated', data: this.#patch(id, { ...patch, keys: { [kind]: key } }) });
  }

  async suppress(key: string, channel: string, isOn: boolean): Promise<void> {
    this.world.suppress(key, channel, isOn);
    const about = { suppression_id: 'sup_1', address_key: key, channel, at: this.at };
    const cause = { address: null, reason: 'manual', scope: 'all', source: 'api', occurred_at: this.at, message_id: null, via: null };
    const lift = { reasons: ['manual'], by: 'request', because: 'asked', proof: null };
    const event = isOn ? { type: 'AddressSuppressed', data: { ...about, ...cause } } : { type: 'SuppressionLifted', data: { ...about, ...lift } };
    await this.append(`suppression-${key}`, event);
  }

  /** A message to a contact, or to an address that names none. */
  async send(to: { readonly contact: string } | { readonly key: string }, channel: 'email' | 'sms', campaign_id?: string): Promise<void> {
    const id = `msg_${this.#appends}`;
    const key = 'key' in to ? to.key : `${channel}-${to.contact}`;
    this.messages.push({ id, to, key, channel, campaign_id: campaign_id ?? null });
    const named = { ...('contact' in to && { contact_id: to.contact }), ...(campaign_id && { campaign_id }) };
    const data = { to_key: key, to: key, channel, category: 'marketing', content: { message: 'Hi' }, ...named, created_at: this.at };
    await this.append(`message-${id}`, { type: 'MessageQueued', data });
  }

  async report(message: SentMessage, action: 'opened' | 'clicked', time: number, machine: boolean): Promise<void> {
    const { id, to, key, channel, campaign_id } = message;
    const past = { action, time, machine, channel, campaign_id, journey_id: null, node_id: null, template_id: null };
    if ('key' in to) this.world.messageTo(to.key, past);
    else if (this.world.present.includes(to.contact)) this.world.message(to.contact, past);
    const receipt = { carrier: 'sandbox', carrier_message_id: null, raw_status: action, receipt_key: `r${this.#appends}` };
    const code = machine ? `machine_${action === 'opened' ? 'open' : 'click'}` : null;
    const data = { ...receipt, code, at: textAt(time), received_at: this.at, to_key: key, channel, ...(action === 'clicked' && { url: null }) };
    await this.append(`message-${id}`, { type: action === 'opened' ? 'MessageOpened' : 'MessageClicked', data });
  }

  async merge(from: string, into: string): Promise<void> {
    const merge_id = `mrg_${this.#appends}`;
    this.#links.set(from, { merge_id, into });
    this.world.merge(from, into);
    await this.append(`contact-${from}`, { type: 'ContactMerged', data: { contact_id: from, into, merge_id, because: 'request', at: this.at } });
    await this.append(`contact-${into}`, { type: 'ContactAbsorbed', data: { contact_id: into, absorbed: from, merge_id, at: this.at } });
  }

  async unmerge(id: string): Promise<void> {
    const { merge_id, into } = this.#links.get(id) as { merge_id: string; into: string };
    this.world.unmerge(id);
    await this.append(`contact-${id}`, { type: 'ContactUnmerged', data: { contact_id: id, from: into, merge_id, at: this.at } });
    await this.append(`contact-${into}`, { type: 'ContactReleased', data: { contact_id: into, absorbed: id, merge_id, at: this.at } });
  }

  /** A contact without others. */
  async erase(id: string): Promise<void> {
    this.world.end(id);
    await this.append(`contact-${id}`, { type: 'ContactErased', data: { contact_id: id, erasure_id: `era_${id}`, at: this.at } });
    await this.app.run(0);
    await this.app.vault.erase(id);
    const data = { erasure_id: `era_${id}`, contact_ids: [id], address_keys: [], at: this.at };
    await this.append(`erasure-era_${id}`, { type: 'ErasureCompleted', data });
  }

  async due(): Promise<readonly Todo[]> {
    return (await this.app.todos()).filter(({ todo }) => todo.due_at <= this.app.clock.now()).map(({ todo }) => todo);
  }

  perform(todos: readonly Todo[], node = 'own'): Promise<readonly PerformOutcome[]> {
    return this.process.perform(todos as never, {
      ...{
        log: this.app.log,
        clock: this.app.clock,
        epoch: 1,
        tenure: { since: 1, ended: new AbortController().signal },
        signal: new AbortController().signal,
        caughtUp: async () => true,
      },
      execute: (command, input, { about, ...cause }) => this.app.execute(command, input, { ...cause, invocation: `${node}/${about}` }),
    });
  }

  async builds(): Promise<readonly Todo[]> {
    return (await this.due()).filter(({ lane }) => lane === 'builds');
  }

  /** Does the next step of what is being built. */
  async buildOn(): Promise<void> {
    const next = await this.builds();
    if (next.length > 0) await this.perform(next);
  }

  /** Null where every segment has the members that it must have. */
  async difference(): Promise<string | null> {
    await this.app.documents(segmentMembers, 'members');
    const queries = segmentMemberQueries({ log: this.app.log, views: this.app.views });
    for (const segment of this.world.segmentIds) {
      const is = (await queries.members(segment, null)).map(({ contact_id }) => contact_id);
      const count = (await queries.state(segment))?.count;
      if (count !== is.length) return `${segment} at ${this.at}: counts ${count} of ${is.join()}`;
      const must = this.world.membersOf(segment);
      if (is.sort().join() !== must.join()) return `${segment} at ${this.at}: has ${is.join()}, must have ${must.join()}`;
    }
    return null;
  }

  #patch(id: string, patch: object): object {
    const empty = { values: {}, personal: {}, said: [], cleared: [], keys: {}, tags_added: [], tags_removed: [] };
    return { contact_id: id, source: 'api', import_id: null, ...empty, ...patch, at: this.at };
  }
}
