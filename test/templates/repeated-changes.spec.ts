import { expect } from 'chai';
import { changeTemplate } from '../../commands/templates/change-template.js';
import { type TemplateEvent, templateStream } from '../../domain/templates/template.js';
import { ownCause } from '../support/answer-of.js';
import { TestApp } from '../support/test-app.js';

const at = '2026-01-01T00:00:00.000Z';
const SEVENTH = '{{ 30 | divided_by: 7 }}';

describe('A template from before there were decimals', () => {
  it('is changed by a repeat as by the first request', async () => {
    const app = new TestApp();
    const template_id = 'tpl_before';
    const data = { template_id, name: 'T', channel: 'sms', content: { message: SEVENTH }, at } as const;
    const created: TemplateEvent = { type: 'TemplateCreated', data };
    await app.log.append(templateStream(template_id), 'no-stream', [created], ownCause);
    const change = (message: string, key: string) =>
      app.execute(changeTemplate, { template_id, change: { message }, expected: null }, { key, fingerprint: message });
    const first = await change(`${SEVENTH}!`, 'first');
    const second = await change(`${SEVENTH}?`, 'second');
    const repeated = await change(`${SEVENTH}!`, 'first');
    expect([first.output.isAnew, second.output.isAnew, repeated.replayed]).to.deep.equal([true, false, true]);
    expect(repeated.output).to.deep.equal(first.output);
  });
});
