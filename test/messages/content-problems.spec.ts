import { expect } from 'chai';
import type { MessageRequest } from '../../commands/messages/request.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { isBlank } from '../../domain/kernel/blank.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { isLink, isWebAddress } from '../../domain/kernel/urls.js';
import { TestApp } from '../support/test-app.js';

const SMS: MessageRequest = { to: '+14155550100', channel: 'sms', message: 'Hello' };
const EMAIL: MessageRequest = { to: 'ann@example.com', channel: 'email', message: 'Hello' };

describe('a text', () => {
  it('is blank where nothing of it can be seen', () => {
    for (const text of ['', ' ', '\n\t\r\n', '\u00a0\u3000', '\u200b\u200d\ufeff', '\u00ad', '\u0007'])
      expect(isBlank(text), JSON.stringify(text)).to.equal(true);
    for (const text of ['a', ' .', '👩‍👧', '\u200bx', '字', '-']) expect(isBlank(text), JSON.stringify(text)).to.equal(false);
  });
});

describe('an address in a message', () => {
  it('that others load is an absolute URL of http or https', () => {
    for (const url of ['https://example.com/a.png', 'HTTP://example.com', 'https://[::1]/a']) expect(isWebAddress(url), url).to.equal(true);
    for (const url of [
      'ftp://example.com/a',
      'example.com/a.png',
      '/a.png',
      'https:///a',
      'https://',
      'data:image/png;base64,AA==',
      'file:///etc/hosts',
    ])
      expect(isWebAddress(url), url).to.equal(false);
  });

  it('that a reader opens may also be a path, or a link into an app', () => {
    for (const url of [
      'https://example.com/',
      '/orders/1',
      '?order=1',
      'orders/1',
      'shop://orders/1',
      'mailto:a@b.co',
      '{{ data.url }}',
      'https://{{ data.host }}/',
    ])
      expect(isLink(url), url).to.equal(true);
    for (const url of [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/hosts',
      'http://',
      'blob:https://a.co/1',
      'javascript:{{ data.x }}',
    ])
      expect(isLink(url), url).to.equal(false);
  });
});

describe('the content of a message', () => {
  let app: TestApp;
  beforeEach(() => {
    app = new TestApp([]);
  });

  async function problemsOf(request: object): Promise<string[]> {
    try {
      await app.execute(sendMessage, request as MessageRequest);
      return [];
    } catch (e) {
      if (!isDomainError(e)) throw e;
      return ((e.details.errors ?? []) as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
    }
  }

  it('has texts that can be seen', async () => {
    expect(await problemsOf({ ...SMS, message: ' \n ' })).to.deep.equal(['message blank']);
    expect(await problemsOf({ ...EMAIL, message: '\u200b', subject: '  ' })).to.deep.equal(['subject blank', 'message blank']);
    expect(await problemsOf({ ...EMAIL, message: undefined, html: '\n' })).to.deep.equal(['html blank']);
    expect(await problemsOf({ ...EMAIL, html: ' ' })).to.deep.equal(['html blank']);
    expect(await problemsOf({ ...EMAIL, message: ' ', html: '<img src="https://example.com/a.png">' })).to.deep.equal([]);
  });

  it('names each address that nobody may open', async () => {
    const wrong = { media_urls: ['https://example.com/a.png', 'ftp://example.com/b.png'], action_url: 'javascript:alert(1)' };
    expect(await problemsOf({ ...SMS, ...wrong })).to.deep.equal(['action_url invalid_url', 'media_urls[1] invalid_url']);
    expect(await problemsOf({ ...SMS, media_urls: ['https://example.com/a.png'] })).to.deep.equal([]);
  });

  it('is refused for its own item of a bulk', async () => {
    const requests = [SMS, { ...SMS, message: '\t' }, { ...SMS, media_urls: ['ftp://example.com/b.png'] }];
    const items = requests.map((request, index) => ({ index, request }));
    const { output } = await app.execute(sendBulk, { received: 3, items, problems: [], atomic: false });
    expect(output.accepted).to.equal(1);
    expect(output.errors.map(({ index, field, code }) => `${index} ${field} ${code}`)).to.deep.equal([
      '1 message blank',
      '2 media_urls[0] invalid_url',
    ]);
  });
});
