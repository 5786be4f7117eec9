import { expect } from 'chai';
import fc from 'fast-check';
import { templateLimits } from '../../formats/templates/limits.js';
import { createTemplateEngine } from '../../formats/templates/template-engine.js';

/** Few by default; PROPERTY_RUNS raises the number. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 50);
/** What one step between two looks at the clock may take on a slow machine. */
const SLACK_MS = 300;

const compile = createTemplateEngine({ monotonic: () => performance.now() });
const secret = 'root:x:0:0';

const name = fc.constantFrom(
  'contact',
  'contact.first_name',
  'data.list',
  'data.n',
  'data.text',
  'a',
  'b',
  'forloop.index',
  '__proto__',
  'constructor',
  'now',
  "data['x']",
);
const literal = fc.oneof(
  fc.constantFrom("'x'", '"y"', "''", '0', '-1', '1e9', '999999999999', 'nil', 'true', 'blank', 'empty', '(1..3)', '(1..1000000)', '(data.n..a)'),
  name,
);
const filter = fc.oneof(
  fc.constantFrom(
    'upcase',
    'escape',
    'raw',
    'size',
    'json',
    'sort',
    'reverse',
    'uniq',
    'url_encode',
    'url_decode',
    'strip_html',
    'base64_decode',
    'nope',
    'first',
    'sum',
    'slugify',
  ),
  fc
    .tuple(
      fc.constantFrom(
        'append',
        'default',
        'split',
        'join',
        'times',
        'divided_by',
        'truncate',
        'date',
        'replace',
        'concat',
        'push',
        'map',
        'where',
        'group_by',
        'slice',
        'round',
        'remove',
      ),
      literal,
      literal,
    )
    .map(([filterName, one, two]) => `${filterName}: ${one}, ${two}`),
);
const expression = fc.tuple(literal, fc.array(filter, { maxLength: 4 })).map(([value, filters]) => [value, ...filters].join(' | '));
const condition = fc.tuple(expression, fc.constantFrom('==', '!=', '<', 'contains', 'and', 'or'), literal).map((parts) => parts.join(' '));
const garbage = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom('{{', '}}', '{%', '%}', '{%-', '-}}', '{% raw %}', '{% end', '{{ a | }}', "{{ 'x }}", '\u0000', '💥'),
);
const bomb = fc.constantFrom(
  '{% for i in (1..1000000) %}{% for j in (1..1000000) %}x{% endfor %}{% endfor %}',
  "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}",
  '{% for i in (1..60) %}{% capture a %}{{ a }}{{ a }}xx{% endcapture %}{% endfor %}{{ a }}',
  "{% assign a = 'x,y' | split: ',' %}{% for i in (1..60) %}{% assign a = a | concat: a %}{% endfor %}{{ a | json }}",
  "{% for i in (1..9999999) %}{{ data.text | replace: 'a', data.text | strip_html | slugify | url_encode }}{% endfor %}",
  "{% render 'self' %}",
  "{% for i in (1..1000) %}{% render 'many' %}{% endfor %}",
  "{% include '/etc/passwd' %}{% render '/etc/passwd' %}{% layout '/etc/passwd' %}",
);
const { template } = fc.letrec<{ template: string; part: string }>((tie) => ({
  part: fc.oneof(
    { withCrossShrink: true, maxDepth: 4 },
    expression.map((value) => `{{ ${value} }}`),
    garbage,
    bomb,
    fc.tuple(fc.constantFrom('a', 'b', 'i'), expression).map(([to, value]) => `{% assign ${to} = ${value} %}`),
    fc.tuple(condition, tie('template')).map(([when, body]) => `{% if ${when} %}${body}{% else %}-{% endif %}`),
    fc.tuple(literal, tie('template')).map(([over, body]) => `{% for i in ${over} %}${body}{% endfor %}`),
    fc.tuple(literal, tie('template')).map(([over, body]) => `{% tablerow i in ${over} cols: 2 %}${body}{% endtablerow %}`),
    tie('template').map((body) => `{% capture a %}${body}{% endcapture %}`),
    fc.tuple(literal, literal).map(([one, two]) => `{% cycle ${one}, ${two} %}{% increment a %}{% echo ${one} %}`),
    fc.tuple(literal, tie('template')).map(([value, body]) => `{% case data.n %}{% when ${value} %}${body}{% endcase %}`),
  ),
  template: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
}));

const values = {
  contact: { first_name: 'A<b>', tags: ['vip'] },
  data: { n: 7, text: 'a <b> ä '.repeat(50), list: [{ x: 1 }, { x: 'b', y: ['c'] }, 3], x: null },
  now: '2026-01-15T10:30:00.000Z',
};
const partials = new Map([
  ['self', "{% render 'self' %}"],
  ['many', "{% for i in (1..1000) %}{% render 'leaf' %}{% endfor %}"],
  ['leaf', 'leaf {{ contact.first_name }}'],
]);

describe('random templates', function () {
  this.timeout(60_000 + RUNS * 200);

  it('are valid or have problems, end within their limits, and read no files', () => {
    const seen = { valid: 0, limited: 0, failed: 0, refused: 0 };
    let slowest = 0;
    fc.assert(
      fc.property(template, fc.boolean(), (source, html) => {
        const started = process.cpuUsage();
        const compiled = compile(source, { html, partials });
        for (const { code, message, line, column } of compiled.problems) {
          expect(code).to.match(/^(invalid_template|unknown_(filter|tag|partial)|template_too_long)$/);
          expect(message).to.be.a('string').and.not.equal('');
          expect(line).to.be.greaterThan(0);
          expect(column).to.be.greaterThan(0);
        }
        const rendered = compiled.render(values);
        const { user, system } = process.cpuUsage(started);
        const took = (user + system) / 1_000;
        slowest = Math.max(slowest, took);
        // CPU, as other work may run beside it.
        if (process.env.PROPERTY_RUNS) expect(took, source).to.be.lessThan(templateLimits.time + SLACK_MS);
        if (compiled.problems.length > 0) seen.refused++;
        else if ('text' in rendered) seen.valid++;
        else seen[rendered.problem.code === 'template_limit' ? 'limited' : 'failed']++;
        if (!('text' in rendered)) return;
        expect(rendered.text.length).to.be.at.most(templateLimits.output);
        expect(rendered.text).to.not.include(secret);
      }),
      { numRuns: RUNS },
    );
    if (process.env.PROPERTY_RUNS) console.log(`      ${JSON.stringify(seen)}, the slowest took ${Math.round(slowest)} ms`);
    expect(seen.valid).to.be.greaterThan(0);
    expect(seen.refused).to.be.greaterThan(0);
  });
});
