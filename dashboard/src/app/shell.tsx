import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { LogOut, Menu, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { followChanges } from '../api/changes.ts';
import { signOut, useMe } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { useTheme } from '../ui/theme.ts';
import { ZoneContext } from '../ui/zone.ts';
import { type Section, sections } from './navigation.tsx';
import styles from './shell.module.css';

/** The frame of all pages: the menu at the side, or behind a button where the window is narrow. */
export function Shell() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { account } = useMe();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => followChanges(queries), [queries]);
  // A page that was chosen is looked at: the menu closes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes whenever the path changes
  useEffect(() => setIsOpen(false), [path]);

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        <Trans>Skip to the content</Trans>
      </a>
      <header className={styles.bar}>
        <Button look="quiet" aria-label={t`Menu`} aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          <Menu aria-hidden />
        </Button>
        <Brand />
      </header>
      <nav aria-label={t`Main`} className={styles.side} data-open={isOpen || undefined}>
        <Brand />
        <ul className={styles.nav}>
          {sections.map((section) => (
            <SectionItem key={section.to} section={section} path={path} />
          ))}
        </ul>
        <Account />
      </nav>
      <main id="main" className={styles.main} tabIndex={-1}>
        <ZoneContext value={account.timezone}>
          <Outlet />
        </ZoneContext>
      </main>
    </div>
  );
}

const Brand = () => (
  <Link to="/" className={styles.brand ?? ''}>
    <Sun aria-hidden size={20} />
    Heliograph
  </Link>
);

/** A section with its pages while one of them is shown. */
function SectionItem({ section: { to, label, icon: Icon, pages }, path }: { readonly section: Section; readonly path: string }) {
  const { i18n } = useLingui();
  const isShown = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link to={to} activeOptions={{ exact: true, includeSearch: false }} className={styles.entry ?? ''} data-shown={isShown || undefined}>
        <Icon aria-hidden size={18} />
        {i18n._(label)}
      </Link>
      {isShown && pages && (
        <ul className={styles.pages}>
          {pages.map((page) => (
            <li key={page.to}>
              <Link to={page.to} className={styles.entry ?? ''}>
                {i18n._(page.label)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Account() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [theme, setTheme] = useTheme();
  const leave = async (): Promise<void> => {
    await signOut().catch(() => {});
    queries.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <div className={styles.account}>
      <Button size="small" look="quiet" onPress={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {theme === 'dark' ? t`Light` : t`Dark`}
      </Button>
      <Button size="small" look="quiet" onPress={() => void leave()}>
        <LogOut aria-hidden />
        <Trans>Sign out</Trans>
      </Button>
    </div>
  );
}
