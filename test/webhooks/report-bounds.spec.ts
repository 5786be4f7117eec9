import { expect } from 'chai';
import fc from 'fast-check';
import type { InboundRouteRequest } from '../../api/http/inbound-route.js';
import type { Services } from '../../api/http/services.js';
import { reportRecorder } from '../../api/messages/record-reports.js';
import { receiveSes } from '../../carriers/ses/receive.js';
import type { SnsMessage } from '../../carriers/ses/verify.js';
import { envelopeSender } from '../../carriers/smtp/message-id.js';
import { receiveMail } from '../../carriers/smtp/receive.js';
import { parkWork } from '../../commands/parked/park-work.js';
import { keepMail, OPERATOR, settleReport } from '../../commands/webhooks/keep-report.js';
import { keptReports } from '../../commands/webhooks/kept-fields.js';
import { MAX_RECIPIENTS } from '../../domain/messages/accepted-fields.js';
import { parkedStream } from '../../domain/parked/parked-work.js';
import { evolve, type KeptMailEvent, type KeptMails, keptMails, keptMailsStream, MAX_KEPT_MAILS } from '../../domain/webhooks/kept-mails.js';
import { KEPT_FOR_MS, type KeptReportEvent, keptReportStream } from '../../domain/webhooks/kept-report.js';
import { EnvelopeTags } from '../../formats/messages/envelope-tags.js';
import { hashId } from '../../log/runtime/ids.js';
import type { PerformContext } from '../../processes/runtime/process-manager.js';
import { claimReports } from '../../processes/webhooks/claim-reports.js';
import { type ClaimableReport, reportClaims } from '../../projections/webhooks/claim-report.js';
import { specification } from '../given.js';
import { TestApp } from '../support/test-app.js';
import { reportOnMany } from './large-reports.js';

const KEY = Buffer.alloc(32, 7);
const tags = new EnvelopeTags(KEY);
const ID = 'msg_01JZ0000000000000000000000';
const addressOf = (id: string) => envelopeSender('bounces@example.com', id, tags.of(id));
const isReport = (one: { kind: string }): one is ClaimableReport => one.kind === 'receipt';

function fixture() {
  const app: TestApp = new TestApp([
    claimReports({
      claims: (report) => reportClaims({ log: app.log, views: app.views, addresses: app.vault })(report),
      destroyKey: (subject) => app.vault.erase(subject),
    }),
  ]);
  const services = { log: app.log, views: app.views, addresses: app.vault, clock: app.clock, purposeKey: () => KEY } as unknown as Services;
  const execute = ((command, input, account) => app.execute(command, input, { account })) as InboundRouteRequest['execute'];
  const recorder = reportRecorder(services);
  const keep = (reports: readonly ClaimableReport[]) => recorder.keep(reports, { execute });
  const events = async (type: string) => (await app.engine.events.readAll('start', 10_000)).events.filter((event) => event.type === type);
  return { app, keep, events };
}

describe('a report about more recipients than a message can have', () => {
  it('is cut where it is a mail, and says so', async () => {
    const found = await receiveMail(reportOnMany({ to: addressOf(ID), recipients: 3_000 }), Date.now());
    expect(found.filter(isReport)).to.have.length(MAX_RECIPIENTS);
    expect(found.at(-1)).to.deep.equal({ kind: 'cut', recipients: 3_000 - MAX_RECIPIENTS });
  });

  it('counts equal recipients once, in any case of letters', async () => {
    const found = await receiveMail(
      reportOnMany({ to: addressOf(ID), recipients: 3_000, nameOf: (nth) => ['ada', 'ADA', 'Bob'][nth % 3] ?? '' }),
      Date.now(),
    );
    expect(found.map(({ kind }) => kind)).to.deep.equal(['receipt', 'receipt']);
  });

  it('is cut where Amazon SES sends it', async () => {
    const bouncedRecipients = Array.from({ length: 20_000 }, (_, nth) => ({ emailAddress: `u${nth}@example.org`, status: '5.1.1' }));
    const event = { eventType: 'Bounce', mail: { messageId: 'ses-1' }, bounce: { bounceType: 'Permanent', bouncedRecipients } };
    const found = await receiveSes({ Message: JSON.stringify(event), MessageId: 'sns-1' } as SnsMessage);
    expect(found.filter(isReport)).to.have.length(MAX_RECIPIENTS);
    expect(found.at(-1)).to.deep.equal({ kind: 'cut', recipients: 20_000 - MAX_RECIPIENTS });
  });
});

describe('what nobody can claim', () => {
  it('is one record a mail, which has all its reports', async () => {
    const { app, keep, events } = fixture();
    const found = (await receiveMail(reportOnMany({ to: addressOf(ID), recipients: 40 }), app.clock.now())).filter(isReport);
    expect(await keep(found)).to.equal(true);
    const [kept, ...others] = await events('ReportKept');
    expect(others).to.deep.equal([]);
    const [opened] = (await app.log.read<KeptReportEvent>(kept?.stream ?? '')) ?? [];
    if (opened?.event.type !== 'ReportKept') throw new Error('nothing was kept');
    expect(keptReports(opened.event.data)).to.deep.equal(JSON.parse(JSON.stringify(found)));
    expect(opened.event.data).to.include({ message_id: ID });
    expect(JSON.stringify(kept?.data)).not.to.include('u1@example.org');
  });

  it('is for the operator at once where it came to an address of bounces and is none, though its message is known', async () => {
    const { app, keep, events } = fixture();
    const mail = Buffer.from(`To: ${addressOf(ID)}\r\nFrom: Ada <ada@example.org>\r\nSubject: Offer\r\n\r\nHi`);
    const found = await receiveMail(mail, app.clock.now());
    expect(found).to.have.length(1);
    expect(found[0]).to.include({ kind: 'email', for_operator: true });
    const claimable = found.filter((one): one is ClaimableReport => one.kind === 'email');
    expect(await reportClaims({ log: app.log, views: app.views, addresses: app.vault })(claimable[0] as ClaimableReport)).to.deep.equal([]);
    expect(await keep(claimable)).to.equal(true);
    expect(await events('ReportKept')).to.have.length(1);
    const due = (await app.todos()).find(({ todo }) => !todo.id.endsWith('/expiry'))?.todo;
    if (!due) throw new Error('nothing is to be done');
    const [process] = app.processes;
    const performing = { log: app.log, clock: app.clock } as unknown as PerformContext;
    const [outcome] = (await process?.perform([due], performing)) ?? [];
    const error = outcome instanceof Error ? outcome : (outcome as { error?: Error })?.error;
    expect(process?.onError?.(due, 1, error ?? new Error('it succeeded'))).to.equal('park');
    expect(process?.onError?.(due, 1, new Error('another error'))).not.to.equal('park');
  });

  it('is one record a batch of a carrier', async () => {
    const { keep, events } = fixture();
    const receipt = { kind: 'bounced', carrier: 'sendgrid', raw_status: 'bounce', code: null, raw: 'x', at: null } as const;
    const batch = Array.from({ length: 200 }, (_, nth) => ({
      kind: 'receipt' as const,
      message_id: null,
      receipt: { ...receipt, carrier_message_id: `sg-${nth}` },
    }));
    expect(await keep(batch)).to.equal(true);
    await keep(batch);
    expect(await events('ReportKept')).to.have.length(1);
  });

  it('is one mail of a message and day', async () => {
    const { app, keep, events } = fixture();
    const mail = async (recipients: number) => (await receiveMail(reportOnMany({ to: addressOf(ID), recipients }), app.clock.now())).filter(isReport);
    for (const recipients of [1, 2, 3]) expect(await keep(await mail(recipients))).to.equal(true);
    expect(await events('ReportKept')).to.have.length(1);
    await app.clock.advance(86_400_000);
    await keep(await mail(1));
    expect(await events('ReportKept')).to.have.length(2);
  });

  it('is not kept where its address proves nothing', async () => {
    const { app, keep, events } = fixture();
    const forged = `bounces+${ID}-${tags.of('msg_01JZ0000000000000000000001')}@example.com`;
    for (const to of [`bounces+${ID}@example.com`, forged, 'desk@example.com'])
      expect(await keep((await receiveMail(reportOnMany({ to, recipients: 1 }), app.clock.now())).filter(isReport)), to).to.equal(false);
    expect(await events('ReportKept')).to.deep.equal([]);
  });

  it('is at most a thousand mails of an account, each for thirty days', async () => {
    const { app, events } = fixture();
    const now = new Date(app.clock.now()).toISOString();
    const until = new Date(app.clock.now() + KEPT_FOR_MS).toISOString();
    const full = Array.from({ length: MAX_KEPT_MAILS }, (_, nth) => ({
      type: 'KeptMailCounted' as const,
      data: { report_id: `evt_${nth}`, at: now, until },
    }));
    const invocation = 'req_full';
    const meta = { account: OPERATOR, $causationId: invocation, $correlationId: invocation, actor: { kind: 'process', id: 'x' }, occurredAt: now };
    await app.log.append(keptMailsStream(OPERATOR), 'no-stream', full, meta as never);
    const [report] = (await receiveMail(reportOnMany({ to: addressOf(ID), recipients: 1 }), app.clock.now())).filter(isReport);
    if (!report) throw new Error('the mail has no report');
    const keep = async (account: string) => (await app.execute(keepMail, { message_id: ID, reports: [report] }, { account })).output;
    expect(await keep(OPERATOR)).to.equal(false);
    expect(await keep('acc_B'), 'another account has places of its own').to.equal(true);
    expect(await events('ReportKept')).to.have.length(1);
    await app.clock.advance(KEPT_FOR_MS);
    expect(await keep(OPERATOR), 'their time is over').to.equal(true);
  });

  it('ends after thirty days, also where it is parked, and its place is free', async () => {
    const { app, keep, events } = fixture();
    await keep((await receiveMail(reportOnMany({ to: addressOf(ID), recipients: 2 }), app.clock.now())).filter(isReport));
    const [{ stream = '' } = {}] = await events('ReportKept');
    const report_id = stream.slice(keptReportStream('').length);
    const parked_id = hashId('prk', 'webhooks/claim-reports', report_id);
    const at = new Date(app.clock.now()).toISOString();
    const about = { process: 'webhooks/claim-reports', account: OPERATOR, about: report_id, attempts: 7, first_at: at };
    await app.execute(parkWork, { parked_id, ...about, error: { class: 'Unclaimed', code: 'unclaimed' } }, { account: OPERATOR });
    await app.clock.advance(KEPT_FOR_MS);
    const due = (await app.todos()).filter(({ todo }) => todo.due_at <= app.clock.now());
    expect(due.map(({ todo }) => todo.id)).to.deep.equal([`${report_id}/expiry`]);
    const performing = {
      ...{ log: app.log, clock: app.clock },
      execute: (command: never, input: never, { account }: { account: string }) => app.execute(command, input, { account }),
    } as unknown as PerformContext;
    await app.processes[0]?.perform(
      due.map(({ todo }) => todo),
      performing,
    );
    expect(await app.history(stream)).to.deep.equal(['ReportKept', 'ReportSettled']);
    expect(await app.history(parkedStream(parked_id))).to.deep.equal(['WorkParked', 'WorkDropped']);
    expect(await app.history(keptMailsStream(OPERATOR))).to.deep.equal(['KeptMailCounted', 'KeptMailReleased']);
    expect(await app.todos()).to.deep.equal([]);
    const [kept] = (await app.log.read(stream)) ?? [];
    expect(kept?.event.data).to.include({ report: '<erased>', more: '<erased>' });
  });
});

describe('the end of a kept report', () => {
  it('reads its stream once', async () => {
    const { app, keep, events } = fixture();
    await keep((await receiveMail(reportOnMany({ to: addressOf(ID), recipients: 1 }), app.clock.now())).filter(isReport));
    const [{ stream = '' } = {}] = await events('ReportKept');
    const read: string[] = [];
    const readStream = app.engine.events.read.bind(app.engine.events);
    app.engine.events.read = (name, options) => {
      read.push(name);
      return readStream(name, options);
    };
    await app.execute(settleReport, { report_id: stream.slice(keptReportStream('').length), accounts: [] }, { account: OPERATOR });
    expect(read.filter((name) => name === stream)).to.have.length(1);
    expect(await app.history(stream)).to.deep.equal(['ReportKept', 'ReportSettled']);
  });
});

describe('any series of reports by mail, however large', () => {
  const ids = ['msg_01JZ0000000000000000000000', 'msg_01JZ0000000000000000000001', 'msg_01JZ0000000000000000000002'] as const;
  const addresses = ids.flatMap((id) => [
    addressOf(id),
    addressOf(id).toUpperCase(),
    `bounces+${id}@example.com`,
    `bounces+${id}-0000000000@example.com`,
  ]);
  const report = fc.record({
    to: fc.constantFrom(...addresses, 'desk@example.com', ''),
    recipients: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 40, max: 400 })),
    different: fc.integer({ min: 1, max: 400 }),
    days: fc.constantFrom(0, 0, 0, 1),
  });

  it('makes one record of a message and day, and none without a tag', () =>
    fc.assert(
      fc.asyncProperty(fc.array(report, { maxLength: 12 }), async (reports) => {
        const { app, keep, events } = fixture();
        const proved = new Set<string>();
        for (const { to, recipients, different, days } of reports) {
          await app.clock.advance(days * 86_400_000);
          const found = await receiveMail(reportOnMany({ to, recipients, nameOf: (nth) => `u${nth % different}` }), app.clock.now());
          const receipts = found.filter(isReport);
          // A mail of a mail system to the address of a message is a bounce, though its report is empty.
          const unknown = recipients === 0 && /msg_/i.test(to) ? 1 : 0;
          expect(receipts.length).to.equal(unknown + Math.min(recipients, different, MAX_RECIPIENTS));
          const named = ids.find((id) => to.toLowerCase() === addressOf(id).toLowerCase());
          if (named && receipts.length > 0) proved.add(`${named} ${new Date(app.clock.now()).toISOString().slice(0, 10)}`);
          expect(await keep(receipts)).to.equal(named !== undefined && receipts.length > 0);
        }
        expect(await events('ReportKept')).to.have.length(proved.size);
        expect(await events('KeptMailCounted')).to.have.length(proved.size);
        // Each is looked at, and ends.
        expect(await app.todos()).to.have.length(2 * proved.size);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 20) },
    ));
});

describe('the places of kept mails', () => {
  const counted = (report_id: string, at: string): KeptMailEvent => ({
    type: 'KeptMailCounted',
    data: { report_id, at, until: new Date(Date.parse(at) + KEPT_FOR_MS).toISOString() },
  });
  const now = '2026-01-15T10:00:00.000Z';

  it('are taken once, and released once', () => {
    const { given } = specification(keptMails);
    given().when({ type: 'Count', report_id: 'evt_1', now }).then(counted('evt_1', now));
    given(counted('evt_1', now)).when({ type: 'Count', report_id: 'evt_1', now }).thenNothing();
    const released = { type: 'KeptMailReleased', data: { report_id: 'evt_1', at: now } } as const;
    given(counted('evt_1', now)).when({ type: 'Release', report_id: 'evt_1', now }).then(released);
    given(counted('evt_1', now), released).when({ type: 'Release', report_id: 'evt_1', now }).thenNothing();
  });

  it('are never more than the maximum in the state, however long the stream is', () => {
    let mails: KeptMails = [];
    let most = 0;
    for (let nth = 0; nth < 3 * MAX_KEPT_MAILS; nth++) {
      const at = new Date(Date.parse(now) + nth * 1_200_000).toISOString();
      for (const event of keptMails.decide({ type: 'Count', report_id: `evt_${nth}`, now: at }, mails)) mails = evolve(mails, event);
      most = Math.max(most, mails.length);
    }
    expect(most).to.equal(MAX_KEPT_MAILS);
    expect(mails.length, 'those after thirty days take the places of the first ones').to.be.greaterThan(800);
    expect(Date.parse(mails.at(-1)?.until ?? '')).to.be.greaterThan(Date.parse(now) + 2 * KEPT_FOR_MS);
  });
});
