import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { House, type LucideIcon } from 'lucide-react';
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
export const sections: readonly Section[] = [{ to: '/', label: msg`Overview`, icon: House }];
