import { expect } from 'chai';
import { campaignResourceRoutes } from '../../api/campaigns/campaigns.js';
import { changeCampaign, duplicateCampaign } from '../../commands/campaigns/define-campaign.js';
import { sendCampaignTest } from '../../commands/campaigns/send-test.js';
import { internalCommand } from '../../commands/runtime/command.js';
import { createTemplate } from '../../commands/templates/create-template.js';
import { type CampaignCommand, campaign, campaignStream } from '../../domain/campaigns/campaign.js';
import { completeCampaignDefinition } from '../../domain/campaigns/definition.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { type TemplateEvent, templateStream } from '../../domain/templates/template.js';
import { answerOf, ownCause } from '../support/answer-of.js';
import { ACCOUNT } from '../support/test-app.js';
import { CampaignApp } from './campaign-app.js';

const at = '2026-01-01T00:00:00.000Z';
const SEVENTH = '{{ 30 | divided_by: 7 }}';
const warningOf = (field: string) =>
  `${field}: \`divided_by: 7\` divides whole numbers as whole numbers from this version on: 30 by 7 is 4. For a fraction write \`7.0\`. (line 1, column 7)`;

/** A definition as a release before the decimals stored it. */
function storedBefore(given: object) {
  const { arithmetic: _, ...definition } = completeCampaignDefinition(given as never, null);
  return definition;
}

describe('The contents of a campaign from before there were decimals', () => {
  async function upgraded(given: object) {
    const { app } = new CampaignApp();
    const routes = campaignResourceRoutes(app as never, {} as never);
    const id = 'cmp_before';
    const definition = storedBefore({ name: 'Spring', channel: 'sms', audience: { include: { everyone: true } }, ...given });
    const data = { campaign_id: id, account_id: ACCOUNT, definition, webhook_url: null, at };
    await app.log.append(campaignStream(id), 'no-stream', [{ type: 'CampaignCreated', data }], ownCause);
    /** The text of a test message. */
    const sent = async (more: object = {}, campaign_id = id) => {
      const { messages } = (await app.execute(sendCampaignTest, { campaign_id, to: ['+14155550100'], ...more })).output;
      const [first] = (await app.log.read<MessageEvent>(messageStream(messages[0]?.id ?? ''))) ?? [];
      return first?.event.type === 'MessageQueued' ? first.event.data.content.message : null;
    };
    const ask = (operation: string, body?: object) => answerOf(app, routes, operation, { params: { id }, ...(body && { body }) });
    return { app, id, sent, ask, change: (body: object) => ask('updateCampaign', body) };
  }

  it('calculate as they did until they are changed, and the change warns of each division by a whole number', async () => {
    const { app, id, sent, ask, change } = await upgraded({ content: { message: SEVENTH } });
    expect(await sent()).to.equal('4.285714285714286');
    const before = await ask('getCampaign');
    expect(before).not.to.have.property('arithmetic');
    expect((await change({ content: before.content, variants: before.variants })).version, 'what is shown is no change').to.equal(1);
    const renamed = await change({ name: 'Summer' });
    expect([renamed.version, renamed.warnings]).to.deep.equal([2, undefined]);
    expect(await sent()).to.equal('4.285714285714286');
    const copy = (await app.execute(duplicateCampaign, { campaign_id: id, name: null })).output;
    expect(await sent({}, copy.id), 'a copy is as its original').to.equal('4.285714285714286');
    const changed = await change({ content: { message: `${SEVENTH}!`, translations: { de: { message: `${SEVENTH}?` } } } });
    expect(changed.warnings).to.deep.equal([warningOf('content.message'), warningOf('content.translations.de.message')]);
    expect(changed).not.to.have.property('arithmetic');
    expect(await sent()).to.equal('4!');
    expect(await change({ content: { message: `${SEVENTH}.` } }), 'the author was warned before').not.to.have.property('warnings');
  });

  it('are changed by a repeat as by the first request', async () => {
    const { app, id } = await upgraded({ content: { message: SEVENTH } });
    const change = (message: string, key: string) =>
      app.execute(changeCampaign, { campaign_id: id, change: { content: { message } }, expected: null }, { key, fingerprint: message });
    const first = await change(`${SEVENTH}!`, 'first');
    const second = await change(`${SEVENTH}?`, 'second');
    const repeated = await change(`${SEVENTH}!`, 'first');
    expect([first.output.isAnew, second.output.isAnew, repeated.replayed]).to.deep.equal([true, false, true]);
    expect(repeated.output).to.deep.equal(first.output);
  });

  it('calculate so in variants, too', async () => {
    const variants = [{ key: 'a', weight: 1, content: { message: SEVENTH } }];
    const { sent, change } = await upgraded({ content: { message: 'None' }, variants });
    expect(await sent({ variant: 'a' })).to.equal('4.285714285714286');
    const { warnings } = await change({ variants: [...variants, { key: 'b', weight: 1, content: {} }] });
    expect(warnings).to.deep.equal([warningOf('variants[0].content.message')]);
    expect(await sent({ variant: 'a' })).to.equal('4');
  });

  it('are no matter of a new campaign', async () => {
    const { sent, ask } = await upgraded({ content: { message: 'None' } });
    const body = { name: 'New', channel: 'sms', audience: { include: { everyone: true } }, content: { message: SEVENTH } };
    const created = await ask('createCampaign', body);
    expect(created).not.to.have.property('warnings');
    expect(created).not.to.have.property('arithmetic');
    expect(await sent({}, created.id)).to.equal('4');
  });
});

describe('A campaign over a template', () => {
  const write = internalCommand({
    name: 'TestCampaignBefore',
    handle: async (command: CampaignCommand, context) => {
      await context.decide(campaign, campaignStream(command.campaign_id), command);
    },
  });

  /** The subject of the campaign and the text of the template. */
  async function messageOf(from: { readonly campaign: 'before' | 'now'; readonly template: 'before' | 'now' }) {
    const world = new CampaignApp();
    const { app } = world;
    await world.contacts(1);
    const content = { subject: 'None', message: SEVENTH };
    let template_id = 'tpl_before';
    if (from.template === 'now') template_id = (await app.execute(createTemplate, { name: 'T', channel: 'email', ...content } as never)).output.id;
    else {
      const created: TemplateEvent = { type: 'TemplateCreated', data: { template_id, name: 'T', channel: 'email', content, at } };
      await app.log.append(templateStream(template_id), 'no-stream', [created], ownCause);
    }
    const of = { content: { template_id, subject: SEVENTH } };
    let id = 'cmp_before';
    if (from.campaign === 'now') id = await world.campaign(of);
    else {
      const given = { name: 'Spring', channel: 'email', category: 'transactional', audience: { include: { everyone: true } }, ...of };
      await app.execute(write, {
        ...{ type: 'Create', campaign_id: id, account_id: ACCOUNT, definition: storedBefore(given), webhook_url: null, now: at },
      });
      await app.execute(write, { type: 'Start', campaign_id: id, test: false, templates: [], now: at });
    }
    while (await world.work(id));
    const { items } = await world.result(id);
    const { subject, message } = (items[0]?.content ?? items[0]) as { subject?: string; message?: string };
    return [subject, message];
  }

  it('calculates its own fields as the campaign does, and those of the template as the template does', async () => {
    expect(await messageOf({ campaign: 'before', template: 'now' })).to.deep.equal(['4.285714285714286', '4']);
    expect(await messageOf({ campaign: 'now', template: 'before' })).to.deep.equal(['4', '4.285714285714286']);
    expect(await messageOf({ campaign: 'before', template: 'before' })).to.deep.equal(['4.285714285714286', '4.285714285714286']);
  });
});
