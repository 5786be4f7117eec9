import { expect } from 'chai';
import type { IncomingReport, RawRequest } from '../../carriers/runtime/incoming.js';
import { receiveTwilio } from '../../carriers/twilio/receive.js';
import { receiveVonage } from '../../carriers/vonage/receive.js';

const request = (body: string): RawRequest => ({ method: 'POST', target: '/v1/webhooks/x', headers: {}, body: Buffer.from(body) });
// biome-ignore lint/suspicious/noExplicitAny: specs look into results of every kind
const only = (found: readonly IncomingReport[]): any => {
  expect(found).to.have.lengthOf(1);
  return found[0];
};

describe('what people send by Twilio', () => {
  const text = (fields: Readonly<Record<string, string>>) =>
    only(receiveTwilio(request(new URLSearchParams({ MessageSid: 'MM1', From: 'whatsapp:+14155550100', ...fields }).toString()))).report;
  const URL0 = 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME1';

  it('is the button that was chosen, also with an empty body', () => {
    expect(text({ Body: 'Yes, please', ButtonText: 'Yes, please', ButtonPayload: 'yes' }).text).to.equal('Yes, please');
    expect(text({ Body: '', ButtonText: 'STOP', ButtonPayload: 'optout-1' }).text).to.equal('STOP');
    expect(text({ Body: '', ListTitle: 'Monday', ListId: 'day-1' }).text).to.equal('Monday');
  });

  it('is a place with what it is called', () => {
    const place = { Body: '', Latitude: '51.5', Longitude: '-0.12', Label: 'Office', Address: 'High Street 1' };
    expect(text(place).text).to.equal('[location] 51.5, -0.12 (Office, High Street 1)');
  });

  it('is media with their text, or a description', () => {
    const media = { NumMedia: '2', MediaUrl0: URL0, MediaContentType0: 'image/jpeg', MediaUrl1: `${URL0}.pdf` };
    const listed = [
      { url: URL0, content_type: 'image/jpeg' },
      { url: `${URL0}.pdf`, content_type: 'application/pdf' },
    ];
    expect(text({ Body: 'Look', ...media })).to.deep.include({ text: 'Look', media: listed });
    expect(text({ Body: '', ...media })).to.deep.include({ text: '[image]', media: listed });
    expect(text({ Body: 'Hi', NumMedia: '0' })).not.to.have.property('media');
    expect(text({ Body: 'Hi', NumMedia: '99999999', MediaUrl0: 'javascript:alert(1)' })).not.to.have.property('media');
  });
});

describe('what people send by Vonage', () => {
  const text = (fields: object) => {
    const about = { message_uuid: 'u-1', from: '447700900000', to: '447700900001', channel: 'whatsapp' };
    return only(receiveVonage(request(JSON.stringify({ ...about, ...fields })))).report;
  };
  const url = 'https://api-us.nexmo.com/v3/media/1';

  it('is the button, the reply or the reaction that was chosen', () => {
    expect(text({ message_type: 'button', button: { payload: 'p', text: 'STOP' } }).text).to.equal('STOP');
    expect(text({ message_type: 'reply', channel: 'rcs', reply: { id: 'r-1', title: 'Yes', description: 'x' } })).to.include({
      text: 'Yes',
      channel: 'rcs',
    });
    expect(text({ message_type: 'reaction', reaction: { action: 'react', emoji: '👍' } }).text).to.equal('👍');
  });

  it('is media with their caption, or a description', () => {
    const image = text({ message_type: 'image', image: { url, caption: 'Look', name: 'a.jpg' } });
    expect(image).to.deep.include({ text: 'Look', media: [{ url, content_type: 'image/jpeg' }] });
    for (const kind of ['image', 'video', 'audio', 'file', 'vcard', 'sticker'])
      expect(text({ message_type: kind, [kind]: { url } })).to.deep.include({ text: `[${kind}]`, media: [{ url, content_type: null }] });
  });

  it('is MMS as SMS, with all its media', () => {
    const content = [
      { type: 'image', url: `${url}.png` },
      { type: 'text', text: 'Two' },
      { type: 'image', url: `${url}.jpg` },
    ];
    const media = [
      { url: `${url}.png`, content_type: 'image/png' },
      { url: `${url}.jpg`, content_type: 'image/jpeg' },
    ];
    expect(text({ channel: 'mms', message_type: 'image', content })).to.deep.include({ channel: 'sms', text: 'Two', media });
  });

  it('is a place with what it is called', () => {
    const location = { lat: 51.5, long: -0.12, name: 'Office', address: 'High Street 1' };
    expect(text({ message_type: 'location', location }).text).to.equal('[location] 51.5, -0.12 (Office, High Street 1)');
  });
});
