import { expect } from 'chai';
import { formPageToken, readFormPageToken } from '../../api/forms/page-token.js';
import { submissionLine } from '../../commands/forms/submission-rows.js';
import { type FormDefinition, type FormField, formDefinitionProblems } from '../../domain/forms/definition.js';
import { form } from '../../domain/forms/form.js';
import { formSlug } from '../../domain/forms/slug.js';
import { submission } from '../../domain/forms/submission.js';
import { readAnswers } from '../../formats/forms/read-answers.js';
import { specification } from '../given.js';

const [now, later, late] = ['2026-01-15T10:30:00.000Z', '2026-01-15T10:39:00.000Z', '2026-01-15T10:41:00.000Z'];
const field = (more: Partial<FormField>): FormField => ({
  ...{ key: 'email', type: 'email', label: 'Email', help: null, required: false, maps_to: null, options: null, value: null },
  ...more,
});
const email = field({ required: true, maps_to: 'email' });
const definition: FormDefinition = {
  ...{ name: 'News', slug: 'news', fields: [email], list_ids: [], tags: [], double_opt_in: false, redirect_url: null, success_message: null },
  ...{ consent: null, honeypot_field: null, min_seconds: 0, allowed_origins: [], texts: {}, status: 'live' },
};

describe('a form', () => {
  const { given } = specification(form);
  const created = { type: 'FormCreated', data: { form_id: 'frm_1', definition, at: now } } as const;
  const other = { ...definition, name: 'Weekly' };
  const change = (based_on: number) => ({ type: 'Change', form_id: 'frm_1', definition: other, based_on, now: later }) as const;

  it('makes a version of each change, based on the latest one', () => {
    given(created)
      .when(change(1))
      .then({ type: 'FormChanged', data: { form_id: 'frm_1', version: 2, definition: other, at: later } });
    expect(() => form.decide(change(2), form.evolve(form.initial, created))).to.throw('version 1');
  });
  it('is changed by nothing that is the same, and deleted once', () => {
    given(created)
      .when({ ...change(7), definition })
      .thenNothing();
    const deleted = { type: 'FormDeleted', data: { form_id: 'frm_1', at: later } } as const;
    given(created).when({ type: 'Delete', form_id: 'frm_1', now: later }).then(deleted);
    given(created, deleted).when({ type: 'Delete', form_id: 'frm_1', now: late }).thenNothing();
  });
});

describe('the slug of a form', () => {
  const { given } = specification(formSlug);
  const claimed = { type: 'FormSlugClaimed', data: { slug: 'news', form_id: 'frm_1', at: now } } as const;
  const claim = (at: string, more: object = {}) => ({ type: 'Claim', slug: 'news', form_id: 'frm_2', now: at, ...more }) as const;
  const state = formSlug.evolve(formSlug.initial, claimed);

  it('belongs to one form until that releases it', () => {
    expect(() => formSlug.decide(claim(late), state)).to.throw('taken');
    given(claimed).when({ type: 'Release', slug: 'news', form_id: 'frm_2', now: later }).thenNothing();
    given(claimed, { type: 'FormSlugReleased', data: claimed.data })
      .when(claim(later))
      .then({ type: 'FormSlugClaimed', data: { slug: 'news', form_id: 'frm_2', at: later } });
  });
  it('is taken over where a run broke off ten minutes ago, not before', () => {
    expect(() => formSlug.decide(claim(later, { unused: 'frm_1' }), state)).to.throw('taken');
    expect(() => formSlug.decide(claim(late, { unused: 'frm_3' }), state)).to.throw('taken');
    expect(formSlug.decide(claim(late, { unused: 'frm_1' }), state)).to.have.length(1);
  });
});

describe('a submission', () => {
  const { given } = specification(submission);
  const data = {
    ...{ submission_id: 'fsb_1', form_id: 'frm_1', contact_id: 'con_1', form_version: 1, contact_created: true, fields: {}, consented: true },
    ...{ language: 'en' as const, ip: null, user_agent: null, page: null, duplicate_of: null, double_opt_in: true, base_url: null, at: now },
  } as const;
  const submitted = { type: 'FormSubmitted', data } as const;
  const confirm = (at: string) => ({ type: 'Confirm', ip: null, user_agent: null, text: 'Yes', now: at }) as const;

  it('is confirmed once, within 72 hours', () => {
    const confirmed = {
      type: 'FormSubmissionConfirmed',
      data: {
        submission_id: 'fsb_1',
        form_id: 'frm_1',
        contact_id: 'con_1',
        ip: null,
        user_agent: null,
        text: 'Yes',
        at: '2026-01-18T10:30:00.000Z',
      },
    } as const;
    given(submitted).when(confirm('2026-01-18T10:30:00.000Z')).then(confirmed);
    given(submitted, confirmed).when(confirm('2026-01-18T10:31:00.000Z')).thenNothing();
    expect(() => submission.decide(confirm('2026-01-18T10:30:00.001Z'), submission.evolve(submission.initial, submitted))).to.throw('expired');
  });
  it('without double opt-in needs no confirmation', () => {
    given({ ...submitted, data: { ...data, double_opt_in: false } })
      .when(confirm(later))
      .thenNothing();
  });
});

describe('the definition of a form', () => {
  const custom = new Map([['plan', { type: 'string' }]]);
  const codes = (change: object) => formDefinitionProblems({ ...definition, ...change }, custom).map(({ field: at, code }) => `${at} ${code}`);

  it('asks for an address that identifies a contact', () => {
    expect(codes({})).to.deep.equal([]);
    expect(codes({ fields: [field({})] })).to.deep.equal(['fields required']);
    expect(codes({ fields: [field({ key: 'tel', type: 'phone', required: true, maps_to: 'phone' })], double_opt_in: true })).to.deep.equal([
      'fields required',
    ]);
  });
  it('maps fields to what can take them', () => {
    const mapped = (type: FormField['type'], maps_to: string) => codes({ fields: [email, field({ key: 'x', type, maps_to })] });
    expect(mapped('text', 'custom_fields.plan')).to.deep.equal([]);
    expect(mapped('checkbox', 'custom_fields.plan')).to.deep.equal(['fields[1].maps_to invalid_type']);
    expect(mapped('text', 'custom_fields.other')).to.deep.equal(['fields[1].maps_to unknown_field']);
    expect(mapped('text', 'constructor')).to.deep.equal(['fields[1].maps_to unknown_field']);
    expect(mapped('email', 'email')).to.deep.equal(['fields[1].maps_to duplicate']);
  });
  it('has a place for the consent only with its text', () => {
    const box = field({ key: 'consent', type: 'consent', label: '' });
    expect(codes({ fields: [email, box] })).to.deep.equal(['fields[1].type not_allowed']);
    expect(codes({ fields: [email, field({ key: 'agree', type: 'consent' })], consent: { text: 'Yes' } })).to.deep.equal([
      'fields[1].key not_allowed',
    ]);
    expect(codes({ honeypot_field: 'email' })).to.deep.equal(['honeypot_field duplicate']);
  });
});

const ENGLISH = { texts: 'en', written: 'en', own: 'en' } as const;

describe('the answers of a form', () => {
  const read = (one: Partial<FormField>, value: unknown) => {
    const { values, problems } = readAnswers({ ...definition, fields: [field({ key: 'x', ...one })] }, { x: value }, false, ENGLISH);
    return problems[0]?.code ?? values.x;
  };
  const options = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ];

  it('are taken in normal form, or refused by their type', () => {
    expect(read({ type: 'email' }, ' Ada@Example.COM ')).to.equal('ada@example.com');
    expect(read({ type: 'phone' }, '+1 415 555 0100')).to.equal('+14155550100');
    expect(read({ type: 'number' }, '1.50')).to.equal(1.5);
    expect(read({ type: 'number' }, 7)).to.equal(7);
    expect(read({ type: 'text' }, JSON.parse('1234567890123456789'))).to.equal('invalid_type');
    for (const wrong of ['x', '1e999', '0x10', 'Infinity', '1,5', '1234567890123456789', JSON.parse('1234567890123456789')])
      expect(read({ type: 'number' }, wrong)).to.equal('invalid_number');
    expect(read({ type: 'date' }, '2026-02-28')).to.equal('2026-02-28');
    expect(read({ type: 'date' }, '2026-1-1')).to.equal('2026-01-01');
    for (const wrong of ['2026-02-29', '26-1-1', '2026-01-31T10:00:00Z', '20260131', '1769817600'])
      expect(read({ type: 'date' }, wrong)).to.equal('invalid_date');
    expect(read({ type: 'select', options }, 'b')).to.equal('b');
    expect(read({ type: 'select', options }, 'c')).to.equal('not_an_option');
    expect(read({ type: 'multi_select', options }, ['a', 'b', 'a'])).to.deep.equal(['a', 'b']);
    expect(read({ type: 'multi_select', options }, 'a')).to.deep.equal(['a']);
    expect(read({ type: 'checkbox' }, 'on')).to.equal(true);
    expect(read({ type: 'checkbox', required: true }, 'off')).to.equal('required');
    const box = { ...definition, fields: [field({ key: 'x', type: 'checkbox', required: true })] };
    expect(readAnswers(box, {}, false, ENGLISH).problems[0]?.message).to.equal('Please tick this box to continue.');
    expect(read({ type: 'text' }, 'a\r\nb\u0000')).to.equal('a b ');
    expect(read({ type: 'textarea' }, 'a\r\nb\u0000')).to.equal('a\nb');
    expect(read({ type: 'text' }, 'x'.repeat(1_001))).to.equal('too_long');
    for (const wrong of [{}, [{}], ['a', 'b']]) expect(read({ type: 'text' }, wrong)).to.equal('invalid_type');
    expect(read({ type: 'hidden', value: 'spring' }, undefined)).to.equal('spring');
    expect(read({ type: 'text', required: true }, '   ')).to.equal('required');
  });
});

describe('the token of a page', () => {
  const key = Buffer.alloc(32, 1);
  const page = { form_id: 'frm_1', version: 2, language: 'de', shown_at: 5 } as const;
  it('is read by the form that made it, and by no other', () => {
    const token = formPageToken(page, key);
    expect(readFormPageToken(token, 'frm_1', key)).to.deep.equal(page);
    expect(readFormPageToken(token, 'frm_2', key)).to.equal(null);
    expect(readFormPageToken(token, 'frm_1', Buffer.alloc(32, 2))).to.equal(null);
    for (const forged of ['', 'x', token.slice(1), `${token}AAAA`]) expect(readFormPageToken(forged, 'frm_1', key)).to.equal(null);
  });
});

describe('a submission in a CSV', () => {
  const row = { id: 'fsb_1', submitted_at: now, status: 'accepted', contact_id: 'con_1', consent: null, language: 'en' };
  const cell = (value: unknown) =>
    submissionLine({ ...row, ip: null, page: null, duplicate_of: null, confirmed_at: null, fields: { x: value } }, ['x'])
      .trim()
      .split(',')
      .at(-1);
  it('has no formulas', () => {
    for (const evil of ['=1+1', '+cmd', '-2+3', '@SUM', '\t=1', ' =1']) expect(cell(evil)).to.match(/^"?'/);
    for (const plain of ['+14155550100', '-5', 'a=b', 'Ada']) expect(cell(plain)).to.equal(plain);
  });
});
