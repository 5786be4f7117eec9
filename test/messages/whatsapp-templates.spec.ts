import { expect } from 'chai';
import { templateForms } from '../../carriers/registry.js';
import { inOneLine, numberedValues, templateFormProblems, whatsappTemplateProblems } from '../../domain/messages/whatsapp-template.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const SID = `HX${'0123456789abcdef'.repeat(2)}`;
const of = (template: object, ...carriers: string[]) =>
  templateFormProblems(template, templateForms(carriers)).map(({ field, code }) => `${field.replace('whatsapp_template', '')} ${code}`.trim());

describe('templates of WhatsApp', () => {
  const named = { name: 'order_shipped', language: 'en_US' };

  it('are found by what each carrier of the route needs', () => {
    expect(of({ content_sid: SID, variables: { first_name: 'Ada' } }, 'twilio')).to.deep.equal([]);
    expect(of(named, 'twilio')).to.deep.equal(['.content_sid required']);
    expect(of({ ...named, variables: { 1: 'Ada', 2: 'A1' } }, 'vonage')).to.deep.equal([]);
    expect(of({ content_sid: SID }, 'vonage')).to.deep.equal(['.name required', '.language required']);
    expect(of({ ...named, content_sid: SID }, 'twilio', 'vonage')).to.deep.equal([]);
    expect(of({ content_sid: SID, variables: { 2: 'x' } }, 'twilio', 'vonage')).to.deep.equal([
      '.name required',
      '.language required',
      '.variables invalid_variables',
    ]);
    for (const template of [named, { name: 'order_shipped' }, { content_sid: SID }]) expect(of(template, 'sandbox')).to.deep.equal([]);
    expect(of({}, 'sandbox')).to.deep.equal(['required']);
    expect(templateFormProblems(undefined, templateForms(['twilio', 'vonage']))).to.deep.equal([]);
  });

  it('say when they are needed, and with what', () => {
    const [problem] = templateFormProblems(named, templateForms(['twilio']));
    expect(problem?.message).to.match(/^Twilio, .* for example HX.* within 24 hours .* needs a template\.$/);
    expect(problem?.details).to.deep.equal({ carrier: 'Twilio' });
  });

  it('have variables in the order of their numbers, or none', () => {
    expect(numberedValues({ 10: 'j', 9: 'i', 8: 'h', 7: 'g', 6: 'f', 5: 'e', 4: 'd', 3: 'c', 2: 'b', 1: 'a' })).to.deep.equal([...'abcdefghij']);
    expect(numberedValues({})).to.deep.equal([]);
    for (const names of ['0', '1,3', '01', 'name', '1,name'])
      expect(numberedValues(Object.fromEntries(names.split(',').map((name) => [name, 'x'])))).to.equal(null);
  });

  it('have values of one line that show something', () => {
    const { variables } = inOneLine({ variables: { 1: ' 1 Main St\n\tSpringfield     USA\u2028', constructor: 'x' } });
    expect(variables).to.deep.equal({ 1: '1 Main St Springfield USA', constructor: 'x' });
    const wrong = whatsappTemplateProblems({ variables: { 1: '\u200b', 2: 'x'.repeat(1_601), 3: 'x' } }, { channel: 'whatsapp' });
    expect(wrong.map(({ field, code }) => [field, code])).to.deep.equal([
      ['whatsapp_template.variables[1]', 'blank'],
      ['whatsapp_template.variables[2]', 'too_long'],
    ]);
  });
});

describe('messages with a template of WhatsApp', () => {
  const fake = FakeCarrier.own(() => ({ status: 201, body: { sid: `SM${'1'.repeat(32)}`, status: 'queued' } }));
  let service: Service;
  before(async () => {
    service = await Service.start({
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+14155550199',
      TWILIO_BASE_URL: fake.url,
      HELIOGRAPH_ROUTES: JSON.stringify({ whatsapp: ['twilio'] }),
    });
  });
  after(() => service.close());
  beforeEach(() => void fake.requests.splice(0));

  const whatsapp_template = { content_sid: SID, variables: { 1: 'Ada\n Lovelace', 2: 'A1' } };
  const message = { channel: 'whatsapp', to: '+14155550100', message: 'Hi Ada, your order A1 is on its way.', whatsapp_template };
  const send = (body: object) => service.api('POST', '/v1/messages/send', body);
  const messageOf = async (id: string) => (await service.api('GET', `/v1/messages/${id}`)).body;

  it('reach the carrier with it, and show their text in the history', async () => {
    const { status, body } = await send(message);
    expect(status).to.equal(202);
    await eventually('the carrier gets it', () => fake.requests.length === 1);
    expect(new URLSearchParams(fake.requests[0]?.body).get('ContentVariables')).to.equal('{"1":"Ada Lovelace","2":"A1"}');
    expect(new URLSearchParams(fake.requests[0]?.body).get('Body')).to.equal(null);
    const shown = await messageOf(body.id);
    expect(shown.message).to.equal(message.message);
    expect(shown.whatsapp_template).to.deep.equal({ content_sid: SID, variables: { 1: 'Ada Lovelace', 2: 'A1' } });
  });

  it('go out in bulks, too', async () => {
    const { content_sid } = whatsapp_template;
    const messages = [
      { to: '+14155550101', whatsapp_template: { content_sid, variables: { 1: 'Bob', 2: 'B2' } } },
      { to: '+14155550102', whatsapp_template: { name: 'order_shipped' } },
      { to: '+14155550103', channel: 'sms' },
    ];
    const { to: _, ...defaults } = message;
    const { body } = await service.api('POST', '/v1/messages/bulk', { defaults, messages });
    expect([body.accepted, body.errors.map(({ field }: { field: string }) => field)]).to.deep.equal([
      1,
      ['whatsapp_template.content_sid', 'whatsapp_template'],
    ]);
    await eventually('the carrier gets it', () => fake.requests.length === 1);
    expect(new URLSearchParams(fake.requests[0]?.body).get('ContentVariables')).to.equal('{"1":"Bob","2":"B2"}');
  });

  it('are refused on other channels, with media, and where the carrier cannot find the template', async () => {
    const cases: readonly [object, readonly string[]][] = [
      [{ ...message, channel: 'sms' }, ['whatsapp_template not_for_channel']],
      [{ ...message, media_urls: ['https://example.com/a.png'] }, ['media_urls conflicting']],
      [{ ...message, whatsapp_template: { name: 'order_shipped', language: 'en' } }, ['whatsapp_template.content_sid required']],
      [{ ...message, whatsapp_template: {} }, ['whatsapp_template.content_sid required']],
      [{ ...message, whatsapp_template: { content_sid: 'HX12' } }, ['whatsapp_template.content_sid invalid_format']],
      [{ ...message, whatsapp_template: { content_sid: SID, variables: { 1: ' ' } } }, ['whatsapp_template.variables[1] blank']],
      [{ ...message, message: undefined }, ['message required']],
    ];
    for (const [body, problems] of cases) {
      const answer = await send(body);
      expect(answer.status).to.equal(422);
      expect(answer.body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)).to.deep.equal(problems);
    }
    for (const variables of [{ _: 'x' }, { 'first name': 'x' }, { 1: 7 }]) {
      const { status, body } = await send({ ...message, whatsapp_template: { content_sid: SID, variables } });
      expect([status, body.errors?.[0]?.field.startsWith('whatsapp_template.variables')]).to.deep.equal([422, true]);
    }
    expect(fake.requests).to.deep.equal([]);
  });

  it('are asked for by the reason where the carrier refuses a text outside of the window', async () => {
    fake.reply = () => ({ status: 400, body: { code: 63_016, message: 'Failed to send freeform message.' } });
    const { body } = await send({ ...message, whatsapp_template: undefined });
    await eventually('it fails', async () => (await messageOf(body.id)).status === 'failed');
    expect(await messageOf(body.id)).to.include({ status_reason: 'template_required' });
  });
});
