import Type from 'typebox';
import { isDomainError } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { type ContactScoreEvent, contactScoresStream, recordedScores } from '../../domain/scores/contact-scores.js';
import { scoreChanges } from '../../domain/scores/score-changes.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadRecordedScores } from '../../log/aggregates/scores/load-recorded-scores.js';
import { loadScoreModel } from '../../log/aggregates/scores/load-score-model.js';
import { type Context, command } from '../runtime/command.js';

/**
 * Scores a contact anew because of an event at the position `asked`. A part of another contact is scored as that one. A contact that is
 * gone has no scores.
 */
export const rescoreContact = command({
  name: 'RescoreContact',
  input: Type.Object({ contact_id: text, asked: text }),

  async handle({ contact_id, asked }, context): Promise<void> {
    const done: ContactScoreEvent = { type: 'ContactRescored', data: { contact_id, asked, at: context.now } };
    const members = await membersOf(context, contact_id);
    const root = members[0];
    const changes = root === undefined ? [] : await changesOf(context, root, members);
    if (root !== undefined && root !== contact_id && changes.length > 0) await appendTo(context, root, changes);
    await appendTo(context, contact_id, root === contact_id ? [...changes, done] : [done]);
  },
});

/** The root first; empty if the contact is gone. */
async function membersOf({ log, cause }: Context, contact_id: string): Promise<string[]> {
  try {
    return (await findContact(log, cause.account, contact_id)).unified.members.map(({ id }) => id);
  } catch (e) {
    if (isDomainError(e)) return [];
    throw e;
  }
}

async function changesOf(context: Context, contact_id: string, members: readonly string[]): Promise<ContactScoreEvent[]> {
  const { log, cause, now } = context;
  const { model } = await loadScoreModel(log, cause.account);
  if (!model) return [];
  const reads = context.ports.scores.reads;
  const [history, thresholds, { scores: recorded }] = await Promise.all([
    reads.purchasesOf(cause.account, members, model.purchase),
    reads.thresholds(cause.account),
    loadRecordedScores(log, contact_id),
  ]);
  return scoreChanges(contact_id, model, { history, recorded, thresholds }, now);
}

const appendTo = (context: Context, contact_id: string, events: readonly ContactScoreEvent[]): Promise<unknown> =>
  context.decide(recordedScores, contactScoresStream(contact_id), events);
