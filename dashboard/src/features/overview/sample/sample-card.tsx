import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { answer, api } from '../../../api/client.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { SampleStep } from './add-sample.ts';
import { SAMPLE_TAG } from './people.ts';
import styles from './sample-card.module.css';

const RemoveDialog = lazy(() => import('./remove-dialog.tsx'));

const sampleQuery = {
  queryKey: ['contact', 'list', 'sample'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await answer(api.GET('/v1/contacts', { params: { query: { limit: 1, tag: SAMPLE_TAG } }, signal }))).data.length > 0,
};

/** Says below the page that made-up people are here, and removes them. */
export function SampleNote() {
  const mayRemove = useMay('settings:write');
  const [isAsking, setIsAsking] = useState(false);
  const { data: hasSample = false } = useQuery({ ...sampleQuery, enabled: mayRemove });
  if (!hasSample && !isAsking) return null;
  return (
    <p className={styles.note}>
      <Trans>There is sample data in this account.</Trans>
      <Button size="small" onPress={() => setIsAsking(true)}>
        <Trans>Remove sample data</Trans>
      </Button>
      {isAsking && (
        <Suspense>
          <RemoveDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </p>
  );
}

const anybodyQuery = {
  queryKey: ['contact', 'list', 'anybody'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await answer(api.GET('/v1/contacts', { params: { query: { limit: 1 } }, signal }))).data.length > 0,
};

/** Offers an account without people some that are made up. */
export function SampleCard() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const mayAdd = useMay('settings:write');
  const [step, setStep] = useState<SampleStep | null>(null);
  const { data: hasPeople = true } = useQuery({ ...anybodyQuery, enabled: mayAdd && step === null });
  const adding = useMutation({
    // Loaded only by who asks for it.
    mutationFn: async () => (await import('./add-sample.ts')).addSample(setStep),
    onSuccess: async () => {
      setStep(null);
      toast({ message: t`The sample is added.`, tone: 'success' });
      await queries.invalidateQueries();
    },
  });
  if (!mayAdd || (hasPeople && step === null)) return null;
  const steps: Record<SampleStep, string> = {
    people: t`Adding 200 people`,
    events: t`Recording what they did in a year`,
    contents: t`Writing segments and templates`,
    campaign: t`Sending a campaign`,
    journey: t`Starting a journey`,
  };
  return (
    <Panel title={t`Look around with made-up people`}>
      <div className={styles.card}>
        <p>
          <Trans>
            Add 200 people at <code>sandbox.test</code>, which is nobody’s domain, with a year of events, lists, segments, templates, a campaign that
            is sent, and a journey with people in it.
          </Trans>
        </p>
        {adding.error && <ErrorNote message={adding.error.message} />}
        <div className={styles.actions}>
          <Button look="primary" isPending={adding.isPending} onPress={() => adding.mutate()}>
            {adding.error ? <Trans>Go on</Trans> : <Trans>Add sample data</Trans>}
          </Button>
          {adding.isPending && step && <span role="status">{steps[step]} …</span>}
        </div>
      </div>
    </Panel>
  );
}
