import { expect } from 'chai';
import { namedLinks, nameOfLink } from '../../commands/campaigns/named-links.js';

const HTML = `<p><a href="https://Shop.example">All</a> <a href="https://shop.example/sale?c={{ contact.id | default: "nobody" }}&amp;x=1">Sale</a>
  <a href='https://shop.example/{% if contact.vip %}vip{% else %}all{% endif %}/new'>New</a> <a href="mailto:a@b.example">Mail</a>
  <!-- <a href="https://shop.example/hidden">no</a> --> <a href="{{ unsubscribe_url }}">Leave</a> <a href="{{ data.more }}">More</a></p>`;
const SALE = 'https://shop.example/sale?c={{ contact.id | default: "nobody" }}&x=1';
const NEW = 'https://shop.example/{% if contact.vip %}vip{% else %}all{% endif %}/new';

describe('the links of a content', () => {
  const links = namedLinks({ html: HTML });
  const named = (url: string) => nameOfLink(links, url);

  it('are found with their Liquid, each once', () => {
    const twice = namedLinks({ html: HTML + HTML, message: 'See https://shop.example, or https://shop.example/text?c={{ contact.id }}.' });
    const text = ['https://shop.example', 'https://shop.example/text?c={{ contact.id }}'];
    expect(links.map(({ name }) => name)).to.deep.equal(['https://Shop.example', SALE, NEW, '{{ unsubscribe_url }}', '{{ data.more }}']);
    expect(twice.map(({ name }) => name)).to.deep.equal([...links.map(({ name }) => name), ...text]);
  });
  it('of partials count as well', () => {
    const partials = new Map([['footer', '<a href="https://shop.example/imprint">Imprint</a>']]);
    expect(namedLinks({ html: "{% render 'footer' %}" }, partials).map(({ name }) => name)).to.deep.equal(['https://shop.example/imprint']);
  });

  for (const [url, name] of [
    ['https://shop.example/', 'https://Shop.example'],
    ['https://SHOP.example', 'https://Shop.example'],
    ['https://shop.example/sale?c=con_1&x=1', SALE],
    ['https://shop.example/sale?c=&x=1', SALE],
    ['https://shop.example/vip/new', NEW],
    ['https://msg.example/v1/public/u/abc', '{{ unsubscribe_url }}'],
    ['https://elsewhere.example/offer/7', '{{ data.more }}'],
    ['not an address', '{{ data.more }}'],
  ] as const)
    it(`name '${url}'`, () => expect(named(url)).to.equal(name));

  it('name nothing that does not fit', () => {
    const fixed = namedLinks({ html: '<a href="https://a.example/x">x</a><a href="https://a.example/{{ y }}/z">z</a>' });
    expect(nameOfLink(fixed, 'https://a.example/y')).to.equal(null);
    expect(nameOfLink(fixed, 'https://a.example/1/z')).to.equal('https://a.example/{{ y }}/z');
  });
  it('name nothing where two say the same', () => {
    const two = namedLinks({ html: '<a href="{{ data.a }}">a</a><a href="{{ data.b }}">b</a>' });
    expect(nameOfLink(two, 'https://a.example/')).to.equal(null);
  });
  it('prefer a link without values', () => {
    const both = namedLinks({ html: '<a href="https://a.example/{{ x }}">x</a><a href="https://a.example/y">y</a>' });
    expect(nameOfLink(both, 'https://a.example/y')).to.equal('https://a.example/y');
  });
  it('are found in linear time', () => {
    const many = namedLinks({ html: `<a href="https://a.example/${'{{ x }}a'.repeat(150)}">x</a>` });
    expect(nameOfLink(many, `https://a.example/${'a'.repeat(2_000)}b`)).to.equal(null);
    expect(namedLinks({ html: '<a href="{{'.repeat(20_000) })).to.deep.equal([]);
  });
});
