import { expect } from 'chai';
import { readCell } from '../../domain/contacts/cells/cell-values.js';
import type { CustomField } from '../../domain/contacts/custom-field.js';
import { valueFor } from '../../domain/contacts/custom-field-values.js';
import { evaluate } from '../../domain/segments/evaluate.js';
import type { Rule } from '../../domain/segments/rule.js';
import { ruleProblems } from '../../domain/segments/validate.js';
import { withInstants } from '../../domain/segments/written-rules.js';
import { contactClocks, zoneClocks } from '../../formats/messages/utc-offsets.js';
import { dateHolds } from '../segments/live/date-oracle.js';
import { history } from '../segments/support.js';
import { cellCases, fieldCases, writtenRuleCases } from './date-cases.js';
import { ruleCases } from './date-rule-cases.js';

describe('A rule over a date', () => {
  for (const [op, value, stored, contact, account, now, holds, source] of ruleCases)
    it(`${op} ${value} ${holds ? 'holds' : 'does not hold'} of ${stored} at ${now} in ${contact ?? `the zone of the account, ${account}`} (${source})`, () => {
      const rule = { type: 'date', field: 'due', op, value } as Extract<Rule, { type: 'date' }>;
      const told = history({ fields: { 'custom_fields.due': stored, ...(contact !== null && { timezone: contact }) } });
      const surroundings = { ruleOf: () => undefined, bucketOf: () => 0, clocksOf: contactClocks(account) };
      expect(evaluate(rule, told, Date.parse(now), surroundings).holds).to.equal(holds);
      expect(dateHolds(rule, stored, Date.parse(now), contact ?? account), 'by the oracle').to.equal(holds);
    });
});

describe('A custom field', () => {
  for (const [type, given, account, stored, source] of fieldCases)
    it(`of type ${type} of an account in ${account} ${stored === null ? 'refuses' : 'takes'} ${JSON.stringify(given)} (${source})`, () => {
      const field = { type, clocks: zoneClocks(account) } as CustomField;
      expect(valueFor(given, field) ?? null).to.equal(stored);
    });
});

describe('A cell', () => {
  for (const [type, text, account, stored, source] of cellCases)
    it(`${JSON.stringify(text)} of a ${type} of an account in ${account} ${stored === null ? 'is refused' : `is ${stored}`} (${source})`, () => {
      const read = readCell(text, { type, pii: false }, { decimal: null, order: null, offsetAt: zoneClocks(account) });
      expect('value' in read ? read.value : null).to.equal(stored);
    });
});

describe('A rule as it is written', () => {
  const fields = new Map([['due', 'datetime']] as const);
  for (const [rule, account, stored, source] of writtenRuleCases)
    it(`${JSON.stringify(rule)} by an account in ${account} is ${stored === null ? 'refused' : 'stored'} (${source})`, () => {
      const read = withInstants(rule, { fields, offsetAt: zoneClocks(account) });
      const problems = ruleProblems(read, { fields, lists: new Set(), segments: new Set() });
      if (stored === null) expect(problems).to.have.length(1);
      else expect({ read, problems }).to.deep.equal({ read: stored, problems: [] });
    });
});
