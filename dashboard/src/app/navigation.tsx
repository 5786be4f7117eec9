import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { CodeXml, House, type LucideIcon, Send, Settings, ShieldCheck, Users } from 'lucide-react';
import type { Permission } from '../api/session.ts';

export interface Entry {
  readonly to: string;
  readonly label: MessageDescriptor;
  /** Who lacks it does not see the entry. */
  readonly needs?: Permission;
}

export interface Section extends Entry {
  readonly icon: LucideIcon;
  /** What the section holds besides its first page. */
  readonly pages?: readonly Entry[];
}

/** The pages in the order of the menu. A section's first page is the section itself. */
export const sections: readonly Section[] = [
  { to: '/', label: msg`Overview`, icon: House },
  {
    to: '/messages',
    label: msg`Messages`,
    icon: Send,
    pages: [
      { to: '/messages/received', label: msg`Received` },
      { to: '/messages/scheduled', label: msg`Scheduled` },
      { to: '/messages/send', label: msg`Send`, needs: 'messages:send' },
      { to: '/messages/sandbox', label: msg`Sandbox`, needs: 'messages:read_content' },
    ],
  },
  {
    to: '/people',
    label: msg`People`,
    icon: Users,
    pages: [
      { to: '/people/lists', label: msg`Lists` },
      { to: '/people/segments', label: msg`Segments` },
      { to: '/people/fields', label: msg`Fields` },
    ],
  },
  { to: '/consent', label: msg`Consent`, icon: ShieldCheck, pages: [{ to: '/consent/suppressions', label: msg`Suppressions` }] },
  {
    to: '/developers',
    label: msg`Developers`,
    icon: CodeXml,
    pages: [
      { to: '/developers/keys', label: msg`API keys` },
      { to: '/developers/webhooks', label: msg`Webhook endpoints` },
    ],
  },
  {
    to: '/settings',
    label: msg`Settings`,
    icon: Settings,
    pages: [
      { to: '/settings/account', label: msg`Account` },
      { to: '/settings/branding', label: msg`Branding` },
      { to: '/settings/users', label: msg`Users` },
      { to: '/settings/security', label: msg`Security` },
      { to: '/settings/activity', label: msg`Activity` },
    ],
  },
];
