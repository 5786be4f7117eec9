/** What the users of an account may do, by names that pages show or hide their parts by. The routes' own rules decide. */
import { named, oneOf } from '../kernel/schema.js';
import { roles, type UserRole } from './access.js';

const writers: readonly UserRole[] = ['owner', 'member'];
const owners: readonly UserRole[] = ['owner'];

/** The roles that have each permission. A spec compares them with what the routes answer. */
const holders = {
  'messages:read': roles,
  /** What was handed to the sandbox, with the links that it contains. */
  'messages:read_content': writers,
  'messages:send': writers,
  'contacts:read': roles,
  'contacts:write': writers,
  'consent:read': roles,
  'consent:write': writers,
  'suppressions:read': roles,
  'suppressions:write': writers,
  'events:read': roles,
  'events:write': writers,
  'lists:read': roles,
  'lists:write': writers,
  'segments:read': roles,
  'segments:write': writers,
  'campaigns:read': roles,
  'campaigns:write': writers,
  'journeys:read': roles,
  'journeys:write': writers,
  'templates:read': roles,
  'templates:write': writers,
  'forms:read': roles,
  'forms:write': writers,
  'inbox:read': roles,
  'inbox:write': writers,
  'push:read': roles,
  'push:write': writers,
  'scores:read': roles,
  'scores:write': writers,
  'webhooks:read': roles,
  'webhooks:write': writers,
  'jobs:read': roles,
  'jobs:write': writers,
  'views:read': roles,
  'views:write': writers,
  'users:read': roles,
  'users:manage': owners,
  'keys:read': roles,
  'keys:manage': owners,
  'settings:read': roles,
  'settings:write': owners,
} as const satisfies Readonly<Record<string, readonly UserRole[]>>;

/** Of owners of the accounts that operate the installation: what is wrong with it, beyond their own account. */
const SYSTEM_READ = 'system:read';

export type Permission = keyof typeof holders | typeof SYSTEM_READ;
const ofAccounts = Object.keys(holders) as (keyof typeof holders)[];
export const permissions: readonly Permission[] = [...ofAccounts, SYSTEM_READ];
export const permissionSchema = named('Permission', oneOf(...permissions));

/** What a user of this role may do. `operates`: the account is one of those that operate the installation. */
export const permissionsOf = (role: UserRole, operates: boolean): Permission[] => [
  ...ofAccounts.filter((permission) => (holders[permission] as readonly UserRole[]).includes(role)),
  ...(operates && role === 'owner' ? [SYSTEM_READ as Permission] : []),
];
