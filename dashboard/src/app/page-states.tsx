import { Trans, useLingui } from '@lingui/react/macro';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError, hasStatus, isOffline } from '../api/errors.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Loading } from '../ui/states.tsx';

export function PagePending() {
  const { t } = useLingui();
  return (
    <Page title={t`Loading`}>
      <Loading rows={6} />
    </Page>
  );
}

export function PageMissing() {
  const { t } = useLingui();
  return (
    <Page title={t`Not found`}>
      <Empty
        title={t`There is nothing at this address`}
        actions={
          <ButtonLink to="/" look="primary">
            <Trans>Overview</Trans>
          </ButtonLink>
        }
      >
        <Trans>It may have been deleted, belong to another account, or the link is cut short.</Trans>
      </Empty>
    </Page>
  );
}

/** What went wrong while a page was loaded or shown. */
export function PageError({ error }: ErrorComponentProps) {
  const { t } = useLingui();
  const router = useRouter();
  if (hasStatus(error, 404) || hasStatus(error, 410)) return <PageMissing />;
  return (
    <Page title={t`This page could not be loaded`}>
      <ErrorNote
        message={
          isOffline(error)
            ? t`The service cannot be reached. Check your connection; the page loads by itself once it is back.`
            : String(error instanceof Error ? error.message : error)
        }
        requestId={error instanceof ApiError ? error.requestId : null}
        onRetry={() => void router.invalidate()}
      />
    </Page>
  );
}
