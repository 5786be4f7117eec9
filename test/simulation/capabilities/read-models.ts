import { verify } from '../../../projections/runtime/verify.js';
import type { Capability } from '../capability.js';

/** No commands of its own: every read model and to-do list equals its rebuild, and nothing is left to do. */
export const readModels: Capability = {
  name: 'read models',
  begin: () => ({
    actions: [],
    async check({ run }) {
      const problems: string[] = [];
      const { views } = run.stores.views;
      for (const projection of run.projections) {
        const { equal, differences } = await verify(projection, { log: run.log, views }, new AbortController().signal);
        if (!equal) problems.push(`${projection.name} differs from its rebuild: ${JSON.stringify(differences.slice(0, 3))}`);
      }
      for (const node of run.nodes) problems.push(...node.failures);
      return problems;
    },
  }),
};
