import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ApiError, noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { AsOfSlider } from '../../ui/as-of-slider.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Id } from '../../ui/id.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { Channels } from './channels.tsx';
import { ContactFields } from './contact-fields.tsx';
import { ContactTags } from './contact-tags.tsx';
import styles from './people.module.css';
import { type Contact, nameOf } from './person-name.tsx';
import { contactQuery, fieldChangesQuery } from './queries.ts';
import { sourceWords } from './words.ts';

const route = getRouteApi('/signed-in/people/$id');

// What is looked at by one of its tabs, or done now and then, is loaded then.
const ContactActions = lazy(() => import('./contact-actions.tsx').then(({ ContactActions: shown }) => ({ default: shown })));
const ContactTimeline = lazy(() => import('./tab-timeline.tsx').then(({ ContactTimeline: shown }) => ({ default: shown })));
const Messages = lazy(() => import('./tab-messages.tsx').then(({ Messages: shown }) => ({ default: shown })));
const Consents = lazy(() => import('./tab-consents.tsx').then(({ Consents: shown }) => ({ default: shown })));
const Lists = lazy(() => import('./tab-lists.tsx').then(({ Lists: shown }) => ({ default: shown })));
const Segments = lazy(() => import('./tab-segments.tsx').then(({ Segments: shown }) => ({ default: shown })));
const Journeys = lazy(() => import('./tab-journeys.tsx').then(({ Journeys: shown }) => ({ default: shown })));
const Scores = lazy(() => import('./tab-scores.tsx').then(({ Scores: shown }) => ({ default: shown })));
const DevicesAndMerges = lazy(() => import('./tab-devices.tsx').then(({ DevicesAndMerges: shown }) => ({ default: shown })));

function ContactPage() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const { as_of: asOf } = route.useSearch();
  const contact = useQuery(contactQuery(id, asOf));
  if (contact.error instanceof ApiError && contact.error.status === 410) return <Erased />;
  if (contact.error instanceof ApiError && contact.error.status === 404) return <Missing isPast={asOf !== undefined} />;
  if (contact.isError && !contact.data)
    return (
      <Page title={t`Contact`}>
        <ErrorNote {...noteOf(contact.error)} onRetry={() => void contact.refetch()} />
      </Page>
    );
  if (!contact.data)
    return (
      <Page title={t`Contact`}>
        <Loading rows={8} />
      </Page>
    );
  return <Profile contact={contact.data.value} version={contact.data.version} asOf={asOf} />;
}

interface ProfileProps {
  readonly contact: Contact;
  /** What a change names in `If-Match`. */
  readonly version: string | null;
  readonly asOf: string | undefined;
}

function Profile({ contact, version, asOf }: ProfileProps) {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const mayWrite = useMay('contacts:write') && asOf === undefined;
  const { id, source, created_at, merged_ids, possible_duplicates = [] } = contact;
  return (
    <Page
      title={nameOf(contact) ?? t`Nameless contact`}
      about={
        <span className={styles.badges}>
          <Id value={id} />
          <span>
            <Trans>
              Known since <Time value={created_at} zone={timezone} />
            </Trans>
          </span>
          <span>{i18n._(sourceWords[source])}</span>
          {merged_ids.length > 0 && <Badge tone="info">{t`Merged`}</Badge>}
          {possible_duplicates.length > 0 && <Badge tone="warning">{t`Possible duplicate`}</Badge>}
        </span>
      }
      actions={
        <>
          <ShowAsCode method="GET" path={`/v1/contacts/${id}`} query={{ as_of: asOf }} />
          {mayWrite && (
            <Suspense>
              <ContactActions contact={contact} />
            </Suspense>
          )}
        </>
      }
    >
      <Moment contact={contact} asOf={asOf} />
      <div className={styles.profile}>
        <div className={styles.side}>
          <Panel title={t`Channels`}>
            <Channels contact={contact} asOf={asOf} />
          </Panel>
          <Panel title={t`Fields`}>
            <ContactFields contact={contact} version={version} asOf={asOf} mayWrite={mayWrite} />
          </Panel>
          <Panel title={t`Tags`}>
            <ContactTags contact={contact} version={version} mayWrite={mayWrite} />
          </Panel>
        </div>
        <ProfileTabs contact={contact} asOf={asOf} />
      </div>
    </Page>
  );
}

/** The moment that the page shows, with those at which fields have changed. */
function Moment({ contact: { id, created_at }, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const navigate = route.useNavigate();
  const { data: changes } = useQuery(fieldChangesQuery(id));
  return (
    <AsOfSlider
      from={created_at}
      value={asOf ?? null}
      onChange={(moment) => void navigate({ search: (now) => ({ ...now, as_of: moment ?? undefined }), replace: true })}
      marks={changes?.data.map(({ occurred_at }) => occurred_at) ?? []}
    />
  );
}

function ProfileTabs({ contact, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const { t } = useLingui();
  const { tab = 'timeline' } = route.useSearch();
  const navigate = route.useNavigate();
  const about = { contact, asOf };
  const titles = [
    { key: 'timeline', title: t`Timeline`, content: <ContactTimeline {...about} /> },
    { key: 'messages', title: t`Messages`, content: <Messages {...about} /> },
    { key: 'consent', title: t`Consent`, content: <Consents {...about} /> },
    { key: 'lists', title: t`Lists`, content: <Lists {...about} /> },
    { key: 'segments', title: t`Segments`, content: <Segments {...about} /> },
    { key: 'journeys', title: t`Journeys`, content: <Journeys {...about} /> },
    { key: 'scores', title: t`Scores`, content: <Scores {...about} /> },
    { key: 'devices', title: t`Devices and merges`, content: <DevicesAndMerges {...about} /> },
  ];
  return (
    <Tabs
      label={t`About this person`}
      selected={titles.some(({ key }) => key === tab) ? tab : 'timeline'}
      tabs={titles.map((one) => ({ ...one, content: <Suspense fallback={<Loading rows={5} />}>{one.content}</Suspense> }))}
      onSelect={(key) => void navigate({ search: (now) => ({ ...now, tab: key }), resetScroll: false })}
    />
  );
}

function Erased() {
  const { t } = useLingui();
  return (
    <Page title={t`Erased contact`}>
      <Empty
        title={t`This person was erased`}
        actions={
          <>
            <ButtonLink to="/people" look="primary">
              <Trans>People</Trans>
            </ButtonLink>
            <a href="/docs/guides/erasure">
              <Trans>Guide: erasing a person</Trans>
            </a>
          </>
        }
      >
        <Trans>The keys of the personal data are destroyed. Nobody can read it any more, and messages to the addresses are not sent.</Trans>
      </Empty>
    </Page>
  );
}

function Missing({ isPast }: { readonly isPast: boolean }) {
  const { t } = useLingui();
  const navigate = route.useNavigate();
  return (
    <Page title={t`Not found`}>
      <Empty
        title={isPast ? t`There was no such contact then` : t`There is no such contact`}
        actions={
          isPast ? (
            <Button look="primary" onPress={() => void navigate({ search: (now) => ({ ...now, as_of: undefined }) })}>
              <Trans>Back to now</Trans>
            </Button>
          ) : (
            <ButtonLink to="/people" look="primary">
              <Trans>People</Trans>
            </ButtonLink>
          )
        }
      >
        <Trans>It may have been deleted, or belong to another account.</Trans>
      </Empty>
    </Page>
  );
}

export const page = createLazyRoute('/signed-in/people/$id')({ component: ContactPage });
