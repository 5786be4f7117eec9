import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { CapsSection } from './caps-section.tsx';
import { GeneralSection, SendersSection } from './general-sections.tsx';
import { settingsQuery } from './queries.ts';
import { ConsentSection, DeliverySection, PurchaseSection, QuietHoursSection } from './rule-sections.tsx';
import styles from './settings.module.css';

function AccountPage() {
  const { t } = useLingui();
  const found = useQuery(settingsQuery);
  if (found.error) throw found.error;
  return (
    <Page title={t`Account`} about={t`Who you are to the people you write to, and the rules that all sending keeps.`}>
      {!found.data && <Loading rows={8} />}
      {found.data && (
        <div className={styles.page}>
          <GeneralSection settings={found.data} />
          <SendersSection settings={found.data} />
          <QuietHoursSection settings={found.data} />
          <CapsSection settings={found.data} />
          <ConsentSection settings={found.data} />
          <DeliverySection settings={found.data} />
          <PurchaseSection settings={found.data} />
        </div>
      )}
    </Page>
  );
}

export const page = createLazyRoute('/signed-in/settings/account')({ component: AccountPage });
