import { Trans, useLingui } from '@lingui/react/macro';
import { CircleCheck } from 'lucide-react';
import type { Schemas } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './overview.module.css';

type Problem = Schemas['Problem'];

/** What is wrong, the worst first; or that nothing is. */
export function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useLingui();
  if (problems.length === 0)
    return (
      <p className={styles.well}>
        <CircleCheck aria-hidden size={18} />
        <Trans>All is well: nothing fails, and nothing waits for a decision.</Trans>
      </p>
    );
  const kinds: Record<Problem['kind'], string> = {
    carrier: t`Carrier`,
    projection: t`Read model`,
    parked: t`Parked work`,
    endpoint: t`Webhook endpoint`,
    sending_domain: t`Sending domain`,
  };
  return (
    <Panel title={t`What needs attention`}>
      <ul className={styles.rows}>
        {problems.map((problem) => (
          <li key={`${problem.kind} ${problem.resource.id}`} className={styles.row}>
            <Badge tone={problem.severity === 'error' ? 'danger' : 'warning'}>{kinds[problem.kind]}</Badge>
            <span className={styles.words}>{problem.message}</span>
            {problem.since && <Time value={problem.since} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
