import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { ManualClock } from '../../support/manual-clock.js';
import { type smtpClient, strictServers } from './client.js';

describe('SMTP: connections of a node', () => {
  const strict = strictServers();
  const { start } = strict;
  type Send = ReturnType<typeof smtpClient>['send'];
  const many = async (send: Send, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => send()));
    return answers.filter((answer) => 'outcome' in answer && answer.outcome === 'accepted').length;
  };
  const quits = () => strict.server.sessions.filter(({ commands }) => commands.includes('QUIT')).length;

  it('are opened as there is work, up to 32', async () => {
    const { send, carrier } = await start();
    expect(carrier.calls).to.equal(32);
    expect(await many(send, 100)).to.equal(100);
    expect([strict.server.sessions.length, strict.server.taken.length]).to.deep.equal([32, 100]);
    expect(await many(send, 100)).to.equal(100);
    expect(strict.server.sessions).to.have.length(32);
  });

  it('are as many as the settings say', async () => {
    const { send, carrier } = await start({}, '?maxConnections=3');
    expect(carrier.calls).to.equal(3);
    expect(await many(send, 20)).to.equal(20);
    expect(strict.server.sessions).to.have.length(3);
  });

  it('are closed after so many messages', async () => {
    const { send } = await start({}, '?maxConnections=1&maxMessages=2');
    expect(await many(send, 5)).to.equal(5);
    expect(strict.server.sessions.map(({ commands }) => commands.filter((line) => line === '.').length)).to.deep.equal([2, 2, 1]);
    await eventually('two are closed', () => quits() === 2);
  });

  it('are closed after half a minute without work', async () => {
    const clock = new ManualClock();
    const { send } = await start({}, '', clock);
    expect(await send()).to.include({ outcome: 'accepted' });
    await clock.advance(20_000);
    expect(await send()).to.include({ outcome: 'accepted' });
    await clock.advance(20_000);
    expect([strict.server.sessions.length, quits()]).to.deep.equal([1, 0]);
    await clock.advance(40_000);
    await eventually('it is closed', () => quits() === 1);
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(strict.server.sessions).to.have.length(2);
  });

  it('are fewer for a minute where the server takes no more at a time, and all messages go out over them', async () => {
    const clock = new ManualClock();
    let most = 2;
    const { send } = await start(
      { reply: (line, { number }) => (line === 'CONNECT' && number > most ? '421 4.7.0 Too many connections' : null) },
      '',
      clock,
    );
    expect(await many(send, 30)).to.equal(30);
    const tried = strict.server.sessions.length;
    expect(await many(send, 30)).to.equal(30);
    expect([strict.server.sessions.length, strict.server.taken.length]).to.deep.equal([tried, 60]);
    most = 1_000;
    await clock.advance(61_000);
    expect(await many(send, 30)).to.equal(30);
    expect(strict.server.sessions.length).to.be.greaterThan(tried + 2);
  });

  it('are none where the server refuses them all, and each message gets the error', async () => {
    const { send } = await start({ reply: (line) => (line === 'CONNECT' ? '421 4.3.2 Closed' : null) }, '?maxConnections=2');
    const answers = await Promise.all(Array.from({ length: 5 }, () => send()));
    for (const answer of answers) expect(answer).to.include({ outcome: 'transient_error', code: '4.3.2' });
  });

  it('end with those that the server ends while they are idle', async () => {
    const { send } = await start();
    expect(await send()).to.include({ outcome: 'accepted' });
    strict.server.sessions[0]?.socket.end('421 4.4.2 Idle\r\n');
    await eventually('the server has closed it', () => strict.server.sessions[0]?.socket.destroyed === true);
    expect(await send()).to.include({ outcome: 'accepted' });
    expect(strict.server.sessions).to.have.length(2);
  });
});
