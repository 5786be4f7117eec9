/**
 * For how long the largest requests hold the thread that answers all others: starts the built server over an empty folder, sends them
 * one by one, and prints the longest time in which that thread did nothing else.
 *
 *   npm run build && node scripts/blocking/run.mjs [part of the name of a case]
 */
import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cases } from './cases.mjs';

const only = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'heliograph-blocking-'));
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const env = {
  ...process.env,
  PORT: '0',
  HELIOGRAPH_DATA_DIR: folder,
  SMTP_WEBHOOK_USER: 'mx',
  SMTP_WEBHOOK_PASSWORD: 'pw',
  SENDGRID_WEBHOOK_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  SENDGRID_INBOUND_SECRET: 'insecret12345678',
  POSTMARK_WEBHOOK_USER: 'u',
  POSTMARK_WEBHOOK_PASSWORD: 'p',
  TWILIO_AUTH_TOKEN: 'token',
  VONAGE_SIGNATURE_SECRET: 'secret',
  SES_TOPIC_ARNS: 'arn:aws:sns:eu-west-1:1:x',
  HELIOGRAPH_PUBLIC_URL: 'https://example.com',
  LOG_LEVEL: 'error',
};
const program = 'dist/bin/cli.js';
const account = JSON.parse(
  execFileSync('node', [program, 'account', 'create', '--name', 'x', '--email', 'o@example.com', '--password', 'correct horse battery', '--json'], {
    env,
  }),
);
const server = spawn('node', ['--import', './scripts/blocking/probe.mjs', program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
try {
  const url = await new Promise((resolve) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const found = /http:\/\/[\w.:]+/.exec(text);
      if (found) resolve(found[0]);
    });
  });
  const longest = () =>
    new Promise((resolve) => {
      server.once('message', resolve);
      server.send('longest');
    });
  const send = async ({ path, type, body, basic, key, headers }) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': type,
        ...headers,
        ...(basic && { Authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
        ...(key && { 'X-API-Key': account.api_key }),
      },
    });
    return { status: answer.status, text: await answer.text() };
  };
  const template = { name: 't0', channel: 'email', subject: 'x', message: 'x', html: '{% for a in data.list %}{{ a.n }}{% endfor %}' };
  const made = await send({ path: '/v1/templates', type: 'application/json', key: true, body: JSON.stringify(template) });
  for (const [name, request] of Object.entries(cases({ signingKey: privateKey, templateId: JSON.parse(made.text).id }))) {
    if (!name.includes(only)) continue;
    await wait(300);
    await longest();
    const from = performance.now();
    const { status, text } = await send(request).catch((error) => ({ status: 0, text: String(error.cause ?? error) }));
    const took = performance.now() - from;
    await wait(100);
    const { cpuMs, longestMs } = await longest();
    console.log(
      `${(cpuMs || longestMs) > 50 ? '!' : ' '} CPU ${cpuMs.toFixed(0).padStart(6)}, clock ${longestMs.toFixed(0).padStart(6)} ms of ${took.toFixed(0).padStart(6)}  ${status}  ${name}  ${status >= 400 || process.env.SHOW ? text.slice(0, 150) : ''}`,
    );
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
