import { expect } from 'chai';
import { starts } from '../../domain/journeys/contact-signal.js';
import { contactSignalsOf, type SignalEvent } from '../../log/aggregates/journeys/contact-signals.js';
import { recorded } from '../support/process-specification.js';

const at = '2026-01-15T10:00:00.000Z';
const submitted = (more: object) =>
  ({
    type: 'FormSubmitted',
    data: { submission_id: 'fsb_1', form_id: 'frm_1', contact_id: 'con_1', double_opt_in: false, duplicate_of: null, at, ...more },
  }) as never as SignalEvent;
const confirmed = {
  type: 'FormSubmissionConfirmed',
  data: { submission_id: 'fsb_1', form_id: 'frm_1', contact_id: 'con_1', at },
} as never as SignalEvent;
const startedBy = (event: SignalEvent, form_id?: string) =>
  contactSignalsOf(recorded(event)).some((contactSignal) => starts({ type: 'form_submitted', ...(form_id && { form_id }) }, contactSignal));

describe('A journey that a form starts', () => {
  it('starts with a submission of the form, or of any form', () => {
    expect([startedBy(submitted({})), startedBy(submitted({}), 'frm_1'), startedBy(submitted({}), 'frm_2')]).to.deep.equal([true, true, false]);
  });

  it('starts with the confirmation where the form asks for one, and not with a repetition', () => {
    expect(startedBy(submitted({ double_opt_in: true }))).to.equal(false);
    expect(startedBy(confirmed, 'frm_1')).to.equal(true);
    expect(startedBy(submitted({ duplicate_of: 'fsb_0' }))).to.equal(false);
  });
});
