import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { Copy } from '../../domain/messages/accepted-fields.js';
import type { ContentRef } from '../../domain/messages/content.js';
import type { Status } from '../../domain/messages/status.js';

/** A message of the history as queries see it. Address, content and metadata stay sealed; queries unseal them. */
export interface MessageDoc extends Doc {
  readonly id: string;
  readonly account_id: string;
  /** Order of acceptance: time, position, place in the batch. */
  readonly seq: string;
  readonly status: Status;
  readonly status_reason: string | null;
  readonly channel: string;
  readonly to_key: string;
  readonly from: string | null;
  readonly category: string;
  readonly batch_id: string | null;
  readonly contact_id: string | null;
  readonly campaign_id: string | null;
  readonly journey_id: string | null;
  readonly enrollment_id: string | null;
  readonly node_id: string | null;
  readonly template_id: string | null;
  /** That its content was made from. */
  readonly template_version: number | null;
  readonly carrier: { readonly name: string; readonly message_id: string | null; readonly code: string | null } | null;
  readonly segments: number | null;
  readonly encoding: string | null;
  readonly attempts: number;
  readonly engagement: Engagement;
  /** Sealed, like `from`, but of messages from before they were. */
  readonly webhook_url: string | null;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly scheduled_at: string | null;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly failed_at: string | null;
  readonly version: number;
  readonly sealed: string;
  /** Of a test key. */
  readonly test?: boolean;
  /** Of its campaign. */
  readonly variant?: string;
  readonly content_language?: string;
  /** Whether a program opened it, and whether its recipient answered, unsubscribed or complained. */
  readonly machine_opened?: true;
  readonly replied?: true;
  readonly unsubscribed?: true;
  readonly complained?: true;
  /** Of a message of a campaign: keys of the links that its reader followed, and of those that programs did. */
  readonly links?: readonly string[];
  readonly machine_links?: readonly string[];
  /** Of an email: each with its own box. */
  readonly copies?: readonly Copy[];
  /** Set where the box has only the small fields of the content. */
  readonly content_ref?: ContentRef;
}

export interface Engagement {
  readonly opened_at: string | null;
  readonly clicked_at: string | null;
  readonly read_at: string | null;
  readonly opens: number;
  readonly clicks: number;
}

type RequiredField = 'id' | 'account_id' | 'seq' | 'status' | 'channel' | 'to_key' | 'category' | 'version' | 'sealed';

/** A message as it is stored: without the fields that have the value they begin with. */
export type StoredMessage = Doc & Pick<MessageDoc, RequiredField> & Partial<MessageDoc>;

export const NO_ENGAGEMENT: Engagement = { opened_at: null, clicked_at: null, read_at: null, opens: 0, clicks: 0 };

/** What a stored document leaves out, in the order in which people read it. */
const UNSET = {
  id: '',
  account_id: '',
  seq: '',
  status: '' as Status,
  status_reason: null,
  channel: '',
  to_key: '',
  from: null,
  category: '',
  batch_id: null,
  contact_id: null,
  campaign_id: null,
  journey_id: null,
  enrollment_id: null,
  node_id: null,
  template_id: null,
  template_version: null,
  carrier: null,
  segments: null,
  encoding: null,
  attempts: 0,
  engagement: NO_ENGAGEMENT,
  webhook_url: null,
  tags: [] as readonly string[],
  created_at: '',
  scheduled_at: null,
  sent_at: null,
  delivered_at: null,
  failed_at: null,
  version: 0,
  sealed: '',
} satisfies MessageDoc;

/** `seq` begins with the time of acceptance: RFC 3339 in UTC with milliseconds. */
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** The message of a stored document, also of one of an older version that stored all fields. */
export const wholeMessage = (stored: StoredMessage): MessageDoc => ({
  ...UNSET,
  created_at: stored.seq.slice(0, TIME_LENGTH),
  ...stored,
});

/** The document to store of a message. */
export function storedMessage({ created_at: _, ...doc }: MessageDoc): StoredMessage {
  const stored: Record<string, unknown> = {};
  for (const field in doc) if (!isUnset(field, ownField(doc, field))) setOwnField(stored, field, ownField(doc, field));
  return stored as StoredMessage;
}

const isUnset = (field: string, value: unknown): boolean => value === ownField(UNSET, field) || (Array.isArray(value) && value.length === 0);
