/** MJML of the common structures of newsletters, and of what people write in it. Their HTML by the npm package `mjml` is in test/golden/mjml.json. */
const letter = (inside: string, head = ''): string => `<mjml>${head === '' ? '' : `<mj-head>${head}</mj-head>`}<mj-body>${inside}</mj-body></mjml>`;
const column = (inside: string): string => `<mj-section><mj-column>${inside}</mj-column></mj-section>`;

export const mjmlTemplates: Readonly<Record<string, string>> = {
  text: letter(column('<mj-text>Hello</mj-text>')),
  'HTML in a text': letter(
    column('<mj-text><h1>News</h1><p class="a">A <b>bold</b> word<br>and <a href="https://e.example/?a=1&b=2">a link</a></p></mj-text>'),
  ),
  'line breaks in an attribute': letter(column('<mj-text><p style="\ncolor: #fff;\nbackground: #000;\n">x</p></mj-text>')),
  'less than in a text': letter(column('<mj-text>5 < 6 and 7 > 6 &amp; so on</mj-text>')),
  'Liquid in a text': letter(column('<mj-text>{% if data.a < 5 %}LT{% endif %}{{ "<" }}{% if data.b <= 3 %}LE{% endif %}</mj-text>')),
  'Liquid with quotes in an attribute': letter(column(`<mj-button href='https://e.example/{{ data.x | default: "y" }}'>Go</mj-button>`)),
  button: letter(column('<mj-button href="https://e.example/?utm_source=news&utm_medium=email" background-color="#f00">Buy &amp; save</mj-button>')),
  image: letter(column('<mj-image src="https://e.example/a.png" alt="A < B" width="300px" href="https://e.example/"></mj-image>')),
  'two columns': letter('<mj-section><mj-column><mj-text>left</mj-text></mj-column><mj-column><mj-text>right</mj-text></mj-column></mj-section>'),
  'three columns': letter(
    '<mj-section><mj-column width="25%"><mj-text>a</mj-text></mj-column><mj-column width="50%"><mj-text>b</mj-text></mj-column><mj-column width="25%"><mj-text>c</mj-text></mj-column></mj-section>',
  ),
  'divider and spacer': letter(
    column('<mj-text>a</mj-text><mj-divider border-width="1px"></mj-divider><mj-spacer height="20px"></mj-spacer><mj-text>b</mj-text>'),
  ),
  table: letter(column('<mj-table><tr><th>Item</th><th>Price</th></tr><tr><td style="padding:\n0">Tea</td><td>5 €</td></tr></mj-table>')),
  raw: letter(`<mj-raw><!-- a note --><p data-x='1'>raw & <br> text</p></mj-raw>${column('<mj-text>b</mj-text>')}`),
  'Liquid in raw': letter(`<mj-raw>{% if data.a < 5 %}</mj-raw>${column('<mj-text>b</mj-text>')}<mj-raw>{% endif %}</mj-raw>`),
  hero: letter(
    '<mj-hero mode="fluid-height" background-color="#2a3448"><mj-text color="#fff">Deal</mj-text><mj-button href="https://e.example/">Go</mj-button></mj-hero>',
  ),
  wrapper: letter(`<mj-wrapper background-color="#eee">${column('<mj-text>a</mj-text>')}${column('<mj-text>b</mj-text>')}</mj-wrapper>`),
  group: letter(
    '<mj-section><mj-group><mj-column><mj-text>a</mj-text></mj-column><mj-column><mj-text>b</mj-text></mj-column></mj-group></mj-section>',
  ),
  navbar: letter(
    column(
      '<mj-navbar><mj-navbar-link href="https://e.example/a?x=1&y=2">A</mj-navbar-link><mj-navbar-link href="https://e.example/b">B</mj-navbar-link></mj-navbar>',
    ),
  ),
  social: letter(column('<mj-social><mj-social-element name="facebook-noshare" href="https://f.example/">Us</mj-social-element></mj-social>')),
  title: letter(column('<mj-text>a</mj-text>'), '<mj-title>News of March</mj-title>'),
  preview: letter(column('<mj-text>a</mj-text>'), '<mj-preview>Look inside & save</mj-preview>'),
  attributes: letter(
    column('<mj-text>a</mj-text><mj-text mj-class="big">b</mj-text>'),
    '<mj-attributes><mj-text color="#123456" /><mj-class name="big" font-size="30px" /></mj-attributes>',
  ),
  style: letter(column('<mj-text css-class="x">a</mj-text>'), '<mj-style>.x > p { color: red }</mj-style>'),
  'void elements and entities': letter(column('<mj-text>a<br>b<hr>c&nbsp;d&copy;e<img src="https://e.example/i.png" alt="I"></mj-text>')),
  'a newsletter': letter(
    `${column('<mj-image src="https://e.example/logo.png" alt="Shop" href="https://e.example/"></mj-image>')}${column(
      '<mj-text font-size="20px">Hi {{ contact.first_name }},</mj-text><mj-text>New: <a\n  href="https://e.example/new?a=1&b=2"\n  style="color:red">tea</a></mj-text><mj-button href="https://e.example/buy">Buy</mj-button>',
    )}${column('<mj-text align="center">Bye.<br/><a href="{{ unsubscribe_url }}">Unsubscribe</a></mj-text>')}`,
  ),
};
