import { expect } from 'chai';
import { templateLimits } from '../../formats/templates/limits.js';
import { createTemplateEngine, type TemplateProblem } from '../../formats/templates/template-engine.js';
import { inheritedNames, withField } from '../support/inherited-names.js';

/** Other suites run beside this one, so the time of day says nothing. In milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const compile = createTemplateEngine({ monotonic: cpuTime });
/** For work that is near the time limit and whose result matters. */
const compileUntimed = createTemplateEngine({ monotonic: () => 0 });
const scope = { contact: { first_name: 'A<b>', last_name: null, list: ['x', 'y'] }, data: { order: 'A1' }, now: '2026-01-15T10:30:00.000Z' };

/** The text, or the code of what is wrong. */
function render(
  source: string,
  { html = true, partials = {}, values = scope }: { html?: boolean; partials?: Record<string, string>; values?: object } = {},
) {
  const compiled = compile(source, { html, partials: new Map(Object.entries(partials)) });
  if (compiled.problems.length > 0) return codes(compiled.problems);
  const rendered = compiled.render(values);
  return 'text' in rendered ? rendered.text : rendered.problem.code;
}
const codes = (problems: readonly TemplateProblem[]) => problems.map(({ code, line }) => `${code}:${line}`).join();

describe('template engine', () => {
  it('escapes outputs of html, and none of a text', () => {
    const source = '{{ contact.first_name }}{% echo contact.first_name %}{% cycle contact.first_name %}';
    expect(render(source)).to.equal('A&lt;b&gt;'.repeat(3));
    expect(render(source, { html: false })).to.equal('A<b>'.repeat(3));
    expect(render('{{ contact.first_name | raw }}{{ contact.list | join: "<" }}')).to.equal('A<b>x&lt;y');
  });

  it('takes the time from a clock whose methods need their object', () => {
    class Stopped {
      readonly #at = 1;
      monotonic = function (this: Stopped): number {
        return this.#at;
      };
    }
    expect(createTemplateEngine(new Stopped())('{{ now }}', { html: false }).render(scope)).to.have.property('text', scope.now);
  });

  it('gives a render that has run out of time one more try, for the thread may have waited', () => {
    const source = 'x'.concat('{{ now }}'.repeat(20));
    const byJumps = (jumps: number) => {
      let [time, called] = [0, 0];
      const monotonic = () => {
        called++;
        // Each try asks at its start, and then after some steps.
        if (called % 2 === 0 && jumps-- > 0) time += templateLimits.time + 1;
        return time;
      };
      return createTemplateEngine({ monotonic })(source, { html: false }).render(scope);
    };
    expect(byJumps(1)).to.have.property('text');
    expect(byJumps(2)).to.have.nested.property('problem.code', 'template_limit');
  });

  it('does not escape a captured text twice', () => {
    expect(render('{% capture c %}<i>{{ contact.first_name }}</i>{% endcapture %}{{ c }}')).to.equal('<i>A&lt;b&gt;</i>');
  });

  it('renders a missing value as an empty text, with a warning that names it, unless it has a default', () => {
    const source = "{{ contact.last_name }}{{ contact.nick | default: 'there' }}{% if contact.age %}!{% endif %}{{ data.a.b }}";
    const rendered = compile(source, { html: false }).render(scope);
    expect(rendered).to.deep.include({ text: 'there' });
    expect('warnings' in rendered && rendered.warnings.map(({ code, name }) => `${code} ${name}`)).to.deep.equal([
      'missing_variable contact.last_name',
      'missing_variable data.a.b',
    ]);
  });

  it('reports a filter that cannot take its value, and goes on', () => {
    const rendered = compile("{{ now | date: '%H', 'Nowhere' }}.{{ now | date: '%H', 'Europe/Paris' }}", { html: false }).render(scope);
    expect(rendered).to.deep.include({ text: '.11' });
    expect('warnings' in rendered && rendered.warnings.map(({ code, name }) => `${code} ${name}`)).to.deep.equal(['filter_failed date']);
  });

  it('takes the time of the render as now', () => {
    expect(render("{{ 'now' | date: '%Y-%m-%d %H:%M' }}")).to.equal('2026-01-15 10:30');
  });

  it('lists all problems with their lines', () => {
    expect(render('{% foo %}\n{{ x | bar }}\n{% for a of b %}{% endfor %}')).to.equal('unknown_tag:1,unknown_filter:2,invalid_template:3');
    expect(render('{% if a %}')).to.equal('invalid_template:1');
    expect(render('{% if a %}'.repeat(5_000))).to.equal('invalid_template:1');
    expect(render('{{ a }}'.repeat(20_000))).to.equal('template_too_long:1');
  });

  it('names the variables that it reads', () => {
    const source = "{% assign x = data.y %}{% for i in data.items %}{{ i.name }}{{ x }}{% endfor %}{{ contact.first_name | append: data['z'] }}";
    expect(compile(source, { html: false }).variables).to.deep.equal(['contact.first_name', 'data.items', 'data.y', 'data.z']);
  });

  it('includes partials, which read the same values, and names those that are missing', () => {
    const partials = { footer: "{{ contact.first_name }} {{ note }} {% render 'line' %}", line: '--' };
    expect(render("{% render 'footer', note: 'n' %}", { partials })).to.equal('A&lt;b&gt; n --');
    const compiled = compile("{% render 'footer' %}{% render 'other' %}", { html: true, partials: new Map([['footer', partials.footer]]) });
    expect(compiled.missingPartials).to.deep.equal(['line', 'other']);
    expect(codes(compiled.problems)).to.equal('unknown_partial:1,unknown_partial:1');
  });

  it('refuses partials in a circle, too deep ones, and those named by a variable', () => {
    expect(render("{% render 'a' %}", { partials: { a: "{% render 'b' %}", b: "{% render 'a' %}" } })).to.equal('invalid_template:1');
    const chain = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, `{% render 'p${i + 1}' %}`]));
    expect(render("{% render 'p0' %}", { partials: { ...chain, p12: '' } })).to.equal('invalid_template:1');
    expect(render('{% render name %}')).to.equal('invalid_template:1');
  });

  it('reads no files', () => {
    for (const path of ['/etc/passwd', '../package.json', 'package.json']) {
      expect(render(`{% render '${path}' %}`)).to.equal('unknown_partial:1');
      expect(render(`{% include '${path}' %}{% layout '${path}' %}`)).to.equal('unknown_tag:1,unknown_partial:1');
    }
  });

  it('reads own properties only', () => {
    for (const name of ['constructor', 'contact.constructor.name', 'contact.__proto__', 'contact.list.map', 'now.constructor'])
      expect(render(`{{ ${name} }}`), name).to.equal('');
    for (const name of inheritedNames) expect(render(`{{ ${name} }}{{ contact.${name} }}{{ contact['${name}'] }}`), name).to.equal('');
  });

  it('shows a value of the name that every object has', () => {
    for (const name of inheritedNames) {
      const values = withField(name, withField(name, 'own'));
      const rendered = compileUntimed(`{{ ${name}.${name} }}{% assign ${name} = 'x' %}{{ ${name} }}`, { html: false }).render(values);
      expect(rendered, name).to.include({ text: 'ownx' });
    }
  });

  it('gives filters no lists to compare by, and no long texts that they would split for each element', () => {
    const values = {
      list: Array.from({ length: 10_000 }, (_, i) => ({ a: i })),
      names: Array.from({ length: 10_000 }, (_, i) => `x${i}`),
      some: ['x', 'y'],
      long: 'a'.repeat(5_000),
    };
    for (const filter of ['sort', 'sort_natural', 'map', 'sum', 'where', 'group_by', 'find', 'uniq', 'split'])
      for (const given of ['names', 'long'].filter((one) => filter !== 'split' || one === 'names')) {
        const rendered = compileUntimed(`{{ list | ${filter}: ${given} | size }}`, { html: false }).render(values);
        expect('warnings' in rendered && rendered.warnings.map(({ name }) => name), `${filter}: ${given}`).to.deep.equal([filter]);
      }
    expect(compileUntimed("{{ list | slice: 0, 2 | concat: some | size }} {{ list | map: 'a' | first }}", { html: false }).render(values)).to.include(
      {
        text: '4 0',
      },
    );
  });

  const doubled = (step: string) => `{% assign a = 'aaaaaaaaaa' %}{% for i in (1..40) %}${step}{% endfor %}{{ a | size }}`;
  const bombs = [
    '{% for i in (1..100000000) %}{% endfor %}',
    '{% for i in (1..1000000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}',
    '{% for i in (1..100000) %}xxxxxxxxxxxxxxxxxxxxxxxxxxxx{% endfor %}',
    doubled('{% capture a %}{{ a }}{{ a }}{% endcapture %}'),
    doubled('{% assign a = a | append: a %}'),
    doubled("{% assign b = '' | split: '' | push: a | push: a %}{% assign a = b %}{{ a }}"),
    doubled("{% assign b = a | join: '' | split: '' %}{% assign a = b | concat: b %}"),
    '{% assign a = (1..10000) %}{% for i in (1..1000) %}{% assign b = a | sort_natural | reverse | sort %}{% endfor %}',
    "{{ now | date: '%1000000000d' }}",
    "{% for i in (1..100000) %}{{ now | date: '%A %B %d', 'Europe/Paris' }}{% endfor %}",
    '{% if (1..1000000) contains contact %}x{% endif %}',
    '{% if (1..400000) == (1..400000) %}x{% endif %}',
    '{% if (1..400000) != (1..400000) %}x{% endif %}',
    "{% if 'x' < (1..1000000) %}x{% endif %}",
    '{% if (1..1000000) >= 7 %}x{% endif %}',
    '{% case (1..400000) %}{% when (1..400000) %}x{% endcase %}',
  ];
  it('compares and searches lists that are short', () => {
    const source = '{% if (1..3) contains 2 %}a{% endif %}{% if (1..3) != (1..3) %}b{% endif %}{% case (1..3) %}{% when (1..3) %}c{% endcase %}';
    expect(compile(source, { html: false }).render({})).to.include({ text: 'ac' });
  });
  for (const bomb of bombs) it(`ends ${bomb.slice(0, 100)}`, () => expect(render(bomb)).to.equal('template_limit'));
});
