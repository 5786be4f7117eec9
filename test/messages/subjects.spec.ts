import { expect } from 'chai';
import { changeTemplate } from '../../commands/templates/change-template.js';
import { template, templateStream } from '../../domain/templates/template.js';
import { Service } from '../support/service.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

describe('an email without a subject', () => {
  const service = Service.guest();
  const post = (path: string, body: object) => service.call('POST', path, body);
  const fieldsOf = ({ errors }: { errors: { field: string; code: string }[] }) => errors.map(({ field, code }) => `${field} ${code}`);

  it('is sent with a warning, which names the messages of a bulk', async () => {
    const mail = { channel: 'email', to: 'ada@example.org', message: 'Hi' };
    expect(await post('/messages/send', mail))
      .to.deep.include({ status: 202 })
      .and.have.nested.property('body.warnings')
      .that.deep.equals(['missing field: subject']);
    expect((await post('/messages/send', { ...mail, subject: 'Hi' })).body).not.to.have.property('warnings');
    expect((await post('/messages/send', { ...mail, channel: 'sms', to: '+15005550003' })).body).not.to.have.property('warnings');
    const messages = [mail, { ...mail, subject: 'Hi' }, { channel: 'sms', to: '+15005550003', message: 'Hi' }, { to: 'bob@example.org' }];
    const bulk = async (defaults: object) => (await post('/messages/bulk', { defaults: { message: 'Hi', ...defaults }, messages })).body.warnings;
    expect(await bulk({ channel: 'email' })).to.deep.equal(['missing field: messages[0].subject', 'missing field: messages[3].subject']);
    expect(await bulk({ channel: 'email', subject: 'Hi' })).to.equal(undefined);
  });

  it('is no template, no campaign and no step of a journey', async () => {
    const content = { message: 'Hi' };
    const refused = await post('/templates', { name: 'T', channel: 'email', ...content });
    expect([refused.status, fieldsOf(refused.body)]).to.deep.equal([422, ['subject required']]);
    const { id } = (await post('/templates', { name: 'T', channel: 'email', subject: 'Hi', ...content })).body;
    const patched = await service.call('PATCH', `/templates/${id}`, { subject: null });
    expect([patched.status, fieldsOf(patched.body)]).to.deep.equal([422, ['subject required']]);
    expect((await post('/templates', { name: 'T', channel: 'sms', ...content })).status).to.equal(201);
    const campaign = { name: 'C', channel: 'email', audience: { include: { everyone: true } }, content };
    expect(fieldsOf((await post('/campaigns', campaign)).body)).to.deep.equal(['content.subject required']);
    const nodes = [{ id: 'hi', kind: 'send', channel: 'email', ...content, next: null }];
    const journey = { name: 'J', trigger: { type: 'manual' }, entry: 'hi', nodes };
    expect(JSON.stringify((await post('/journeys', journey)).body.errors)).to.include('/nodes/0/subject');
  });

  it('stays in a template of an earlier release, which can be changed', async () => {
    const app = new TestApp();
    const about = { template_id: 'tpl_OLD', name: 'T', channel: 'email', now: '2026-01-15T10:00:00.000Z' } as const;
    const events = template.decide({ type: 'Create', ...about, content: { message: 'Hi' } }, template.initial);
    await app.log.append(templateStream('tpl_OLD'), 'no-stream', events, {
      ...{ account: ACCOUNT, actor: { kind: 'key', id: 'key_1' }, invocation: 'req_1', correlation: 'req_1', causation: 'req_1' },
    } as never);
    const change = async (sources: object) =>
      (await app.execute(changeTemplate, { template_id: 'tpl_OLD', change: sources, expected: null })).output.after.content;
    expect(await change({ message: 'Hello' })).to.include({ message: 'Hello' });
    expect(await change({ subject: 'Now' })).to.include({ subject: 'Now' });
    const codeOf = ({ code }: { code: string }) => code;
    expect(await change({ subject: null }).then(() => 'changed', codeOf)).to.equal('validation_error');
  });
});
