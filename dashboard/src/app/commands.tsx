import { useLingui } from '@lingui/react/macro';
import { CornerDownRight, Hash, Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTheme } from '../ui/theme.ts';
import { useSections } from './sections.ts';
import { useSignOut } from './sign-out.ts';

export interface Command {
  readonly key: string;
  readonly label: string;
  /** In smaller letters beside the label. */
  readonly hint?: string | null;
  readonly icon: ReactNode;
  /** `go` leads to an address below `/dashboard`. */
  readonly run: (go: (address: string) => void) => void;
}

export interface CommandSection {
  readonly key: string;
  readonly title: string;
  readonly commands: readonly Command[];
}

/** What a text of the palette may mean: an id, pages and actions by words of their names. */
export function useCommands(text: string, onShowKeys: () => void): readonly CommandSection[] {
  const { t, i18n } = useLingui();
  const [theme, setTheme] = useTheme();
  const leave = useSignOut();
  const words = text.trim().toLowerCase().split(/\s+/);
  const fits = ({ label }: Command): boolean => words.every((word) => label.toLowerCase().includes(word));

  const pages = useSections().flatMap(({ to, label, icon: Icon, pages: below = [] }): Command[] => {
    const section = i18n._(label);
    return [
      { key: to, label: section, icon: <Icon aria-hidden />, run: (go) => go(to) },
      ...below
        .filter((page) => page.to !== to)
        .map((page) => ({
          key: page.to,
          label: `${section} › ${i18n._(page.label)}`,
          icon: <CornerDownRight aria-hidden />,
          run: (go: (address: string) => void) => go(page.to),
        })),
    ];
  });
  const isDark = theme === 'dark';
  const actions: readonly Command[] = [
    {
      key: 'theme',
      label: isDark ? t`Use the light theme` : t`Use the dark theme`,
      icon: isDark ? <Sun aria-hidden /> : <Moon aria-hidden />,
      run: () => setTheme(isDark ? 'light' : 'dark'),
    },
    { key: 'keys', label: t`Keyboard shortcuts`, icon: <Keyboard aria-hidden />, run: onShowKeys },
    { key: 'sign-out', label: t`Sign out`, icon: <LogOut aria-hidden />, run: () => void leave() },
  ];
  return [
    { key: 'ids', title: t`By id`, commands: idsIn(text.trim(), (id) => t`Open ${id}`) },
    { key: 'pages', title: t`Pages`, commands: pages.filter(fits) },
    { key: 'actions', title: t`Actions`, commands: actions.filter(fits) },
  ].filter(({ commands }) => commands.length > 0);
}

/** The page that shows what an id names, by how the id begins. */
const PAGES = new Map([
  ['msg', '/messages/'],
  ['con', '/people/'],
]);

function idsIn(text: string, labelOf: (id: string) => string): Command[] {
  const kind = /^([a-z]{2,5})_[0-9A-Za-z]{10,}$/.exec(text)?.[1];
  const page = PAGES.get(kind ?? '');
  return page === undefined ? [] : [{ key: text, label: labelOf(text), icon: <Hash aria-hidden />, run: (go) => go(page + text) }];
}
