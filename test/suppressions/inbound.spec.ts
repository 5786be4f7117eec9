import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { messageStream } from '../../domain/messages/message.js';
import { textParts } from '../../domain/messages/text-parts.js';
import { inboundStream } from '../../domain/suppressions/inbound-text.js';
import { keywordReply } from '../../domain/suppressions/keyword-replies.js';
import { type KeywordLanguage, keywordTable } from '../../domain/suppressions/keyword-table.js';
import { matchKeyword } from '../../domain/suppressions/keywords.js';
import { isOptedOut, suppressionStream } from '../../domain/suppressions/suppression.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { followKeywords } from '../../processes/suppressions/follow-keywords.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const ada = '+14155550100';

/** An app that answers keywords, and the messages that it hands to its carrier. */
function createFixture() {
  const handed: OutgoingMessage[] = [];
  const carrier = carrierThat((message) => {
    handed.push(message);
    return { outcome: 'accepted', carrier_message_id: `c-${handed.length}` };
  });
  const follow = followKeywords({ sender: async () => ({ name: 'Acme', contact: 'help@acme.example' }) });
  const dispatch = dispatchMessages({ routes: () => carrier });
  const app = new TestApp([follow, dispatch]);
  let texts = 0;
  return {
    app,
    follow,
    handed,
    texts: () => handed.map(({ content }) => content.message),
    /** Receives a text and runs all processes. */
    async receiveAndRun(text: string, given: { from?: string; id?: string; answered?: boolean; channel?: 'sms' | 'whatsapp' } = {}) {
      const output = await this.receive(text, given);
      await app.run();
      await app.clock.advance(1_000);
      return output;
    },
    async receive(
      text: string,
      {
        from = ada,
        id,
        answered = false,
        channel = 'sms' as const,
      }: { from?: string; id?: string; answered?: boolean; channel?: 'sms' | 'whatsapp' } = {},
    ) {
      const about = { carrier: 'recorder', carrier_message_id: id ?? `in-${++texts}`, channel, from, to: '+14155550999', text, answered };
      return (await app.execute(receiveInbound, about)).output;
    },
    out: async (address = ada, channel = 'sms') => isOptedOut(await loadSuppression(app.log, app.vault.key(ACCOUNT, address)), channel),
    history: (address = ada) => app.history(suppressionStream(app.vault.key(ACCOUNT, address))),
    async last(address = ada) {
      const events = (await app.log.read(suppressionStream(app.vault.key(ACCOUNT, address)))) ?? [];
      return events.map(({ event }) => event).findLast(({ type }) => type !== 'SuppressionExcepted');
    },
  };
}

describe('an inbound text', () => {
  const optingOut = [
    'STOP',
    'stop',
    ' Stop ',
    'STOP.',
    'StopAll',
    'STOP ALL',
    'unsubscribe',
    'Cancel',
    'END',
    'quit!',
    'REVOKE',
    'Opt out',
    'OPT-OUT',
    'optout',
    'ARRÊT',
    'arret',
  ];
  for (const text of optingOut)
    it(`${JSON.stringify(text)} opts out and gets one reply`, async () => {
      const acme = createFixture();
      expect((await acme.receiveAndRun(text)).keyword).to.equal('stop');
      expect(await acme.out()).to.equal(true);
      expect(acme.handed.map(({ to, from, category }) => [to, from, category])).to.deep.equal([[ada, '+14155550999', 'transactional']]);
      expect((await acme.last())?.data).to.deep.include({ reason: 'stop_keyword', via: 'keyword', source: 'keyword', opted_out: true });
      expect(await acme.last())
        .to.have.nested.property('data.keyword')
        .that.matches(/^[A-Z ]+$/);
    });

  for (const text of ['STOP PLEASE', 'please cancel my order', 'endless', 'STOPPED', '', '🛑', 'START now', 'Hello'])
    it(`${JSON.stringify(text)} is recorded without effect`, async () => {
      const acme = createFixture();
      const { id, keyword } = await acme.receiveAndRun(text);
      expect([keyword, await acme.out(), acme.handed]).to.deep.equal([null, false, []]);
      expect(await acme.app.history(inboundStream(id))).to.deep.equal(['InboundTextReceived']);
    });

  for (const text of ['START', 'unstop', 'Yes'])
    it(`${JSON.stringify(text)} opts in only a number that has sent STOP`, async () => {
      const acme = createFixture();
      await acme.receiveAndRun(text);
      expect([await acme.history(), acme.handed]).to.deep.equal([[], []]);
      await acme.receiveAndRun('STOP');
      await acme.receiveAndRun(text);
      expect(await acme.out()).to.equal(false);
      expect((await acme.last())?.data).to.deep.include({ by: 'keyword', reasons: ['stop_keyword'], proof: text });
      expect(acme.texts()).to.deep.equal([
        'Acme: You are unsubscribed and will receive no more messages. Reply START to resubscribe.',
        'Acme: You are subscribed again. Reply HELP for help, STOP to unsubscribe.',
      ]);
      await acme.receiveAndRun(text);
      expect(acme.handed).to.have.length(2);
    });

  for (const text of ['help', 'INFO', 'aide'])
    it(`${JSON.stringify(text)} gets a reply, also after an opt-out, and changes nothing`, async () => {
      const acme = createFixture();
      await acme.receiveAndRun(text);
      expect(acme.texts()[0]).to.include('Acme').and.include('help@acme.example');
      expect(await acme.history()).to.deep.equal([]);
      await acme.receiveAndRun('STOP');
      await acme.receiveAndRun(text);
      expect(acme.handed).to.have.length(3);
      expect(await acme.out()).to.equal(true);
    });

  it('gets one reply to an opt-out, even if it is sent or reported several times', async () => {
    const acme = createFixture();
    const first = await acme.receiveAndRun('STOP', { id: 'a' });
    const again = await acme.receiveAndRun('STOP', { id: 'a' });
    expect([first.duplicate, again.duplicate, again.id]).to.deep.equal([false, true, first.id]);
    await acme.receiveAndRun('stop', { id: 'b' });
    await acme.receiveAndRun('QUIT', { id: 'c' });
    expect(acme.handed).to.have.length(1);
    expect(await acme.history()).to.deep.equal(['AddressSuppressed', 'SuppressionExcepted']);
  });

  it('gets no reply if the carrier has replied, or if the number was opted out already', async () => {
    const acme = createFixture();
    await acme.receiveAndRun('STOP', { answered: true });
    expect([await acme.out(), acme.handed]).to.deep.equal([true, []]);
    const eve = '+14155550101';
    await acme.app.execute(suppressAddress, { address: eve, channel: 'all', reason: 'unsubscribed', source: 'import' });
    await acme.receiveAndRun('STOP', { from: eve });
    expect(acme.handed).to.deep.equal([]);
    expect((await acme.last(eve))?.data).to.not.have.property('opted_out');
  });

  it('with an opt-in keyword lifts stop_keyword only', async () => {
    const acme = createFixture();
    await acme.app.execute(suppressAddress, { address: ada, channel: 'sms', reason: 'legal', source: 'court' });
    await acme.receiveAndRun('STOP');
    expect(acme.handed, 'a number that must not be written to is not, whatever it says').to.deep.equal([]);
    await acme.receiveAndRun('START');
    expect(acme.handed).to.deep.equal([]);
    expect(await loadSuppression(acme.app.log, acme.app.vault.key(ACCOUNT, ada))).to.deep.include({ status: 'suppressed' });
    expect((await acme.last())?.data).to.deep.include({ reasons: ['stop_keyword'] });
  });

  it('applies to its channel, and to keywords in the languages of the country of the number', async () => {
    const acme = createFixture();
    await acme.receiveAndRun('STOP', { channel: 'whatsapp' });
    expect([await acme.out(ada, 'whatsapp'), await acme.out(ada, 'sms')]).to.deep.equal([true, false]);
    expect((await acme.receiveAndRun('Abmelden', { from: '+4915112345678' })).keyword).to.equal('stop');
    expect((await acme.receiveAndRun('Abmelden', { from: '+14155550102' })).keyword).to.equal(null);
    expect((await acme.receiveAndRun('¡Baja!', { from: '+34600000000' })).keyword).to.equal('stop');
    expect(acme.texts().map((text) => text.slice(0, 21))).to.deep.equal(['Acme: You are unsubsc', 'Acme: Sie sind abgeme', 'Acme: Su baja es efec']);
  });

  it('received between acceptance and dispatch refuses the waiting message', async () => {
    const acme = createFixture();
    const send = async (send_at?: string) =>
      (await acme.app.execute(sendMessage, { to: ada, channel: 'sms', message: 'Hi', ...(send_at && { send_at }) })).output.id;
    const later = await send('2026-01-15T12:00:00.000Z');
    const waiting = await send('2026-01-15T10:00:30.000Z');
    await acme.app.run(10_000);
    await acme.receiveAndRun('STOP');
    await acme.app.run(24 * 3_600_000);
    for (const id of [later, waiting]) expect((await acme.app.history(messageStream(id))).at(-1)).to.equal('MessageSuppressed');
    expect(acme.handed).to.have.length(1);
    expect(acme.texts()[0]).to.include('You are unsubscribed');
  });

  it('is applied completely with one reply, wherever the first run crashed', async () => {
    for (let appends = 0; ; appends++) {
      const acme = createFixture();
      const { id } = await acme.receive('STOP');
      const { events } = acme.app.engine;
      const { append } = events;
      let left = appends;
      events.append = async (...given) => {
        if (left-- === 0) throw new Error('killed');
        return append.apply(events, given);
      };
      const broke = await acme.app.run().then(
        () => false,
        () => true,
      );
      events.append = append;
      await acme.app.run();
      expect(acme.texts(), `after ${appends} appends`).to.deep.equal([
        'Acme: You are unsubscribed and will receive no more messages. Reply START to resubscribe.',
      ]);
      expect(await acme.history()).to.deep.equal(['AddressSuppressed', 'SuppressionExcepted']);
      expect(await acme.app.history(inboundStream(id))).to.deep.equal(['InboundTextReceived', 'KeywordFollowed']);
      if (!broke) break;
      expect(appends).to.be.below(20);
    }
  });

  it('is sealed in the log', async () => {
    const acme = createFixture();
    await acme.receiveAndRun('STOP');
    await acme.receiveAndRun('My name is Ada');
    const { events } = await acme.app.engine.events.readAll('start', 100);
    const all = JSON.stringify(events);
    expect(all).to.not.include(ada.slice(1)).and.not.include('My name');
  });

  it('gets a reply that offers keywords which are understood in its language', () => {
    for (const language of Object.keys(keywordTable) as KeywordLanguage[])
      for (const kind of ['stop', 'start', 'help'] as const)
        for (const contact of ['us', null]) {
          const answer = keywordReply(kind, language, { name: 'Acme', contact });
          const offered = answer.match(/(?<!\p{L})\p{Lu}{2,}(?!\p{L})/gu) ?? [];
          expect(offered, answer).not.to.deep.equal([]);
          for (const word of offered) expect(matchKeyword(word, ['en', 'fr', language]), `${language} ${word}`).not.to.equal(null);
        }
    const isEnglish = (language: KeywordLanguage) => keywordReply('stop', language, { name: 'A', contact: null }).includes('You are');
    expect(isEnglish('en')).to.equal(true);
    for (const language of ['fr', 'de', 'es', 'it', 'nl', 'pt', 'da', 'sv', 'no', 'fi', 'id'] as const)
      expect(isEnglish(language), language).to.equal(false);
  });

  it('gets a reply of one message part in every language', () => {
    const party = { name: 'Acme', contact: 'help@acme.example' };
    for (const language of Object.keys(keywordTable) as KeywordLanguage[])
      for (const kind of ['stop', 'start', 'help'] as const)
        for (const contact of [party.contact, null]) {
          const answer = keywordReply(kind, language, { ...party, contact });
          expect(textParts(answer), answer).to.include({ encoding: 'GSM-7', segments: 1 });
          expect(answer)
            .to.match(/^Acme: /)
            .and.not.match(/[{}]/);
        }
    expect(keywordReply('stop', 'en', { name: '{contact} $& '.repeat(20), contact: null })).to.match(
      /^\{contact\} \$& .*\.\.\.: You are unsubscribed/,
    );
  });
});
