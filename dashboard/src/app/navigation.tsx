import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { House, type LucideIcon, Send, ShieldCheck } from 'lucide-react';

export interface Entry {
  readonly to: string;
  readonly label: MessageDescriptor;
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
      { to: '/messages/send', label: msg`Send` },
      { to: '/messages/sandbox', label: msg`Sandbox` },
    ],
  },
  { to: '/consent', label: msg`Consent`, icon: ShieldCheck, pages: [{ to: '/consent/suppressions', label: msg`Suppressions` }] },
];
