import { type ImportView, listedImport } from '../../projections/contacts/imports.js';
import { JOBS, jobs } from '../../projections/jobs/projection.js';
import { jobQueries } from '../../projections/jobs/queries.js';
import { ACCOUNT, type TestApp } from '../support/test-app.js';

/** An import as the list of imports shows it, or null. */
export async function listedIn(app: TestApp, id: string): Promise<ImportView | null> {
  await app.documents(jobs, JOBS);
  const rows = await jobQueries(app.views).imports(ACCOUNT, { after: null, descending: true, limit: 100 });
  const found = rows.find(({ item }) => item.job.id === id);
  return found ? listedImport(found.item) : null;
}
