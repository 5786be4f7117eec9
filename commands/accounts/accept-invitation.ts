import { account, accountStream } from '../../domain/accounts/account.js';
import { invitation, invitationStream, requireOpen } from '../../domain/accounts/invitation.js';
import type { UserResource } from '../../domain/accounts/resources.js';
import { invalid, notFound } from '../../domain/kernel/errors.js';
import { nullable, record, text } from '../../domain/kernel/schema.js';
import { passwordProblems } from '../../formats/accounts/passwords.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { command } from '../runtime/command.js';
import { addUser, findUser } from './create-user.js';

/** Adds the user who was invited. Throws `not_found` where the invitation cannot be accepted, and `conflict` where the email signs in already. */
export const acceptInvitation = command({
  name: 'AcceptInvitation',
  input: record({ user_id: text, name: nullable(text), password: text }),

  async handle({ user_id, name, password }, context): Promise<UserResource> {
    const stream = invitationStream(user_id);
    const accept = { type: 'AcceptInvitation', user_id, now: context.now } as const;
    const { state } = await loadAggregate(context.log, invitation, stream);
    if (state.status === 'accepted') {
      // Refused, unless this repeats the run that accepted it, under the same idempotency key.
      await context.decide(invitation, stream, accept);
      const { state: of } = await loadAggregate(context.log, account, accountStream(context.cause.account));
      const user = findUser(of, user_id);
      if (!user) throw notFound('user', user_id);
      return user;
    }
    const { email, role } = requireOpen(state, context.now);
    const problems = passwordProblems(password, email);
    if (problems.length > 0) throw invalid(problems);
    const user = await addUser(context, user_id, { email, name, role, password });
    await context.decide(invitation, stream, accept);
    return user;
  },
});
