import { expect } from 'chai';
import { contentWithHtml } from '../../commands/templates/compile-template.js';
import { templateLimits } from '../../formats/templates/limits.js';
import { isMjml, misplacedPartials, withMjmlPartials } from '../../formats/templates/mjml.js';
import { createMjmlCompiler } from '../../ops/app/threads/mjml-compiler.js';
import { system } from '../support/system.js';

const compile = createMjmlCompiler(system.clock);
const letter = (inside: string): string => `<mjml>\n<mj-body><mj-section><mj-column>${inside}</mj-column></mj-section></mj-body></mjml>`;
const partials = (sources: Readonly<Record<string, string>>) => new Map(Object.entries(sources));
const problemsOf = (answer: object) => ('problems' in answer ? (answer.problems as { code: string; message: string }[]) : []);

describe('MJML', () => {
  it('is what has its elements, not what names them in a comment', () => {
    expect(['<mj-text>x</mj-text>', '<p>x</p>', '<!-- <mj-text>x</mj-text> --><p>x</p>', ''].map(isMjml)).to.deep.equal([true, false, false, false]);
  });

  it('takes partials of MJML in, within one another too, and leaves those of HTML', () => {
    const parts = partials({ outer: "<mj-text>{{ a }}</mj-text>{%- render 'inner' -%}", inner: '<mj-divider/>', plain: '<p>x</p>' });
    const source = letter(`{% render "outer" %}{% render 'plain' %}{% render 'inner', a: 1 %}`);
    expect(withMjmlPartials(source, parts)).to.deep.equal({
      mjml: letter(`<mj-text>{{ a }}</mj-text><mj-divider/>{% render 'plain' %}{% render 'inner', a: 1 %}`),
    });
  });

  it('is refused where partials include themselves, or grow too long', () => {
    const circle = withMjmlPartials("{% render 'a' %}", partials({ a: "<mj-raw>{% render 'b' %}</mj-raw>", b: "<mj-raw>{% render 'a' %}</mj-raw>" }));
    expect(problemsOf(circle).map(({ message }) => message)).to.deep.equal([
      `Its partials are nested deeper than ${templateLimits.depth}, or one includes itself.`,
    ]);
    const twice = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`p${n}`, `<mj-raw>${`{% render 'p${n + 1}' %}`.repeat(100)}</mj-raw>`]));
    expect(problemsOf(withMjmlPartials("{% render 'p0' %}", partials({ ...twice, p8: '<mj-divider/>' })))[0]?.message).to.equal(
      `With its partials it has more than ${templateLimits.source} characters.`,
    );
  });

  it('is compiled with its partials', async () => {
    const parts = partials({ footer: '<mj-text>Bye {{ contact.first_name }}</mj-text>' });
    const content = { mjml: letter("<mj-text>Hi</mj-text>{% render 'footer' %}"), html: 'as saved' };
    const made = await contentWithHtml({ content, partials: parts }, compile, true);
    if (!('content' in made)) throw new Error(JSON.stringify(made));
    expect(made.content.html)
      .to.match(/>Hi<\/div>.*>Bye \{\{ contact\.first_name \}\}<\/div>/s)
      .and.not.include('mj-text');
    const plain = await contentWithHtml({ content, partials: partials({ footer: '<p>x</p>' }) }, compile, true);
    expect(plain, 'nothing is compiled again where nothing has changed').to.deep.equal({ content });
  });

  it('names elements that do not exist, and where the compiler stopped', async () => {
    const messages = async (mjml: string) => problemsOf(await compile(mjml)).map(({ message }) => message);
    expect(await messages(letter('<mj-txt>x</mj-txt><mj-text>y</mj-text><!-- <mj-old/> -->'))).to.deep.equal([
      'There is no element <mj-txt>. (line 2, column 33)',
    ]);
    expect(await messages('<mjml>\n<mj-head><mj-foo/></mj-head><mj-body></mj-body></mjml>')).to.deep.equal([
      'Unexpected element: `mj-foo`. (line 2, column 11)',
    ]);
    expect(await messages('<mjml><mj-body><mj-section a=1></mj-section></mj-body></mjml>')).to.deep.equal([
      "Invalid attribute at 1:27 cause expected quote mark not '1' at 1:30.",
    ]);
    expect(await messages(letter('<mj-text>y</mj-text>'))).to.deep.equal([]);
  });

  it('is no part of HTML, nor of a partial of HTML', () => {
    const parts = partials({ plain: "<p>{% render 'footer' %}</p>", footer: '<mj-text>x</mj-text>' });
    expect(misplacedPartials("{% render 'plain' %}", parts, 'html')).to.deep.equal([
      {
        field: 'html',
        code: 'mjml_partial',
        message: "The partial 'footer' is MJML. Only the MJML of a template includes it, as {% render 'footer' %} without values.",
        details: { partial: 'footer' },
      },
    ]);
    expect(misplacedPartials("{% render 'none' %}", parts, 'html')).to.deep.equal([]);
  });
});
