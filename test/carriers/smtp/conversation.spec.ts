import { expect } from 'chai';
import fc from 'fast-check';
import { eventually } from '../../support/eventually.js';
import { outgoing, strictServers } from './client.js';
import { ALL_EXTENSIONS } from './strict-server.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 100);
const WITHOUT_PIPELINING = ALL_EXTENSIONS.filter((one) => one !== 'PIPELINING');
const copy = (address: string) => ({ address, name: null });

describe('SMTP: the conversation with a strict server', () => {
  const strict = strictServers();
  const { start } = strict;

  const words = fc.constantFrom('Grüße', '👋', '.', '..', 'x'.repeat(1_500), '\n', '\r\n', '\r', '\n.\n', '\r\n.\r\n', ' ', '\t', 'a', '=', 'From ');
  const text = fc.array(words, { maxLength: 20 }).map((parts) => parts.join(''));
  const messages = fc.record({
    to: fc.constantFrom('ada@example.org', 'jörg@example.org'),
    content: fc.record({
      ...{ message: text, subject: text.map((one) => one.replace(/\s+/g, ' ')), to_name: text.map((one) => one.replace(/\s+/g, ' ')) },
      ...{
        html: fc.oneof(
          fc.constant(''),
          text.map((one) => `<p>${one}</p>`),
        ),
      },
    }),
    cc: fc.uniqueArray(fc.constantFrom('cc@example.org', 'ö@example.org').map(copy), { selector: ({ address }) => address, maxLength: 2 }),
  });
  for (const [name, extensions] of [
    ['in one write', ALL_EXTENSIONS],
    ['command by command', WITHOUT_PIPELINING],
    ['without any extension but addresses', ['SMTPUTF8', '8BITMIME']],
  ] as const)
    it(`hands over whatever people write, ${name}`, async () => {
      const { send } = await start({ extensions });
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(messages, async ({ cc, ...message }) => {
          expect(await send({ ...message, cc })).to.include({ outcome: 'accepted' });
          sent += cc.length > 0 ? 2 : 1;
        }),
        { numRuns },
      );
      expect(strict.server.taken).to.have.length(sent);
    });

  it('writes sender, recipients and DATA at once, with what the server wants to know', async () => {
    const { send } = await start();
    expect(await send({ to: 'jörg@example.org' })).to.include({ outcome: 'accepted' });
    const [{ commands = [] } = {}] = strict.server.sessions;
    const size = strict.server.taken[0]?.text.length;
    expect(commands.slice(1)).to.deep.equal([
      `MAIL FROM:<grace@example.com> SMTPUTF8 BODY=8BITMIME SIZE=${size}`,
      'RCPT TO:<jörg@example.org>',
      'DATA',
      '.',
    ]);
  });

  it('uses one connection for one message after the other, also behind refused ones', async () => {
    const refused = new Map([
      ['gone@example.org', '550 5.1.1 No such user'],
      ['later@example.org', '450 4.2.1 Later'],
    ]);
    const { send } = await start({ reply: (line) => refused.get(/^RCPT TO:<(.*)>/.exec(line)?.[1] ?? '') ?? null });
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(await send({ to: 'gone@example.org' })).to.include({ outcome: 'permanent_error', reason: 'invalid_recipient', code: '5.1.1' });
    expect(await send({ to: 'later@example.org' })).to.include({ outcome: 'transient_error', code: '4.2.1' });
    expect(await send({ cc: ['gone@example.org', 'bob@example.org'].map(copy) })).to.include({ outcome: 'accepted' });
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(strict.server.taken.map(({ to }) => to)).to.deep.equal([[outgoing.to], [outgoing.to], ['bob@example.org'], [outgoing.to]]);
    expect(strict.server.sessions).to.have.length(1);
    expect(strict.server.sessions[0]?.commands.filter((line) => line === 'RSET')).to.have.length(2);
  });

  it('takes a temporary refusal of several for the answer, and the refusal of the sender before all others', async () => {
    const refuse = (line: string) =>
      line.startsWith('MAIL FROM:<bad@') ? '550 5.7.1 Not you' : line.startsWith('RCPT') ? '450 4.7.1 Greylisted' : null;
    const { send } = await start({ reply: refuse });
    expect(await send({ from: 'bad@example.com' })).to.include({ reason: 'carrier_rejected', code: '5.7.1', error: '550 5.7.1 Not you' });
    expect(await send()).to.include({ outcome: 'transient_error', code: '4.7.1' });
  });

  it('ends the empty text of a server that wants one although it refuses everybody', async () => {
    const { send } = await start({
      reply: (line) => (line === 'RCPT TO:<gone@example.org>' ? '550 5.1.1 No' : line === 'DATA' ? '354 Go on' : null),
    });
    expect(await send({ to: 'gone@example.org' })).to.include({ outcome: 'permanent_error', code: '5.1.1' });
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(strict.server.sessions[0]?.commands.filter((line) => line === '.')).to.have.length(2);
    expect(strict.server.taken.map(({ to }) => to)).to.deep.equal([[outgoing.to]]);
    expect(strict.server.sessions).to.have.length(1);
  });

  it('hands no text to a server that wants one although it refuses the sender', async () => {
    const { send } = await start({ reply: (line) => (line.startsWith('MAIL') ? '550 5.7.1 No' : line === 'DATA' ? '354 Go on' : null) });
    expect(await send()).to.include({ outcome: 'permanent_error', code: '5.7.1' });
    expect(strict.server.taken).to.deep.equal([]);
  });

  it('hands no message to a server that takes none of its size', async () => {
    const { send } = await start({ extensions: ['SIZE 300'] });
    const html = 'x'.repeat(1_000);
    expect(await send({ content: { message: 'Hello', html } })).to.include({
      outcome: 'permanent_error',
      reason: 'carrier_rejected',
      code: 'EMESSAGE',
    });
    expect(strict.server.sessions[0]?.commands).to.have.length(1);
  });

  it('speaks HELO with a server that refuses EHLO', async () => {
    const { send } = await start({
      reply: (line) => (line.startsWith('EHLO') ? '502 5.5.1 No' : line.startsWith('HELO') ? '250 strict.example' : null),
    });
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(strict.server.sessions[0]?.commands[2]).to.equal('MAIL FROM:<grace@example.com>');
  });

  it('reads replies of several lines, of any cut, and in any charset', async () => {
    const { send } = await start({ reply: (line) => (line.startsWith('RCPT') ? '550-5.1.1 Gibt es nicht:\r\n550 5.1.1 Gr\u00fc\u00dfe' : null) });
    expect(await send()).to.include({ error: '550-5.1.1 Gibt es nicht:\n550 5.1.1 Grüße', code: '5.1.1' });
  });

  it('gives up a server whose reply has no end', async () => {
    const { send } = await start({ reply: (line) => (line.startsWith('RCPT') ? `250-${'x'.repeat(2_000_000)}` : null) });
    expect(await send()).to.include({ outcome: 'transient_error', code: 'EPROTOCOL' });
  });

  it('gives up a server that says what nobody has asked', async () => {
    const { send } = await start({ reply: (line) => (line === 'DATA' ? '354 Go on\r\n250 2.0.0 Taken' : null) });
    expect(await send()).not.to.include({ outcome: 'accepted' });
    expect(strict.server.taken).to.deep.equal([]);
  });

  it('asks the server whether it takes the settings, and leaves', async () => {
    const { carrier } = await start();
    expect(await carrier.check?.(new AbortController().signal)).to.equal(null);
    await eventually('it leaves', () => strict.server.sessions[0]?.commands.length === 2);
    expect(strict.server.sessions[0]?.commands[1]).to.equal('QUIT');
  });
});
