import { expect } from 'chai';
import type { InboundRouteRequest } from '../../api/http/inbound-route.js';
import type { Services } from '../../api/http/services.js';
import { reportRecorder } from '../../api/messages/record-reports.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { keepReport, OPERATOR } from '../../commands/webhooks/keep-report.js';
import type { CarrierReport } from '../../commands/webhooks/record-report.js';
import { messageStream } from '../../domain/messages/message.js';
import { keptReportStream } from '../../domain/webhooks/kept-report.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { claimReports } from '../../processes/webhooks/claim-reports.js';
import { carrierIds } from '../../projections/messages/message-lookups.js';
import { reportClaims } from '../../projections/webhooks/claim-report.js';
import { TestApp } from '../support/test-app.js';
import { carrierThat } from './carrier-that.js';

const carrier = carrierThat(() => ({ outcome: 'accepted', carrier_message_id: 'SM-1' }), { name: 'twilio' });
const receipt = {
  kind: 'receipt',
  message_id: null,
  dedupe: 'status',
  receipt: { kind: 'delivered', carrier: 'twilio', carrier_message_id: 'SM-1', raw_status: 'delivered', code: null, raw: 'secret text', at: null },
} as const satisfies CarrierReport;

describe('a report that nobody can claim yet', () => {
  function fixture() {
    const app: TestApp = new TestApp([
      dispatchMessages({ routes: () => carrier }),
      claimReports({
        claims: (report) => reportClaims({ log: app.log, views: app.views, addresses: app.vault })(report),
        destroyKey: (subject) => app.vault.erase(subject),
      }),
    ]);
    return { app, keep: () => app.execute(keepReport, [receipt], { account: OPERATOR }) };
  }

  it('is kept once, and recorded when its message is known by the id of the carrier', async () => {
    const { app, keep } = fixture();
    const { output: report } = await keep();
    expect((await keep()).output).to.equal(report);
    const [kept] = (await app.log.readSealed(keptReportStream(report))) ?? [];
    expect(JSON.stringify(kept?.event.data)).not.to.include('secret text');
    const { id } = (await app.execute(sendMessage, { to: '+14155550100', channel: 'sms', message: 'Hi' })).output;
    const [dispatch] = (await app.todos()).filter(({ process }) => process.name === 'messages/dispatch');
    expect(dispatch, 'the message waits to be sent').not.to.equal(undefined);
    const failed = await app.run().catch((e: unknown) => e);
    // The report was looked at before the read model had the message.
    if (failed instanceof Error) expect(failed.name).to.equal('Unclaimed');
    expect(await app.documents(carrierIds, 'ids')).to.have.lengthOf(1);
    await app.run();
    expect((await app.history(messageStream(id))).at(-1)).to.equal('MessageDelivered');
    expect(await app.history(keptReportStream(report))).to.deep.equal(['ReportKept', 'ReportSettled']);
    const [again] = (await app.log.read(keptReportStream(report))) ?? [];
    expect(again?.event.data).to.include({ report: '<erased>' });
  });

  it('is not kept where it only says that the carrier took a message', async () => {
    const { app } = fixture();
    const services = {
      log: app.log,
      views: app.views,
      addresses: app.vault,
      clock: app.clock,
      purposeKey: () => Buffer.alloc(32),
    } as unknown as Services;
    const execute = ((command, input, account) => app.execute(command, input, { account: account ?? OPERATOR })) as InboundRouteRequest['execute'];
    const unknown = { ...receipt, message_id: 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0009' };
    const before = await app.engine.events.head();
    const recorder = reportRecorder(services);
    const accepted = { ...unknown, receipt: { ...receipt.receipt, kind: 'accepted' as const } };
    expect(await recorder.record(accepted, { execute })).to.equal('unclaimed');
    expect(await recorder.keep([accepted], { execute })).to.equal(false);
    expect(await app.engine.events.head()).to.deep.equal(before);
    expect(await recorder.keep([unknown], { execute })).to.equal(true);
    expect(await app.engine.events.head()).not.to.deep.equal(before);
  });

  it('is looked at later and later, and then left to the operator', () => {
    const { app } = fixture();
    const process = app.processes[1];
    const todo = { id: 'evt_1', due_at: 1_000, account: OPERATOR, priority: 1, lane: 'twilio' } as const;
    const afterAttempts = (attempts: number) => process?.onError?.(todo, attempts, new Error('unclaimed'));
    expect(afterAttempts(1)).to.deep.equal({ retry_at: 2_000 });
    expect(afterAttempts(6)).to.deep.equal({ retry_at: 3_601_000 });
    expect(afterAttempts(7)).to.equal('park');
  });
});
