import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { ManualClock } from '../../support/manual-clock.js';
import { ID, outgoing, smtpClient, strictServers } from './client.js';
import { ALL_EXTENSIONS, strictServer } from './strict-server.js';

/** Bytes that a server gets for one message: all, and those before its text. */
const exchange = async () => {
  const server = await strictServer();
  await smtpClient(server.url).send();
  await server.close();
  const commands = server.sessions[0]?.commands.filter((line) => line !== '.').map((line) => line.length + 2) ?? [];
  const beforeText = commands.reduce((sum, length) => sum + length, 0);
  return { beforeText, all: beforeText + (server.taken[0]?.text.length ?? 0) + '.\r\n'.length };
};

describe('SMTP: connections that break', () => {
  const strict = strictServers();
  const { start } = strict;
  const written = (command: string, times = 1) =>
    eventually(`the server has ${command}`, () => {
      const all = strict.server.sessions.flatMap(({ commands }) => commands);
      return all.filter((line) => line.startsWith(command)).length >= times;
    });

  for (const [name, extensions] of [
    ['in one write', ALL_EXTENSIONS],
    ['command by command', ['SIZE', '8BITMIME']],
  ] as const)
    it(`are passing before a text, and an unknown outcome within one and after it: ${name}`, async () => {
      const { beforeText, all } = await exchange();
      for (let cutAfter = 1; cutAfter < all; cutAfter += cutAfter % 2 === 0 ? 5 : 3) {
        const { send } = await start({ cutAfter, extensions });
        const answer = await send();
        // The server may have said that it waits for the text before it broke the connection.
        if (cutAfter < beforeText) expect(answer, `${cutAfter} bytes`).to.deep.include({ outcome: 'transient_error' });
        else if (cutAfter > beforeText) expect(answer, `${cutAfter} bytes`).to.be.instanceOf(Error);
        expect(strict.server.taken).to.deep.equal([]);
        await strict.server.close();
      }
    });

  it('are passing within a text that had not left this process', async () => {
    const { send } = await start({ cutAfter: 100_000, extensions: ['PIPELINING'] });
    const attachments = [{ filename: 'a.bin', content_type: 'application/pdf', bytes: 12_000_000, content: 'A'.repeat(16_000_000) }];
    expect(await send({ content: { ...outgoing.content, attachments } })).to.include({ outcome: 'transient_error' });
  });

  it('are replaced where a server had closed them, and nothing of a message was written', async () => {
    const breakFirst = (line: string, number: number, mails: number) => number === 1 && line.startsWith('MAIL') && mails === 2;
    const { send } = await start({
      reply: (line, { number, commands, socket }) => {
        if (!breakFirst(line, number, commands.filter((one) => one.startsWith('MAIL')).length)) return null;
        socket.destroy();
        return '';
      },
    });
    expect([await send(), await send(), await send()].map((answer) => 'outcome' in answer && answer.outcome)).to.deep.equal(
      Array(3).fill('accepted'),
    );
    expect([strict.server.sessions.length, strict.server.taken.length]).to.deep.equal([2, 3]);
  });

  it('are replaced where the server takes no more messages over them', async () => {
    const { send } = await start({
      reply: (line, { commands }) =>
        line.startsWith('MAIL') && commands.filter((one) => one.startsWith('MAIL')).length > 1 ? '421 4.7.0 Enough' : null,
    });
    for (const _ of [1, 2, 3]) expect(await send()).to.include({ outcome: 'accepted' });
    expect([strict.server.sessions.length, strict.server.taken.length]).to.deep.equal([3, 3]);
  });

  it('are not replaced once a text was written: the server may have it', async () => {
    const { send } = await start({
      reply: (line, { commands, socket }) => {
        if (line !== '.' || commands.filter((one) => one === '.').length < 2) return null;
        socket.destroy();
        return '';
      },
    });
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(await send()).to.be.instanceOf(Error);
    expect(strict.server.sessions).to.have.length(1);
  });

  it('have said why, if the server refuses and closes', async () => {
    const error = '421 4.3.2 Shutting down';
    for (const line of ['CONNECT', 'RCPT', '.']) {
      const { send } = await start({ closesAfter: line, reply: (given) => (given.startsWith(line) ? error : null) });
      expect(await send(), line).to.include({ outcome: 'transient_error', code: '4.3.2', error });
      await strict.server.close();
    }
    const { send } = await start({ closesAfter: 'RCPT', reply: (line) => (line.startsWith('RCPT') ? '550 5.1.1 No' : line === 'DATA' ? '' : null) });
    expect(await send()).to.include({ outcome: 'permanent_error', reason: 'invalid_recipient', code: '5.1.1' });
  });

  describe('because the server is silent', () => {
    for (const [line, expected] of [
      ['CONNECT', { outcome: 'transient_error', code: 'ETIMEDOUT', error: 'Greeting never received' }],
      ['MAIL', { outcome: 'transient_error', code: 'ETIMEDOUT', error: 'Timeout' }],
    ] as const)
      it(`after ${line} are passing`, async () => {
        const clock = new ManualClock();
        const { send } = await start({ reply: (given) => (given.startsWith(line) || isEnvelope(given) ? '' : null) }, '', clock);
        const answer = send();
        if (line === 'CONNECT') await eventually('it is connected', () => strict.server.sessions.length === 1);
        else await written(line);
        await advanceUntil(clock, answer);
        expect(await answer).to.include(expected);
      });

    it('after the text are an unknown outcome', async () => {
      const clock = new ManualClock();
      const { send } = await start({ reply: (line) => (line === '.' ? '' : null) }, '', clock);
      const answer = send();
      await written('.');
      await clock.advance(59_000);
      expect(strict.server.sessions[0]?.socket.destroyed).to.equal(false);
      await advanceUntil(clock, answer);
      expect(await answer).to.be.instanceOf(Error);
    });
  });

  describe('because the work is over', () => {
    it('are passing before the text', async () => {
      const { send } = await start({ reply: (line) => (isEnvelope(line) ? '' : null) });
      const over = new AbortController();
      const answer = send({}, over.signal);
      await written('MAIL');
      over.abort();
      expect(await answer).to.include({ outcome: 'transient_error', code: 'EABORT' });
      expect(await send({}, over.signal)).to.include({ outcome: 'transient_error', code: 'EABORT' });
      expect(strict.server.sessions).to.have.length(1);
    });

    it('are an unknown outcome after it', async () => {
      const { send } = await start({ reply: (line) => (line === '.' ? '' : null) });
      const over = new AbortController();
      const answer = send({}, over.signal);
      await written('.');
      over.abort();
      expect(await answer).to.be.instanceOf(Error);
    });

    it('leave those alone who wait for another one', async () => {
      let isHeld = true;
      const { send } = await start({ reply: (line) => (isHeld && isEnvelope(line) ? '' : null) }, '?maxConnections=1');
      const [first, second] = [new AbortController(), new AbortController()];
      const held = send({}, first.signal);
      await written('MAIL');
      const waiting = [send({}, second.signal), send({ message_id: ID.replace(/0$/, '1') })];
      second.abort();
      expect(await waiting[0]).to.include({ outcome: 'transient_error', code: 'EABORT' });
      isHeld = false;
      first.abort();
      expect(await held).to.include({ outcome: 'transient_error', code: 'EABORT' });
      expect(await waiting[1]).to.include({ outcome: 'accepted' });
      expect(strict.server.taken).to.have.length(1);
    });
  });
});

const isEnvelope = (line: string): boolean => /^(?:MAIL|RCPT|DATA)/.test(line);

/** Time goes on until there is an answer: what the sockets do in between takes no time of this clock. */
async function advanceUntil(clock: ManualClock, answer: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = answer.then(() => {
    isOver = true;
  });
  await eventually('there is an answer', async () => {
    await clock.advance(10_000);
    return isOver;
  });
  await over;
}
