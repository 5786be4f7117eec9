import { expect } from 'chai';
import { decide, type Submission } from '../../domain/forms/submission.js';

describe('a submission that waits for its confirmation', () => {
  const of = (message_id: string | null) => ({ status: 'pending_confirmation', id: 'fsb_1', message_id }) as Submission;
  const sent = (message_id: string | null) => ({ type: 'RecordConfirmationSent', message_id, now: '2026-01-15T10:00:00.000Z' }) as const;

  it('records its mail once, when two nodes send the same one', () => {
    expect(decide(sent('msg_1'), of(null)).map(({ type }) => type)).to.deep.equal(['FormConfirmationSent']);
    expect(decide(sent('msg_1'), of('msg_1'))).to.deep.equal([]);
  });

  it('records another mail', () => expect(decide(sent('msg_2'), of('msg_1'))).to.have.length(1));
});
