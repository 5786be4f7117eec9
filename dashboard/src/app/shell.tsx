import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu, Search, Sun, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { followChanges } from '../api/changes.ts';
import { useMay, useMe } from '../api/session.ts';
import { settingsQuery } from '../api/settings.ts';
import { Button } from '../ui/button.tsx';
import { applyBrand } from '../ui/theme.ts';
import { ZoneContext } from '../ui/zone.ts';
import { AccountName } from './account-name.tsx';
import { Announcer } from './announcer.tsx';
import { ConnectionNotice } from './connection.tsx';
import type { Section } from './navigation.tsx';
import { useSections } from './sections.ts';
import styles from './shell.module.css';
import { type Shortcut, useShortcuts } from './shortcuts.ts';

// What opens over the page is not needed for its first sight.
const UserMenu = lazy(() => import('./user-menu.tsx').then((module) => ({ default: module.UserMenu })));
const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })));

/** The frame of all pages: the menu at the side, or behind a button where the window is narrow. */
export function Shell() {
  const queries = useQueryClient();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isMenuOpen, setIsMenuOpen] = useMenu(path);
  const [shown, setShown] = useState<Shortcut | null>(null);
  const zone = useMe().account.timezone;
  useEffect(() => followChanges(queries), [queries]);
  useBrand();
  useShortcuts(setShown);

  const search = (): void => {
    setIsMenuOpen(false);
    setShown('palette');
  };

  return (
    <ZoneContext value={zone}>
      <div className={styles.shell}>
        <a className={styles.skip} href="#main">
          <Trans>Skip to the content</Trans>
        </a>
        <header className={styles.header}>
          <Bar isOpen={isMenuOpen} onToggle={() => setIsMenuOpen(!isMenuOpen)} onSearch={search} />
          <Side path={path} isOpen={isMenuOpen} onShow={setShown} />
        </header>
        <main id="main" className={styles.main} tabIndex={-1}>
          <ConnectionNotice />
          <Outlet />
        </main>
        <Announcer />
        <WhenOpened isOpen={shown === 'palette'}>
          <Palette isOpen={shown === 'palette'} onClose={() => setShown(null)} onShowKeys={() => setShown('keys')} />
        </WhenOpened>
        <WhenOpened isOpen={shown === 'keys'}>
          <KeysDialog isOpen={shown === 'keys'} onClose={() => setShown(null)} />
        </WhenOpened>
      </div>
    </ZoneContext>
  );
}

/** Whether the menu of a narrow window is open. It closes with Escape, and when a page was chosen. */
function useMenu(path: string) {
  const [isOpen, setIsOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes whenever the path changes
  useEffect(() => setIsOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setIsOpen(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen]);
  return [isOpen, setIsOpen] as const;
}

/** Makes the color of the account's brand the accent. */
function useBrand(): void {
  const mayRead = useMay('settings:read');
  const { data } = useQuery({ ...settingsQuery, enabled: mayRead });
  useEffect(() => {
    if (data) applyBrand(data.branding.color);
  }, [data]);
}

/** Loads what is in it at the first opening, and leaves it there so that it can close gently. */
function WhenOpened({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    if (isOpen) setWasOpened(true);
  }, [isOpen]);
  return wasOpened && <Suspense>{children}</Suspense>;
}

const Brand = () => (
  <Link to="/" className={styles.brand ?? ''}>
    <Sun aria-hidden size={20} />
    Heliograph
  </Link>
);

interface BarProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onSearch: () => void;
}

/** Above the page where the window is narrow. */
function Bar({ isOpen, onToggle, onSearch }: BarProps) {
  const { t } = useLingui();
  return (
    <div className={styles.bar}>
      <Button look="quiet" aria-label={isOpen ? t`Close the menu` : t`Menu`} aria-expanded={isOpen} aria-controls="side" onPress={onToggle}>
        {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
      </Button>
      <Brand />
      <Button look="quiet" aria-label={t`Go to`} onPress={onSearch}>
        <Search aria-hidden />
      </Button>
    </div>
  );
}

interface SideProps {
  readonly path: string;
  readonly isOpen: boolean;
  readonly onShow: (shortcut: Shortcut) => void;
}

function Side({ path, isOpen, onShow }: SideProps) {
  const { t } = useLingui();
  const sections = useSections();
  return (
    <div id="side" className={styles.side} data-open={isOpen || undefined}>
      <Brand />
      <button type="button" className={styles.search} aria-keyshortcuts="Control+K Meta+K" onClick={() => onShow('palette')}>
        <Search aria-hidden size={16} />
        <Trans>Go to…</Trans>
      </button>
      <nav aria-label={t`Main`} className={styles.nav}>
        <ul>
          {sections.map((section) => (
            <SectionItem key={section.to} section={section} path={path} />
          ))}
        </ul>
      </nav>
      <Suspense
        fallback={
          <div className={styles.user}>
            <AccountName />
          </div>
        }
      >
        <UserMenu onShowKeys={() => onShow('keys')} />
      </Suspense>
    </div>
  );
}

/** A section with its pages while one of them is shown. */
function SectionItem({ section: { to, label, icon: Icon, pages = [] }, path }: { readonly section: Section; readonly path: string }) {
  const { i18n } = useLingui();
  const isShown = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link to={to} activeOptions={{ exact: true, includeSearch: false }} className={styles.entry ?? ''} data-shown={isShown || undefined}>
        <Icon aria-hidden size={18} />
        {i18n._(label)}
      </Link>
      {isShown && pages.length > 0 && (
        <ul className={styles.pages}>
          {pages.map((page) => (
            <li key={page.to}>
              <Link to={page.to} activeOptions={{ includeSearch: false }} className={styles.entry ?? ''}>
                {i18n._(page.label)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
