/** Who acts for an account: the users who sign in to it, and the keys that programs use. */
import type { Grant, UserRole } from './access.js';

export interface User {
  readonly id: string;
  readonly email_key: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: UserRole;
  readonly status: 'active' | 'disabled';
  readonly password_hash: string;
  /** Increased by everything that revokes issued sign-in tokens: a new password, disabling the user. */
  readonly token_version: number;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: Grant;
  /** Missing in keys that send to real recipients. */
  readonly mode?: 'test';
  /** Unknown fields of its requests are errors. */
  readonly strict?: boolean;
  readonly created_at: string;
}
