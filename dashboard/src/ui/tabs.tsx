import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Tabs as AriaTabs, RouterProvider, Tab, TabList, TabPanel } from 'react-aria-components';
import { linkTo } from './links.ts';
import styles from './tabs.module.css';

interface TabOfPage {
  readonly key: string;
  readonly title: ReactNode;
  /** An address below `/dashboard`: the tab is a link. */
  readonly href?: string;
  readonly content: ReactNode;
}

export interface TabsProps {
  readonly label: string;
  /** The page keeps it in its address. */
  readonly selected: string;
  readonly tabs: readonly TabOfPage[];
  readonly onSelect?: (key: string) => void;
}

/** Views of the same thing, one at a time. */
export function Tabs({ label, selected, tabs, onSelect }: TabsProps) {
  const router = useRouter();
  const addressOf = (href: string): string => router.buildLocation(linkTo(href)).publicHref;
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => key !== selected && onSelect?.(String(key))} className={styles.tabs}>
      <RouterProvider navigate={(href) => void router.navigate({ ...linkTo(href), resetScroll: false })} useHref={addressOf}>
        <TabList aria-label={label} className={styles.list}>
          {tabs.map(({ key, title, href }) => (
            <Tab key={key} id={key} href={href} className={styles.tab}>
              {title}
            </Tab>
          ))}
        </TabList>
      </RouterProvider>
      {tabs.map(({ key, content }) => (
        <TabPanel key={key} id={key} className={styles.panel}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
