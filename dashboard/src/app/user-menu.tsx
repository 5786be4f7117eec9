import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { useMe } from '../api/session.ts';
import list from '../ui/list.module.css';
import { type ThemeChoice, useTheme, useThemeChoice } from '../ui/theme.ts';
import { AccountName } from './account-name.tsx';
import styles from './shell.module.css';
import { useSignOut } from './sign-out.ts';

interface UserMenuProps {
  readonly onShowKeys: () => void;
}

/** Who is signed in, and what concerns only them. */
export function UserMenu({ onShowKeys }: UserMenuProps) {
  const { t } = useLingui();
  const { user } = useMe();
  const navigate = useNavigate();
  const leave = useSignOut();
  const [, setTheme] = useTheme();
  const choice = useThemeChoice();
  const themes: readonly (readonly [ThemeChoice, string])[] = [
    ['system', t`As the device`],
    ['light', t`Light`],
    ['dark', t`Dark`],
  ];
  return (
    <MenuTrigger>
      <Button className={styles.user}>
        <AccountName />
        <ChevronsUpDown aria-hidden size={16} />
      </Button>
      <Popover className={list.popover} placement="top start">
        <Menu className={list.list} aria-label={t`You`}>
          <MenuSection aria-label={user?.email ?? t`You`}>
            <Header className={list.heading}>{user?.email}</Header>
            <MenuItem className={list.item} onAction={() => void navigate({ to: '/settings/security' as string })}>
              <Trans>Security</Trans>
            </MenuItem>
            <MenuItem className={list.item} onAction={onShowKeys}>
              <Trans>Keyboard shortcuts</Trans>
            </MenuItem>
          </MenuSection>
          <Separator className={list.line} />
          <MenuSection
            aria-label={t`Theme`}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[choice]}
            onSelectionChange={(keys) => {
              for (const [theme] of themes) if (keys !== 'all' && keys.has(theme)) setTheme(theme);
            }}
          >
            <Header className={list.heading}>
              <Trans>Theme</Trans>
            </Header>
            {themes.map(([theme, label]) => (
              <MenuItem key={theme} id={theme} textValue={label} className={list.item}>
                <span className={styles.theme}>{label}</span>
                {theme === choice && <Check aria-hidden />}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className={list.line} />
          <MenuItem className={list.item} onAction={() => void leave()}>
            <Trans>Sign out</Trans>
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
