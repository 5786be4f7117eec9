import { expect } from 'chai';
import { changedDivisions, sourcesIn, variableWarnings } from '../../commands/templates/template-warnings.js';

describe('warnings of a template', () => {
  it('name variables that nobody has, with the nearest known name', () => {
    const variables = [
      'contact.firstname',
      'contact.first_name',
      'contact.custom_fields.plam',
      'first_name',
      'data.any',
      'account.nam',
      'contact.zzz',
      'note',
    ];
    expect(variableWarnings(variables, ['plan'])).to.deep.equal([
      '`contact.firstname` never has a value: there is no such variable. Do you mean `contact.first_name`?',
      '`contact.custom_fields.plam` never has a value: there is no such variable. Do you mean `contact.custom_fields.plan`?',
      '`first_name` never has a value: there is no such variable. Do you mean `contact.first_name`?',
      '`account.nam` never has a value: there is no such variable. Do you mean `account.name`?',
      '`contact.zzz` never has a value: there is no such variable.',
    ]);
  });

  it('name each division by a whole number, with the divisor for a fraction', () => {
    const content = { subject: 'a\n{{ data.n | divided_by: 100 }}', message: '{{ 5 | divided_by: 2.0 }}{{ 5 | divided_by: data.n }}' };
    expect(changedDivisions(sourcesIn(content))).to.deep.equal([
      'subject: `divided_by: 100` divides whole numbers as whole numbers from this version on: 30 by 7 is 4. For a fraction write `100.0`. (line 2, column 11)',
    ]);
  });
});
