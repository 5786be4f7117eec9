import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Id } from '../../ui/id.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { devicesQuery, fieldChangesQuery, useChange } from './queries.ts';

interface DevicesAndMergesProps {
  readonly contact: Contact;
  readonly asOf: string | undefined;
}

/** The devices of the person, and the contacts that have become one in it. */
export function DevicesAndMerges({ contact, asOf }: DevicesAndMergesProps) {
  return (
    <div className={styles.stack}>
      {asOf !== undefined && (
        <p className={styles.muted}>
          <Trans>As they are today.</Trans>
        </p>
      )}
      <Devices contact={contact.id} />
      <Merges contact={contact} isPast={asOf !== undefined} />
    </div>
  );
}

function Devices({ contact }: { readonly contact: string }) {
  const { t } = useLingui();
  const { timezone } = useMe().account;
  const devices = useQuery(devicesQuery(contact));
  const platforms: Record<Schemas['PushPlatform'], string> = { ios: t`iPhone or iPad`, android: t`Android`, web: t`Browser` };
  return (
    <Panel title={t`Devices`}>
      {devices.isPending && <Loading rows={2} />}
      {devices.isError && <ErrorNote {...noteOf(devices.error)} onRetry={() => void devices.refetch()} />}
      {devices.data?.data.length === 0 && (
        <p className={styles.muted}>
          <Trans>No device takes push messages.</Trans>
        </p>
      )}
      <ul className={styles.rows}>
        {devices.data?.data.map(({ id, platform, status, verified, subscribed_at, app_version }) => (
          <li key={id}>
            <div className={styles.words}>
              <strong>{platforms[platform]}</strong>
              {app_version !== null && (
                <>
                  {' '}
                  <bdi>{app_version}</bdi>
                </>
              )}
              <p className={styles.small}>
                <Time value={subscribed_at} zone={timezone} />
              </p>
            </div>
            <span className={styles.badges}>
              {!verified && <Badge tone="warning">{t`Not verified`}</Badge>}
              <Badge tone={status === 'active' ? 'success' : 'neutral'}>{status === 'active' ? t`Active` : t`Ended`}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface Merge {
  readonly id: string;
  readonly absorbed: string;
  readonly at: string;
  readonly isUndone: boolean;
}

/** The merges of a person, the latest first, as its timeline has them. */
function mergesIn(changes: readonly Schemas['ContactTimelineEntry'][]): Merge[] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const undone = new Set(changes.filter(({ type }) => type === 'ContactReleased').map(({ data }) => text(data.merge_id)));
  return changes
    .filter(({ type }) => type === 'ContactAbsorbed')
    .map(({ data, occurred_at: at }) => {
      const id = text(data.merge_id);
      return { id, absorbed: text(data.absorbed), at, isUndone: undone.has(id) };
    });
}

function Merges({ contact, isPast }: { readonly contact: Contact; readonly isPast: boolean }) {
  const { t } = useLingui();
  const { timezone } = useMe().account;
  const mayWrite = useMay('contacts:write') && !isPast;
  const changes = useQuery(fieldChangesQuery(contact.id));
  const unmerge = useChange(
    (merge_id: string) => answer(api.POST('/v1/contacts/{id}/unmerge', { params: { path: { id: contact.id } }, body: { merge_id } })),
    () => toast({ message: t`They are two contacts again.`, tone: 'success' }),
  );
  const merges = mergesIn(changes.data?.data ?? []);
  const duplicates = contact.possible_duplicates ?? [];
  return (
    <Panel title={t`Merges`}>
      {duplicates.length > 0 && (
        <p>
          <Trans>Has the number of another contact in its other spelling:</Trans>{' '}
          {duplicates.map((id) => (
            <Link key={id} to="/people/$id" params={{ id }}>
              {id}
            </Link>
          ))}
        </p>
      )}
      {changes.isPending && <Loading rows={2} />}
      {changes.isError && <ErrorNote {...noteOf(changes.error)} onRetry={() => void changes.refetch()} />}
      {unmerge.error && <ErrorNote {...noteOf(unmerge.error)} />}
      {changes.data && merges.length === 0 && (
        <p className={styles.muted}>
          <Trans>No contact was merged into this one.</Trans>
        </p>
      )}
      <ul className={styles.rows}>
        {merges.map(({ id, absorbed, at, isUndone }) => (
          <li key={id}>
            <div className={styles.words}>
              <Id value={absorbed} />
              <p className={styles.small}>
                <Time value={at} zone={timezone} />
              </p>
            </div>
            {isUndone ? (
              <Badge>{t`Undone`}</Badge>
            ) : (
              mayWrite && (
                <Button size="small" isPending={unmerge.isPending && unmerge.variables === id} onPress={() => unmerge.mutate(id)}>
                  <Trans>Unmerge</Trans>
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
