import { Trans, useLingui } from '@lingui/react/macro';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ProgressBar } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import styles from './people.module.css';

const jobQuery = (id: string) =>
  queryOptions({ queryKey: ['job', id], queryFn: ({ signal }) => answer(api.GET('/v1/jobs/{id}', { params: { path: { id } }, signal })) });

const tones: Readonly<Record<Schemas['JobStatus'], Tone>> = {
  queued: 'info',
  running: 'info',
  canceling: 'warning',
  completed: 'success',
  canceled: 'neutral',
  failed: 'danger',
};
const OVER: readonly Schemas['JobStatus'][] = ['completed', 'canceled', 'failed'];

/** How far an action with many people is. The stream of changes says when there is news. */
export function BulkProgress({ job: id, onClose }: { readonly job: string; readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const job = useQuery(jobQuery(id));
  const cancel = useMutation({
    mutationFn: () => answer(api.POST('/v1/jobs/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['job', id] }),
  });
  const isOver = job.data !== undefined && OVER.includes(job.data.status);
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ['contact'] });
  }, [isOver, queries]);
  if (job.error) return <ErrorNote {...noteOf(job.error)} onRetry={() => void job.refetch()} />;
  if (!job.data) return <Loading rows={1} />;
  const { status, done, total, errors, result } = job.data;
  const words: Record<Schemas['JobStatus'], string> = {
    queued: t`Waits`,
    running: t`Running`,
    canceling: t`Is being canceled`,
    completed: t`Done`,
    canceled: t`Canceled`,
    failed: t`Failed`,
  };
  const numbers = (['changed', 'unchanged', 'failed'] as const).map((key) => [key, result?.[key]] as const);
  const labels = { changed: t`changed`, unchanged: t`unchanged`, failed: t`failed` };
  return (
    <Panel
      title={t`Action with many people`}
      actions={
        <Button size="small" onPress={() => (isOver ? onClose() : cancel.mutate())} isPending={cancel.isPending}>
          {isOver ? t`Close` : t`Cancel`}
        </Button>
      }
    >
      <ProgressBar
        aria-label={t`Progress`}
        minValue={0}
        maxValue={total ?? 1}
        value={isOver ? (total ?? 1) : done}
        isIndeterminate={total === null && !isOver}
        className={styles.progress ?? ''}
      >
        {({ percentage }) => <span className={styles.done} style={{ inlineSize: `${percentage ?? 30}%` }} />}
      </ProgressBar>
      <p className={styles.badges} role="status">
        <Badge tone={tones[status]}>{words[status]}</Badge>
        {isOver ? (
          numbers.flatMap(([key, value]) => (typeof value === 'number' ? [<span key={key}>{`${i18n.number(value)} ${labels[key]}`}</span>] : []))
        ) : (
          <span>
            {total === null ? (
              i18n.number(done)
            ) : (
              <Trans>
                {i18n.number(done)} of {i18n.number(total)}
              </Trans>
            )}
          </span>
        )}
        {errors > 0 && (
          <a href={`/v1/jobs/${id}/errors`}>
            <Trans>What failed, and why</Trans>
          </a>
        )}
      </p>
    </Panel>
  );
}
