import { answer, api } from './client.ts';

/** Milliseconds between two looks at a job. */
const BETWEEN = 700;

/** Resolves when a job has completed. Throws where it failed or was canceled. */
export async function waitForJob(id: string): Promise<void> {
  for (;;) {
    const { status } = await answer(api.GET('/v1/jobs/{id}', { params: { path: { id } } }));
    if (status === 'completed') return;
    if (status === 'failed' || status === 'canceled') throw new Error(`The job ${id} is ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
  }
}
