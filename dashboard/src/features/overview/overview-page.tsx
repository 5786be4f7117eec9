import { useLingui } from '@lingui/react/macro';
import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';

function OverviewPage() {
  const { t } = useLingui();
  return <Page title={t`Overview`}>{null}</Page>;
}

export const page = createLazyRoute('/signed-in/')({ component: OverviewPage });
