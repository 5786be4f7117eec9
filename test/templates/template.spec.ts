import { expect } from 'chai';
import { type TemplatePartial, templatePartial } from '../../domain/templates/partial.js';
import { type TemplateCommand, type TemplateContent, type TemplateEvent, template } from '../../domain/templates/template.js';
import { templateChannelProblems } from '../../domain/templates/template-fields.js';
import { specification } from '../given.js';

const now = '2026-01-02T00:00:00.000Z';
const before = '2026-01-01T00:00:00.000Z';
const content: TemplateContent = { message: 'Hi' };
const create: TemplateCommand = { type: 'Create', template_id: 'tpl_1', name: 'Hello', channel: 'sms', content, now: before };
const update = (to: TemplateContent, based_on = 1, name = 'Hello'): TemplateCommand => ({
  ...{ type: 'Update', template_id: 'tpl_1', name, content: to, based_on, now },
});
const created: TemplateEvent = { type: 'TemplateCreated', data: { template_id: 'tpl_1', name: 'Hello', channel: 'sms', content, at: before } };
const updated = (to: TemplateContent, version = 2): TemplateEvent => ({
  type: 'TemplateUpdated',
  data: { template_id: 'tpl_1', version, name: 'Hello', content: to, at: now },
});
const deleted: TemplateEvent = { type: 'TemplateDeleted', data: { template_id: 'tpl_1', at: now } };
const { given } = specification(template);

describe('Template', () => {
  it('is created once', () => {
    given().when(create).then(created);
    given(created).when(create).thenNothing();
  });
  it('has a version for each change', () => {
    given(created)
      .when(update({ message: 'Hey' }))
      .then(updated({ message: 'Hey' }));
    given(created, updated({ message: 'Hey' }))
      .when(update({ message: 'Ho' }, 2))
      .then(updated({ message: 'Ho' }, 3));
  });
  it('produces no event when nothing changes', () => given(created).when(update(content)).thenNothing());
  it('refuses a change of another version', () =>
    given(created, updated({ message: 'Hey' }))
      .when(update({ message: 'Ho' }))
      .thenRefused('version_conflict'));
  it('refuses a content that no append can hold', () =>
    given()
      .when({ ...create, content: { message: '€'.repeat(140_000) } } as TemplateCommand)
      .thenRefused('validation_error'));
  it('is deleted once, and not changed any more', () => {
    given(created).when({ type: 'Delete', template_id: 'tpl_1', now }).then(deleted);
    given(created, deleted).when({ type: 'Delete', template_id: 'tpl_1', now }).thenNothing();
    given(created, deleted)
      .when(update({ message: 'Hey' }))
      .thenRefused('not_found');
  });
});

describe('fields of a template', () => {
  const problems = (channel: Parameters<typeof templateChannelProblems>[0], ...given: ('subject' | 'html' | 'mjml' | 'message' | 'title')[]) =>
    templateChannelProblems(channel, new Set(given)).map(({ field, code }) => `${field} ${code}`);

  it('are those of its channel', () => {
    expect(problems('sms', 'message')).to.deep.equal([]);
    expect(problems('email', 'subject', 'html')).to.deep.equal([]);
    expect(problems('push', 'title', 'message')).to.deep.equal([]);
    expect(problems('sms', 'subject', 'html', 'message')).to.deep.equal(['subject not_for_channel', 'html not_for_channel']);
    expect(problems('push', 'subject', 'title')).to.deep.equal(['subject not_for_channel', 'message required']);
    expect(problems('email', 'subject')).to.deep.equal(['message required']);
  });
});

describe('TemplatePartial', () => {
  const partial = specification(templatePartial);
  const stored = (source: string, version = 1) => ({ type: 'TemplatePartialStored', data: { key: 'a', version, source, at: now } }) as const;
  const removed = { type: 'TemplatePartialDeleted', data: { key: 'a', version: 2, at: now } } as const;
  const store = (source: string) => ({ type: 'Store', key: 'a', source, now }) as const;

  it('is stored, replaced, deleted and stored again with rising versions', () => {
    partial.given().when(store('x')).then(stored('x'));
    partial.given(stored('x')).when(store('x')).thenNothing();
    partial.given(stored('x')).when(store('y')).then(stored('y', 2));
    partial.given(stored('x')).when({ type: 'Delete', key: 'a', now }).then(removed);
    partial.given(stored('x'), removed).when({ type: 'Delete', key: 'a', now }).thenNothing();
    partial.given(stored('x'), removed).when(store('z')).then(stored('z', 3));
    expect((partial.given(stored('x'), removed).state() as TemplatePartial).status).to.equal('deleted');
  });
});
