import { expect } from 'chai';
import { checkSenders, renderedSenders } from '../../commands/templates/sender-names.js';
import { parseMailbox } from '../../formats/messages/mailbox.js';
import { createTemplateEngine } from '../../formats/templates/template-engine.js';

const compile = createTemplateEngine({ monotonic: () => 0 });
const from = '{{ contact.first_name | default: "Us" }} at Shop <shop@example.com>';
const nameFor = (first_name: unknown): unknown => {
  const rendered = renderedSenders({ from }, compile, { contact: { first_name } });
  return 'from' in rendered ? rendered.from : rendered;
};

describe('the name of a sender', () => {
  it('is a template, quoted as the header needs it, without control characters', () => {
    expect(nameFor('Ada')).to.equal('Ada at Shop <shop@example.com>');
    expect(nameFor(null)).to.equal('Us at Shop <shop@example.com>');
    expect(nameFor('A "B", <C>')).to.equal('"A \\"B\\", <C> at Shop" <shop@example.com>');
    expect(nameFor('Ada\r\nBcc: all@example.com')).to.equal('"Ada Bcc: all@example.com at Shop" <shop@example.com>');
    for (const name of ['Ada', 'A "B", <C>', 'x@y.example', 'Ada\u2028', '😀'.repeat(300)]) {
      const written = nameFor(name) as string;
      expect(parseMailbox(written)?.address, written).to.equal('shop@example.com');
      expect(written).to.not.match(/[\r\n]/);
    }
  });

  it('stays as it is without Liquid', () => {
    expect(renderedSenders({ from: 'Shop <shop@example.com>', reply_to: 'a@example.com' }, compile, {})).to.deep.equal({});
  });

  it('has variables before the address alone', () => {
    const wrong = checkSenders({ from: 'Shop <{{ data.a }}@example.com>', reply_to: '{{ data.a }}' }, compile).problems;
    expect(wrong.map(({ field, code }) => `${field} ${code}`)).to.deep.equal(['from variable_in_address', 'reply_to variable_in_address']);
    expect(checkSenders({ from: '{{ a | nosuch }} <a@example.com>' }, compile).problems.map(({ code }) => code)).to.deep.equal(['unknown_filter']);
    expect(checkSenders({ from }, compile)).to.deep.equal({ problems: [], plain: { from: 'shop@example.com' } });
  });
});
