import http from 'node:http';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { signatureHeaders } from '../../formats/webhooks/signature.js';
import { createPost } from '../../net/client.js';
import { startWebhookListener, type WebhookListener, type WebhookListenerOptions } from '../../ops/cli/webhook-listener.js';
import { system } from '../support/system.js';

const now = Date.parse('2026-01-15T10:30:00.000Z');
const secret = 'whsec_test_secret';
const body = '{"event":"message.delivered","message_id":"msg_1"}';
const signed = (changes: Partial<Parameters<typeof signatureHeaders>[0]> = {}) =>
  signatureHeaders({
    secret,
    event: 'message.delivered',
    deliveryId: 'whd_1',
    attempt: 2,
    body,
    timestampMs: now,
    prefix: 'Service',
    legacyPrefix: 'Legacy',
    ...changes,
  });

describe('a listener for webhooks', () => {
  const post = createPost(system);
  let open: WebhookListener | undefined;
  let printed = '';
  afterEach(() => open?.close());

  async function start(options: Partial<WebhookListenerOptions> = {}) {
    printed = '';
    const out = new Writable({
      write(chunk, _, done) {
        printed += chunk;
        done();
      },
    });
    open = await startWebhookListener({ port: 0, out, secret, now: () => now, ...options });
    const url = `http://127.0.0.1:${open.port}/hook`;
    return (headers: Record<string, string> = signed(), content = body) => post(url, { headers, body: content, allowedCidrs: ['127.0.0.0/8'] });
  }

  it('prints its URL and the setting that lets a server call it', async () => {
    await start();
    expect(printed).to.contain(`http://127.0.0.1:${open?.port}`).and.to.contain('HELIOGRAPH_WEBHOOK_ALLOW_CIDRS=127.0.0.0/8');
  });

  it('prints time, event, delivery, attempt, verdict and the body, and answers 200', async () => {
    const send = await start();
    expect(await send()).to.include({ status: 200 });
    expect(printed).to.contain(
      '10:30:00.000Z message.delivered  ✔ verified\nPOST /hook  whd_1  attempt 2  answered 200\n{\n  "event": "message.delivered",\n  "message_id": "msg_1"\n}\n',
    );
  });

  const refusals: [what: string, headers: Record<string, string>, reason: string][] = [
    ['another secret', signed({ secret: 'whsec_other' }), 'the signature does not match this body and this secret'],
    ['an old timestamp', signed({ timestampMs: now - 600_000 }), 'the timestamp is more than five minutes off'],
    ['no signature', {}, 'X-Service-Signature or X-Service-Timestamp is missing'],
  ];
  for (const [what, headers, reason] of refusals)
    it(`prints why it rejects ${what}`, async () => {
      const send = await start();
      await send(headers);
      expect(printed).to.contain(`✘ NOT verified: ${reason}`).and.not.to.contain('✔');
    });

  it('prints at the start and with every request that it verifies nothing without a secret', async () => {
    const send = await start({ secret: undefined });
    await send();
    expect(printed).to.contain('signatures are NOT verified').and.to.contain('not verified: no secret was given').and.not.to.contain('✔');
  });

  it('verifies under another header prefix', async () => {
    const send = await start({ headerPrefix: 'Acme' });
    await send(signed({ prefix: 'Acme' }));
    expect(printed).to.contain('message.delivered  ✔ verified');
  });

  it('simulates a receiver that fails', async () => {
    const send = await start({ status: 503 });
    expect(await send()).to.include({ status: 503 });
    expect(printed).to.contain('✔ verified').and.to.contain('answered 503');
  });

  it('prints one JSON document per line with `json`', async () => {
    const send = await start({ json: true });
    await send();
    await send({}, 'no json\n');
    const lines = printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).to.deep.equal({ listening: `http://127.0.0.1:${open?.port}` });
    expect(lines[1]).to.deep.equal({
      at: '2026-01-15T10:30:00.000Z',
      method: 'POST',
      path: '/hook',
      event: 'message.delivered',
      delivery: 'whd_1',
      attempt: 2,
      verified: true,
      reason: null,
      answered: 200,
      body: JSON.parse(body),
    });
    expect(lines[2]).to.include({ event: null, attempt: null, verified: false, body: 'no json\n' });
    expect(lines).to.have.length(3);
  });

  it('escapes control characters', async () => {
    const send = await start();
    await send({}, '\u001b[2J\u009b1m\u202e\rgone');
    expect(printed).to.contain('\\u001b[2J\\u009b1m\\u202e\\u000dgone');
  });

  it('refuses a body that is too long', async () => {
    const send = await start();
    const result = await send({}, 'x'.repeat(5_000_000));
    expect('status' in result ? result.status : result.error.code).to.be.oneOf([413, 'connection_reset']);
    expect(printed).not.to.contain('xxxx');
  });

  it('continues after a request that breaks off', async () => {
    const send = await start();
    await new Promise<void>((resolve) => {
      const request = http.request({ port: open?.port, method: 'POST', headers: { 'content-length': '100' } });
      request.on('error', () => resolve());
      request.write('half', () => request.destroy(new Error('gone')));
    });
    expect(await send()).to.include({ status: 200 });
  });

  it('rejects when its port is in use', async () => {
    await start();
    const error = await startWebhookListener({ port: open?.port ?? 0, out: new Writable() }).catch((e: NodeJS.ErrnoException) => e);
    expect(error).to.have.property('code', 'EADDRINUSE');
  });
});
