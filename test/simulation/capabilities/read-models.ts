import { type ActivityDoc, activity, ENTRIES } from '../../../projections/activity/projection.js';
import { verify } from '../../../projections/runtime/verify.js';
import type { Capability, Final } from '../capability.js';

/** No commands of its own: every read model and to-do list equals its rebuild, and nothing is left to do. */
export const readModels: Capability = {
  name: 'read models',
  begin: () => ({
    actions: [],
    async check(final) {
      const { run } = final;
      const problems: string[] = [];
      const { views } = run.stores.views;
      for (const projection of run.projections) {
        const { equal, differences } = await verify(projection, { log: run.log, views }, new AbortController().signal);
        if (!equal) problems.push(`${projection.name} differs from its rebuild: ${JSON.stringify(differences.slice(0, 3))}`);
      }
      for (const node of run.nodes) problems.push(...node.failures);
      problems.push(...(await activityProblems(final)));
      return problems;
    },
  }),
};

/** What the activity counts as sent by keys is what the log has of them. */
async function activityProblems({ run, events }: Final): Promise<string[]> {
  const where = { account: run.accountId, action: 'message.send' };
  const entries = await run.stores.views.views.docs<ActivityDoc>(activity, ENTRIES).find({ where, limit: 100_000 });
  const counted = entries.filter(({ actor_kind }) => actor_kind === 'key').reduce((sum, { count }) => sum + count, 0);
  const byKeys = events.filter(({ meta }) => meta.account === run.accountId && meta.actor.kind === 'key');
  const sent = byKeys.reduce((sum, { event: { type, data } }) => {
    const { accepted = 0, batch_id } = data as { readonly accepted?: number; readonly batch_id?: string };
    if (type === 'BulkAccepted') return sum + accepted;
    return (type === 'MessageQueued' || type === 'MessageScheduled') && batch_id === undefined ? sum + 1 : sum;
  }, 0);
  return counted === sent ? [] : [`activity counts ${counted} messages of keys, and the log has ${sent}`];
}
