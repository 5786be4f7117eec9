import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { textOfHtml } from '../../formats/messages/html-text.js';
import { htmlTracking, type TrackedMessage, trackingInSlices } from '../../formats/messages/tracked-html.js';
import { clickPath, openPath, type TrackingClaims, TrackingTokens } from '../../formats/messages/tracking-tokens.js';

const MESSAGE = 'msg_01HZX3J8Q4N5V6W7X8Y9Z0A1B2';
const BASE = 'https://mail.example.com/x';
const tokens = new TrackingTokens(randomBytes(32));
const slices = trackingInSlices({ tokens, publicUrl: BASE });
const track = (html: string, message: TrackedMessage): string => {
  const tracking = slices(html, message);
  let slice = tracking.next();
  while (!slice.done) slice = tracking.next();
  return slice.value;
};
const PIXEL = `<img src="${BASE}${openPath(tokens.sign({ kind: 'opened', message_id: MESSAGE }))}" width="1" height="1" alt="" style="border:0">`;
const CLICK = new RegExp(`${BASE}${clickPath('([\\w-]+)')}`, 'g');
const link = (url: string): string => BASE + clickPath(tokens.sign({ kind: 'clicked', message_id: MESSAGE, url }));
const tracked = (html: string, headers = {}): string => track(html, { message_id: MESSAGE, headers });
const clicks = (html: string): string[] => [...html.matchAll(CLICK)].map(([, token = '']) => tokens.open('clicked', token)?.url ?? 'forged');
/** The source again, where each address was written as it is signed. */
const undone = (html: string): string => html.replace(PIXEL, '').replace(CLICK, (_, token) => tokens.open('clicked', token)?.url ?? 'forged');

describe('a tracking token', () => {
  const click: TrackingClaims = { kind: 'clicked', message_id: MESSAGE, url: 'https://example.com/ä?a=1&b=2#c' };

  it('contains its message and address, and is the same each time', () => {
    expect(tokens.open('clicked', tokens.sign(click))).to.deep.equal(click);
    expect(tokens.open('opened', tokens.sign({ kind: 'opened', message_id: MESSAGE }))).to.deep.equal({ kind: 'opened', message_id: MESSAGE });
    expect(tokens.sign(click)).to.equal(tokens.sign({ ...click }));
  });

  it('is refused when it is forged, changed, of another key or of the other kind', () => {
    const token = tokens.sign(click);
    const payload = Buffer.from(`${MESSAGE}\nhttps://evil.example`);
    const forged = Buffer.concat([Buffer.from(token, 'base64url').subarray(0, 16), payload]).toString('base64url');
    for (const wrong of ['', 'x', forged, payload.toString('base64url'), token.slice(1), `${token}A`, `${token}=`, 'A'.repeat(5_000)])
      expect(tokens.open('clicked', wrong)).to.equal(null);
    expect(tokens.open('opened', token)).to.equal(null);
    expect(new TrackingTokens(randomBytes(32)).open('clicked', token)).to.equal(null);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABCxyz019-_'), (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        expect(tokens.open('clicked', changed)).to.deep.equal(changed === token ? click : null);
      }),
    );
  });
});

describe('the HTML of a tracked email', () => {
  it('has signed links for web addresses, and a pixel before the end of the body', () => {
    const html = `<html><body><p><A class="x" HREF='https://example.com/a?b=1&amp;c=2#d'>A</A> <area href=http://example.com/></p></body></html>`;
    const urls = ['https://example.com/a?b=1&c=2#d', 'http://example.com/'] as const;
    const expected = `<html><body><p><A class="x" HREF='${link(urls[0])}'>A</A> <area href=${link(urls[1])}></p>${PIXEL}</body></html>`;
    expect(tracked(html)).to.equal(expected);
    expect(clicks(expected)).to.deep.equal(urls);
  });

  it('has its pixel at the end where it has no body', () => {
    expect(tracked('<p>Hello')).to.equal(`<p>Hello${PIXEL}`);
  });

  const unchanged: [what: string, html: string][] = [
    ['links of this service', `<a href="${BASE}/v1/public/unsubscribe/abc">u</a><a href="${BASE}/v1/public/lists/confirm/abc">c</a>`],
    ['other schemes', '<a href="mailto:a@example.com">m</a><a href="tel:+1">t</a><a href="javascript:x">j</a><a href="#top">t</a><a href="/x">r</a>'],
    ['comments', '<!-- <a href="https://example.com/">x</a> --><!--[if mso]><a href="https://example.com/">x</a><![endif]-->'],
    ['scripts and styles', '<style>a{}<a href="https://example.com/"></style><script>"<a href=\'https://example.com/\'>"</script>'],
    ['other attributes', `<p title="<a href='https://example.com/'>">x</p><a data-href="https://example.com/">x</a><img src="https://example.com/">`],
    ['texts', 'https://example.com/ &lt;a href="https://example.com/"&gt; a < b'],
    ['end tags', '</a href="https://example.com/">'],
    ['addresses with a password', '<a href="https://user:password@example.com/">x</a>'],
    ['addresses that cannot be read for certain', '<a href="https://[">x</a><a href="https://example.com/\0&a">x</a>'],
    ['links that are not to be tracked', '<a href="https://example.com/" data-no-track>x</a><a DATA-NO-TRACK="" href=https://example.com/>x</a>'],
    ['a second address of a link', '<a href="/x" href="https://example.com/">x</a>'],
    ['addresses of more than 2000 characters', `<a href="https://example.com/${'a'.repeat(2_000)}">x</a>`],
  ];
  for (const [what, html] of unchanged) it(`leaves ${what} as they are`, () => expect(tracked(html)).to.equal(html + PIXEL));

  const addresses: [written: string, read: string][] = [
    ['?utm_source=news&utm_medium=email', '?utm_source=news&utm_medium=email'],
    ['?utm_source=news&amp;utm_medium=email', '?utm_source=news&utm_medium=email'],
    ['?a=1&flag', '?a=1&flag'],
    ['?a=1&x-y=1', '?a=1&x-y=1'],
    ['?a=1&x.y=1', '?a=1&x.y=1'],
    ['?a=1&x:y=1', '?a=1&x:y=1'],
    ['?a=1&x%5B%5D=1', '?a=1&x%5B%5D=1'],
    ['?a=1&b=2#c&d_e', '?a=1&b=2#c&d_e'],
    ['?a=1&copy=2', '?a=1&copy=2'],
    ['?a=1&copyx', '?a=1&copyx'],
    ['?a=1&copy', '?a=1%C2%A9'],
    ['?a=1&lt_x', '?a=1%3C_x'],
    ['?a=1&lt=2', '?a=1&lt=2'],
    ['?a=1&notit;x', '?a=1&notit;x'],
    ['?a=1&copy;x', '?a=1%C2%A9x'],
    ['?a=1&#38;b=2', '?a=1&b=2'],
    ['?a=1&#x26;b=2', '?a=1&b=2'],
    ['?a=1&amp;amp;b=2', '?a=1&amp;b=2'],
    ['?a=1&&b=2&', '?a=1&&b=2&'],
    ['?a=1&nbsp;', '?a=1%C2%A0'],
    ['?a=1&unknown;b', '?a=1&unknown;b'],
  ];
  for (const [written, read] of addresses)
    it(`has the link ${written} as a browser reads it`, () => {
      for (const quote of ['"', "'", ''])
        expect(clicks(tracked(`<a href=${quote}https://shop.example/${written}${quote}>x</a>`))).to.deep.equal([`https://shop.example/${read}`]);
    });

  it('leaves the link of List-Unsubscribe as it is', () => {
    const html = '<a href="https://shop.example/bye?u=1&amp;v=2">Bye</a>';
    for (const name of ['List-Unsubscribe', 'list-unsubscribe'])
      expect(tracked(html, { [name]: '<mailto:bye@shop.example>, <https://shop.example/bye?u=1&v=2>' })).to.equal(html + PIXEL);
    expect(clicks(tracked(html))).to.deep.equal(['https://shop.example/bye?u=1&v=2']);
  });

  for (const html of ['<p>Hello <a href="https://example.com/', '<p>Hello <!-- never closed', '<style>never closed', '<p title="x'])
    it(`has no pixel within something that never ends: ${html}`, () => expect(tracked(html)).to.equal(html));

  it('is otherwise what it was, byte for byte, and reads as before, whatever it is', () => {
    const known = ['https://example.com/', 'https://example.org/a/b?c=1#d', 'http://example.net/%20'];
    const url = fc.constantFrom(...known, `${BASE}/v1/public/unsubscribe/x`);
    const quoted = fc.tuple(url, fc.constantFrom('"', "'", '')).map(([address, quote]) => quote + address + quote);
    const piece = fc.oneof(
      { weight: 4, arbitrary: quoted.map((value) => `<a href=${value}>go </a>`) },
      { weight: 2, arbitrary: fc.tuple(quoted, fc.string({ maxLength: 5 })).map(([value, junk]) => `<a ${junk} HREF = ${value} ${junk}>`) },
      fc.constantFrom(
        '<!--',
        '-->',
        '<!-->',
        '--!>',
        '<script>',
        '</script>',
        '<style>',
        '</style >',
        '<title>',
        '</title>',
        '<p title="',
        "<p title='",
      ),
      fc.constantFrom(
        '"',
        "'",
        '>',
        '<',
        '</',
        '<!',
        '<?',
        '=',
        '/',
        '&',
        '&amp;',
        '</body>',
        '<body>',
        '<b',
        'href=',
        '<![CDATA[',
        ']]>',
        '\n',
        ' ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      url,
    );
    const addresses = known.flatMap((address) => [link(address), address]);
    const withoutAddresses = (text: string) => addresses.reduce((rest, address) => rest.replaceAll(address, ''), text).replace(/[[\]\s]/g, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const html = pieces.join('');
        const result = tracked(html);
        expect(undone(result)).to.equal(html);
        expect(result.split(PIXEL).length).to.be.at.most(2);
        for (const address of clicks(result)) expect(address).to.match(/^https?:\/\/example\./);
        // Another parser reads the same text. It leaves out an address that is the text of its link.
        expect(withoutAddresses(textOfHtml(result))).to.equal(withoutAddresses(textOfHtml(html)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is made in linear time', () => {
    const of = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length));
    for (const piece of ['<', '<a ', '<a href="', '<!--', '<script>', '<a href=https://example.com/&', '</', '<a\n', '=', '&amp', '<![CDATA['])
      expect(tracked(of(piece))).to.be.a('string');
  });
});

describe('an HTML with very many links', () => {
  it('is tracked in slices, between which other work goes on', async () => {
    const html = '<a href="https://example.com/">x</a>'.repeat(10_000);
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses++;
    };
    expect(await htmlTracking({ tokens, publicUrl: BASE, pause })(html, { message_id: MESSAGE })).to.equal(tracked(html));
    expect(pauses).to.equal(50);
  });
});
