import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Schemas, VersionedValue } from '../../api/client.ts';
import type { Settings } from './queries.ts';

export interface SettingsProps {
  readonly settings: VersionedValue<Settings>;
}

export type Channel = Schemas['Channel'];

export const channelWords: Readonly<Record<Channel, MessageDescriptor>> = {
  email: msg`Email`,
  sms: msg`SMS`,
  whatsapp: msg`WhatsApp`,
  rcs: msg`RCS`,
  push: msg`Push`,
  in_app: msg`In-app`,
};

export const channels = Object.keys(channelWords) as Channel[];

export const roleWords: Readonly<Record<Schemas['Role'], { readonly label: MessageDescriptor; readonly hint: MessageDescriptor }>> = {
  owner: { label: msg`Owner`, hint: msg`May do everything, also users, keys and settings.` },
  member: { label: msg`Member`, hint: msg`Reads and writes, but not users, keys and settings.` },
  analyst: { label: msg`Analyst`, hint: msg`Looks at everything, and changes nothing.` },
};

export const roles = Object.keys(roleWords) as Schemas['Role'][];

/** The durations that a form offers, by how the API writes them. */
export const durationWords: readonly { readonly value: string; readonly label: MessageDescriptor }[] = [
  { value: 'PT1H', label: msg`an hour` },
  { value: 'PT12H', label: msg`12 hours` },
  { value: 'P1D', label: msg`a day` },
  { value: 'P3D', label: msg`3 days` },
  { value: 'P7D', label: msg`7 days` },
  { value: 'P14D', label: msg`14 days` },
  { value: 'P30D', label: msg`30 days` },
  { value: 'P90D', label: msg`90 days` },
  { value: 'P180D', label: msg`180 days` },
  { value: 'P365D', label: msg`365 days` },
];
