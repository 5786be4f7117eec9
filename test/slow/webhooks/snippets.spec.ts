import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { signatureOf, standardWebhookHeaders } from '../../../formats/webhooks/signature.js';
import { text } from '../../ops/deployment-files.js';
import { eventually, TIMEOUT_FACTOR } from '../../support/eventually.js';
import { Service } from '../../support/service.js';
import { type Received, Receiver } from '../../webhooks/receiver.js';

const run = promisify(execFile);
const PAGE = 'docs/webhooks.md';
/** Go is often installed without being on the path. */
const env = { ...process.env, PATH: [process.env.PATH, '/usr/local/go/bin'].join(delimiter) };

/** How the snippet of a language becomes a program with the arguments scheme, secret, id, timestamp, signature and file of the body. */
interface Language {
  readonly heading: string;
  /** Of the code block. */
  readonly name: string;
  /** A command that succeeds where the language is installed. */
  readonly present: readonly [string, ...string[]];
  readonly files: (snippet: string) => Readonly<Record<string, string>>;
  readonly build?: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
}

const languages: readonly Language[] = [
  {
    heading: 'Node',
    name: 'js',
    present: ['node', '--version'],
    files: (snippet) => ({
      'verify.mjs': snippet,
      'main.mjs': `import { readFileSync } from 'node:fs';
import { verifyService, verifyStandard } from './verify.mjs';
const [scheme, secret, id, timestamp, signature, file] = process.argv.slice(2);
const body = readFileSync(file);
const verified = scheme === 'service' ? verifyService(secret, timestamp, signature, body) : verifyStandard(secret, id, timestamp, signature, body);
console.log(verified ? 'accepted' : 'refused');`,
    }),
    command: ['node', 'main.mjs'],
  },
  {
    heading: 'Python',
    name: 'python',
    present: ['python3', '--version'],
    files: (snippet) => ({
      'main.py': `${snippet}
import sys
scheme, secret, id, timestamp, signature, file = sys.argv[1:]
with open(file, "rb") as stream:
    body = stream.read()
verified = verify_service(secret, timestamp, signature, body) if scheme == "service" else verify_standard(secret, id, timestamp, signature, body)
print("accepted" if verified else "refused")
`,
    }),
    command: ['python3', 'main.py'],
  },
  {
    heading: 'Go',
    name: 'go',
    present: ['go', 'version'],
    files: (snippet) => ({
      'go.mod': 'module example\n\ngo 1.19\n',
      'webhook/verify.go': snippet,
      'main.go': `package main
import (
	"fmt"
	"os"
	"example/webhook"
)
func main() {
	a := os.Args[1:]
	body, _ := os.ReadFile(a[5])
	if a[0] == "service" && webhook.VerifyService(a[1], a[3], a[4], body) || a[0] != "service" && webhook.VerifyStandard(a[1], a[2], a[3], a[4], body) {
		fmt.Println("accepted")
	} else {
		fmt.Println("refused")
	}
}
`,
    }),
    build: ['go', 'build', '-o', 'verify', '.'],
    command: ['./verify'],
  },
  {
    heading: 'PHP',
    name: 'php',
    present: ['php', '--version'],
    files: (snippet) => ({
      'main.php': `${snippet}
[, $scheme, $secret, $id, $timestamp, $signature, $file] = $argv;
$body = file_get_contents($file);
$verified = $scheme === 'service' ? verify_service($secret, $timestamp, $signature, $body) : verify_standard($secret, $id, $timestamp, $signature, $body);
echo $verified ? 'accepted' : 'refused';
`,
    }),
    command: ['php', 'main.php'],
  },
  {
    heading: 'Ruby',
    name: 'ruby',
    present: ['ruby', '--version'],
    files: (snippet) => ({
      'main.rb': `${snippet}
scheme, secret, id, timestamp, signature, file = ARGV
body = File.binread(file)
verified = scheme == "service" ? verify_service(secret, timestamp, signature, body) : verify_standard(secret, id, timestamp, signature, body)
puts verified ? "accepted" : "refused"
`,
    }),
    command: ['ruby', 'main.rb'],
  },
  {
    heading: 'Shell',
    name: 'bash',
    present: ['bash', '-c', 'openssl version && od --version && base64 --version'],
    files: (snippet) => ({
      'main.sh': `${snippet}
if [[ $1 == service ]]; then verify_service "$2" "$4" "$5" "$6"; else verify_standard "$2" "$3" "$4" "$5" "$6"; fi && echo accepted || echo refused
`,
    }),
    command: ['bash', 'main.sh'],
  },
];

/** One request, as a receiver has it. `secret`: of the receiver. */
interface Request {
  readonly scheme: 'service' | 'standard';
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Buffer;
}

const header = ({ headers }: Received, name: string): string => String(headers[name] ?? '');
const byService = (received: Received, secret: string): Request => ({
  ...{ scheme: 'service', secret, id: '', body: Buffer.from(received.body) },
  ...{ timestamp: header(received, 'x-service-timestamp'), signature: header(received, 'x-service-signature') },
});
const byStandard = (received: Received, secret: string): Request => ({
  ...{ scheme: 'standard', secret, id: header(received, 'webhook-id'), body: Buffer.from(received.body) },
  ...{ timestamp: header(received, 'webhook-timestamp'), signature: header(received, 'webhook-signature') },
});

/** The same request, signed at another time with the right secret. */
function signedAt(request: Request, ms: number): Request {
  const { scheme, secret, id, body } = request;
  if (scheme === 'service') return { ...request, timestamp: String(ms), signature: signatureOf(secret, ms, body) };
  const headers = standardWebhookHeaders({ secrets: [secret], id, body, timestampMs: ms });
  return { ...request, timestamp: headers['webhook-timestamp'] ?? '', signature: headers['webhook-signature'] ?? '' };
}

/** Base64 and hexadecimal digits alike. */
const withOtherFirstDigit = (signature: string): string =>
  signature.replace(/^(v1,)?(.)/, (_, version = '', digit) => version + (digit === 'a' ? 'b' : 'a'));

function refusedOf(request: Request): Record<string, Request> {
  const { secret, timestamp, signature, body } = request;
  const minutes = (count: number) => Date.now() + count * 60_000;
  return {
    'another body': { ...request, body: Buffer.concat([body, Buffer.from('\n')]) },
    'another secret': { ...request, secret: secret.replace(/^whsec_./, (start) => (start.endsWith('A') ? 'whsec_B' : 'whsec_A')) },
    'another signature': { ...request, signature: withOtherFirstDigit(signature) },
    'a signature cut short': { ...request, signature: signature.slice(0, -1) },
    'no signature': { ...request, signature: '' },
    'a time that was not signed': { ...request, timestamp: String(Number(timestamp) + 1) },
    'no time': { ...request, timestamp: '' },
    'a time that is no number': { ...request, timestamp: `${timestamp.slice(0, 2)}e${timestamp.length - 2}` },
    'a request of six minutes ago': signedAt(request, minutes(-6)),
    'a request of six minutes ahead': signedAt(request, minutes(6)),
  };
}

describe('the snippets that verify a webhook', () => {
  const page = text(PAGE);
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-snippets-'));
  const service = Service.guest();
  const receiver = Receiver.own();
  /** What the service has sent: to an endpoint, and for a message. */
  let genuine: Record<string, Request> = {};
  const endpoint = () => ({ service: genuine.endpoint as Request, standard: genuine['endpoint, Standard Webhooks'] as Request });

  before(async () => {
    const { body: made } = await service.api('POST', '/v1/webhook-endpoints', { url: `${receiver.origin}/endpoint`, events: ['contact.created'] });
    await service.api('POST', '/v1/contacts', { email: 'zoe@example.com', first_name: 'Zoë ☃ 😀' });
    const message = { to: '+14155550100', channel: 'sms', message: 'Hello', metadata: { name: 'Zoë ☃ 😀' } };
    await service.api('POST', '/v1/messages/send', { ...message, webhook_url: `${receiver.origin}/message`, webhook_events: ['message.sent'] });
    const at = (path: string) => eventually(`a webhook at ${path}`, () => receiver.requests.find(({ url }) => url === path));
    const [ofEndpoint, ofMessage] = [await at('/endpoint'), await at('/message')];
    genuine = {
      endpoint: byService(ofEndpoint, made.secret),
      'endpoint, Standard Webhooks': byStandard(ofEndpoint, made.secret),
      message: byService(ofMessage, service.secret),
    };
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of six languages', () => {
    expect([...page.matchAll(/^## (.+)\n[^`]*```(\w+)$/gm)].map(([, heading, name]) => [heading, name])).to.deep.equal(
      languages.map(({ heading, name }) => [heading, name]),
    );
  });

  for (const { heading, name, present, files, build, command } of languages)
    describe(`in ${heading}`, () => {
      const dir = join(folder, name);
      const inFolder = { cwd: dir, env };
      const verify = async (request: Request): Promise<string> => {
        writeFileSync(join(dir, 'body'), request.body);
        const { scheme, secret, id, timestamp, signature } = request;
        const { stdout } = await run(command[0], [...command.slice(1), scheme, secret, id, timestamp, signature, 'body'], inFolder);
        return stdout.trim();
      };

      before(function () {
        // Go compiles its library at first.
        this.timeout(120_000 * TIMEOUT_FACTOR);
        const [program, ...args] = present;
        try {
          execFileSync(program, args, { env, stdio: 'ignore' });
        } catch {
          // Says why specs are skipped.
          console.log(`      ${heading} is not on this machine (${program}): its snippet was not run`);
          this.skip();
        }
        const snippet = new RegExp(`^## ${heading}\\n[^\`]*\`\`\`${name}\\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';
        for (const [file, content] of Object.entries(files(snippet))) {
          mkdirSync(join(dir, file, '..'), { recursive: true });
          writeFileSync(join(dir, file), content);
        }
        if (build) execFileSync(build[0], build.slice(1), inFolder);
      });

      it('accept what the service sends', async () => {
        for (const [what, request] of Object.entries(genuine)) expect([what, await verify(request)]).to.deep.equal([what, 'accepted']);
      });

      it('accept one of several signatures', async () => {
        const { standard } = endpoint();
        const several = { ...standard, signature: `${withOtherFirstDigit(standard.signature)} ${standard.signature}` };
        expect(await verify(several)).to.equal('accepted');
      });

      it('accept what was signed four minutes ago', async () => {
        for (const request of Object.values(endpoint())) expect(await verify(signedAt(request, Date.now() - 240_000))).to.equal('accepted');
      });

      for (const scheme of ['service', 'standard'] as const)
        it(`refuse what is forged or old: ${scheme}`, async () => {
          for (const [what, request] of Object.entries(refusedOf(endpoint()[scheme])))
            expect([what, await verify(request)]).to.deep.equal([what, 'refused']);
        });
    });
});
