import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { INBOX_TOKEN_PURPOSE, InboxTokens } from '../../api/inbox/signed-token.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { storeInboxItem } from '../../commands/inbox/store-item.js';
import { inboxActions } from '../../domain/inbox/item.js';
import { inboxItems } from '../../projections/inbox/projection.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import { exchange } from '../simulation/world/http.js';
import { applicationInMemory } from '../support/application-in-memory.js';

const LIMIT = 120;
const TTL_SECONDS = 3_600;

/** The service over stores in memory, with two contacts that have a message each; the time passes only as a spec wants. */
async function inboxesOfTwo() {
  const { clock, events, views, application, dispatcher, server, account_id, cause } = await applicationInMemory('inbox tokens');
  const tokens = new InboxTokens(application.purposeKey(INBOX_TOKEN_PURPOSE));
  const reader = async (name: string) => {
    const contact = { email: `${name}@example.com` };
    const { contact_id } = (await dispatcher.execute(upsertContact, { contact, source: 'api' }, cause())).output;
    const content = { title: null, message: `To ${name}`, action_url: null, data: null, expires_at: null };
    const item = (await dispatcher.execute(storeInboxItem, { message_id: `msg_${name}`, contact_id, ...content } as never, cause())).output;
    const token = tokens.sign({ account: account_id, contact_id, expires: clock.now() / 1_000 + TTL_SECONDS });
    return { contact_id, item: String(item), token };
  };
  const [ada, bob] = [await reader('ada'), await reader('bob')];
  await buildUpTo(inboxItems, { log: application.log }, await views.writer(inboxItems), new AbortController().signal);
  const open = new Set<Duplex>();
  const ask = (method: string, path: string, token: string | null, headers: Readonly<Record<string, string>> = {}, body?: unknown) => {
    const own: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    return exchange(server, { method, path: `/v1/inbox/${path}`, headers: { ...own, ...headers }, ...(body !== undefined && { body }) }, open);
  };
  return { clock, ada, bob, ask, events, end: () => application.inboxChanges.end() };
}

describe('a token of an inbox', () => {
  it('reads and changes nothing of another contact, on any route', async () => {
    const { ada, bob, ask, events } = await inboxesOfTwo();
    const of = `contact_id=${bob.contact_id}`;
    const before = await events.head();
    const foreign = [
      ...[
        `messages?${of}`,
        ...['unseen', 'unread', 'archived'].map((filter) => `messages?${of}&filter=${filter}`),
        `counts?${of}`,
        `stream?${of}`,
      ].map((path) => ['GET', path] as const),
      ...['seen-all', 'read-all', 'archive-all'].map((path) => ['POST', `messages/${path}?${of}`] as const),
      ...inboxActions.map((action) => ['POST', `messages/${bob.item}/${action}`] as const),
    ];
    for (const [method, path] of foreign) {
      const { status, body } = await ask(method, path, ada.token);
      expect([status, body.code], `${method} ${path}`).to.deep.equal([404, 'not_found']);
      expect(JSON.stringify(body), path).not.to.include('To bob');
    }
    // Whether a contact or an item exists cannot be seen from the answer.
    const [there, nowhere] = [await ask('GET', `counts?${of}`, ada.token), await ask('GET', 'counts?contact_id=con_none', ada.token)];
    expect([there.status, there.body.code]).to.deep.equal([nowhere.status, nowhere.body.code]);
    const cursor = (await ask('GET', 'messages?limit=1', bob.token)).body.next_cursor;
    expect(cursor, 'one message is one page').to.equal(null);
    expect((await ask('POST', 'tokens', ada.token, {}, { contact_id: bob.contact_id })).status, 'another token').to.equal(401);
    expect(await events.head(), 'nothing is recorded').to.equal(before);
    const own = await ask('GET', 'messages', ada.token);
    expect(own.body.data.map(({ message }: { message: string }) => message)).to.deep.equal(['To ada']);
  });

  it('ends with its time, for requests and for the stream that it has opened', async () => {
    const { clock, ada, ask } = await inboxesOfTwo();
    const stream = ask('GET', `stream?token=${ada.token}`, null);
    clock.advance((TTL_SECONDS - 1) * 1_000);
    expect((await ask('GET', 'counts', ada.token)).body).to.deep.equal({ unseen: 1, unread: 1 });
    await clock.advance(1_000);
    const ended = await stream;
    expect(ended.status).to.equal(200);
    const paths = ['messages', 'counts', 'stream', `messages/${ada.item}/read`, 'messages/read-all'];
    for (const path of paths) {
      const { status, body } = await ask(path.includes('/') ? 'POST' : 'GET', path, ada.token);
      expect([status, body.code], path).to.deep.equal([401, 'token_expired']);
    }
    expect((await ask('GET', `stream?token=${ada.token}`, null)).body.code).to.equal('token_expired');
  });

  it('has 120 requests a minute for its contact, whatever others have', async () => {
    const { clock, ada, bob, ask } = await inboxesOfTwo();
    for (let n = 1; n <= LIMIT; n++) expect((await ask('GET', 'counts', ada.token)).status, `request ${n}`).to.equal(200);
    clock.advance(20_000);
    const refused = await ask('GET', 'messages', ada.token);
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).to.deep.equal([429, 'rate_limit_exceeded', '40']);
    expect((await ask('GET', 'counts', bob.token)).status, 'another contact').to.equal(200);
    clock.advance(40_000);
    expect((await ask('GET', 'counts', ada.token)).status, 'a minute later').to.equal(200);
  });

  it('is refused where it is changed, cut or of another service', async () => {
    const { ada, ask } = await inboxesOfTwo();
    const [prefix, rest] = [ada.token.slice(0, 4), ada.token.slice(4)];
    const flipped = prefix + (rest.startsWith('A') ? 'B' : 'A') + rest.slice(1);
    const foreign = new InboxTokens(Buffer.alloc(32, 9)).sign({ account: 'acc_1', contact_id: ada.contact_id, expires: 4_000_000_000 });
    for (const token of [flipped, ada.token.slice(0, -2), `${ada.token}AA`, prefix, `${prefix}!`, foreign])
      expect((await ask('GET', 'counts', token)).status, token).to.equal(401);
  });
});
