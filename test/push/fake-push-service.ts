import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The browser's side of a subscription. */
export class FakeBrowser {
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth: Buffer;

  constructor(
    readonly endpoint: string,
    keys?: { readonly privateKey: string; readonly auth: string },
  ) {
    if (keys) this.#keys.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
    else this.#keys.generateKeys();
    this.#auth = keys ? Buffer.from(keys.auth, 'base64url') : randomBytes(16);
  }

  get subscription() {
    return {
      endpoint: this.endpoint,
      expirationTime: null,
      keys: { p256dh: this.#keys.getPublicKey('base64url'), auth: this.#auth.toString('base64url') },
    };
  }

  /** The text of a message in aes128gcm (RFC 8188, RFC 8291). Throws where it is not for this browser. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const recordSize = body.readUInt32BE(16);
    const idLength = body[20] ?? 0;
    const sender = body.subarray(21, 21 + idLength);
    const record = body.subarray(21 + idLength);
    if (record.length > recordSize) throw new Error('the message has more than one record');
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const ikm = Buffer.from(hkdfSync('sha256', this.#keys.computeSecret(sender), this.#auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', ikm, salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(record.length - 16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, record.length - 16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    return padded.subarray(0, end).toString('utf8');
  }
}

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The claims of an `Authorization` of RFC 8292 with the key that signed it. Throws where the signature is wrong. */
export function readVapid(authorization = ''): { readonly claims: { aud: string; exp: number; sub: string }; readonly key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', signed, options, Buffer.from(signature, 'base64url'))) throw new Error('the signature is wrong');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key };
}

/** A push service of browsers (RFC 8030) over HTTP: it keeps what it gets. */
export class FakePushService {
  readonly received: ReceivedPush[] = [];
  /** The status of the answer, by the path. */
  status: (path: string) => number = () => 201;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<FakePushService> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const fake = new FakePushService(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      fake.received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(fake.status(request.url ?? '')).end();
    });
    return fake;
  }

  browser(name: string): FakeBrowser {
    return new FakeBrowser(`${this.origin}/push/${name}`);
  }

  at(browser: FakeBrowser): ReceivedPush[] {
    return this.received.filter(({ path }) => browser.endpoint.endsWith(path));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
