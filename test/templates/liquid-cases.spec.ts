import { expect } from 'chai';
import { filterTable } from '../../formats/templates/filters/filter-table.js';
import { createTemplateEngine } from '../../formats/templates/template-engine.js';
import { liquidCases } from './liquid-cases.js';
import { failingSources, liquidTagCases, refusedSources } from './liquid-tag-cases.js';

const allCases = { ...liquidCases, ...liquidTagCases };
const compile = createTemplateEngine({ monotonic: () => 0 });

function render(source: string, values: object, options: { html?: boolean; floats?: boolean; partials?: Record<string, string> } = {}): string {
  const { html = false, floats = false, partials = {} } = options;
  const compiled = compile(source, { html, arithmetic: floats ? 'floats' : 'decimals', partials: new Map(Object.entries(partials)) });
  const rendered = compiled.render(values);
  return 'text' in rendered ? rendered.text : `${rendered.problem.code}: ${rendered.problem.message}`;
}

describe('Liquid', () => {
  for (const [name, cases] of Object.entries(allCases))
    it(`has ${name} as Shopify's`, () => {
      const wrong = cases.flatMap(([source, text, values = {}]) => {
        const rendered = render(source, values);
        return rendered === text ? [] : [{ source, rendered, text }];
      });
      expect(wrong).to.deep.equal([]);
    });

  it('has a table of at least 250 cases', () => {
    expect(Object.values(allCases).flat().length).to.be.at.least(250);
  });

  for (const [source, problem] of refusedSources)
    it(`refuses ${source}`, () => {
      const { problems } = compile(source, { html: false });
      expect(problems.map(({ message }) => message).join(' ')).to.include(problem);
    });

  for (const [source, problem] of failingSources)
    it(`has no result for ${JSON.stringify(source)}`, () => expect(render(source, {})).to.equal(`template_failed: ${problem}`));

  it('calculates as before in versions from before there were decimals', () => {
    const source = '{{ 30 | divided_by: 7 }} {{ 0.1 | plus: 0.2 }}';
    expect(render(source, {}, { floats: true })).to.equal('4.285714285714286 0.30000000000000004');
    expect(render(source, {})).to.equal('4 0.3');
  });

  it('includes partials by render, once for each element by for, and by include', () => {
    const partials = { row: '{{ row }}{{ forloop.index }};', set: '{% assign z = p | append: q %}', own: '{% assign z = 1 %}{{ q }}' };
    const values = { data: { l: ['a', 'b'] } };
    expect(render("{% render 'row' for data.l %}", values, { partials })).to.equal('a1;b2;');
    expect(render("{% render 'row' with data.l[1] as row %}", values, { partials })).to.equal('b;');
    expect(render("{% assign q = 'x' %}{% include 'set', p: 'y' %}{{ z }}", values, { partials })).to.equal('yx');
    expect(render("{% assign q = 'x' %}{% render 'own' %}{{ z }}", values, { partials }), 'render shares nothing').to.equal('');
  });
});

describe('escaping in HTML', () => {
  const html = (source: string, values: object = { s: 'a&b <i>' }) => render(source, values, { html: true });

  it('is done once', () => {
    const once = 'a&amp;b &lt;i&gt;';
    for (const source of [
      's',
      's | escape',
      's | escape_once',
      's | xml_escape',
      's | escape | escape',
      's | escape | strip',
      's | default: "x" | escape',
    ])
      expect(html(`{{ ${source} }}`), source).to.equal(once);
    expect(html('<p title="{{ s | escape }}">{% assign e = s | escape %}{{ e }}{% echo s | escape %}')).to.equal(`<p title="${once}">${once}${once}`);
    expect(html('{{ s | strip_html | escape }}')).to.equal('a&amp;b ');
    expect(html('{{ s | escape | upcase }}')).to.equal('A&amp;B &lt;I&gt;');
    expect(html('{{ s | newline_to_br }}', { s: '<b>\nc' })).to.equal('&lt;b&gt;<br />\nc');
  });

  it('escapes what is joined to a text that is escaped', () => {
    expect(html('{{ "a" | escape | append: s }}{{ "<" | escape | prepend: s }}', { s: '<b>' })).to.equal('a&lt;b&gt;&lt;b&gt;&lt;');
    expect(html('{% capture c %}<b>{% endcapture %}{{ c | append: s }}', { s: '<i>' })).to.equal('<b>&lt;i&gt;');
    expect(html('{{ "x,y" | split: "," | join: s }}', { s: '<i>' })).to.equal('x&lt;i&gt;y');
  });

  it('lets no script through any filter, nor through two after a text that is escaped or captured', () => {
    const s = '<script>alert(1)</script>';
    const values = { s, b: Buffer.from(s).toString('base64'), u: encodeURIComponent(s), e: '&lt;script&gt;', l: [s, { a: s }], n: 1 };
    const args = (least: number, given: string) => (least === 0 ? '' : `: ${Array.from({ length: least }, () => given).join(', ')}`);
    for (const [name, [least]] of Object.entries(filterTable))
      for (const given of ['s', '"<script>"', 'n', '"a"'])
        for (const start of ['s', 's | escape', 'e | escape', 'c', 'b', 'u | escape', 'l', 's | newline_to_br', 's | escape | split: ";"'])
          for (const end of ['', ' | url_decode', ' | base64_decode', ' | replace: "&lt;", "<"', ' | append: s', ' | join: s', ' | slice: 0, 30']) {
            const source = `{% capture c %}<p title="{{ s }}">{{ s }}</p>{% endcapture %}{{ ${start} | ${name}${args(least, given)}${end} }}`;
            expect(html(source, values), source).to.not.match(/<script/i);
          }
  });

  it('does not take a part of a captured tag for HTML', () => {
    const source = '{% capture c %}<a href="{{ s }}">x</a>{% endcapture %}{{ c | truncate: 12 }}{{ c | slice: 0, 12 }}{{ c | remove: ">" }}';
    expect(html(source, { s: 'https://x.example' })).to.not.include('<');
  });
});
