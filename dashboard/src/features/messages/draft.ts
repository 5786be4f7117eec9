import type { Schemas } from '../../api/client.ts';

/** What is typed on the page that sends one message. */
export interface Draft {
  readonly channel: Schemas['Channel'];
  readonly to: string;
  readonly contact_id: string;
  readonly source: 'own' | 'template';
  readonly template_id: string | null;
  /** JSON, as it is typed. */
  readonly data: string;
  readonly subject: string;
  readonly html: string;
  readonly message: string;
  readonly title: string;
  readonly action_url: string;
  readonly category: Schemas['MessageCategory'];
  readonly send_at: string | null;
  /** Separated by commas. */
  readonly tags: string;
  readonly webhook_url: string;
}

export const emptyDraft: Draft = {
  channel: 'email',
  to: '',
  contact_id: '',
  source: 'own',
  template_id: null,
  data: '',
  subject: '',
  html: '',
  message: '',
  title: '',
  action_url: '',
  category: 'transactional',
  send_at: null,
  tags: '',
  webhook_url: '',
};

export const hasTitle = (channel: Draft['channel']): boolean => channel === 'push' || channel === 'in_app';

/** The values for a template, or null where what is typed is no JSON object. */
export function dataOf({ data }: Pick<Draft, 'data'>): Record<string, unknown> | null {
  if (data.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The request that a draft makes, with what is filled in and what its channel has. */
export function requestOf(draft: Draft): Schemas['SendMessageRequest'] {
  const { channel, to, source, category, template_id } = draft;
  const data = dataOf(draft) ?? {};
  const ofTemplate = { ...(template_id !== null && { template_id }), ...(Object.keys(data).length > 0 && { data }) };
  const tags = draft.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    to: to.trim(),
    channel,
    ...(source === 'template' ? ofTemplate : ownContent(draft)),
    category,
    ...filled(draft, ['contact_id', 'webhook_url']),
    ...(draft.send_at !== null && { send_at: draft.send_at }),
    ...(tags.length > 0 && { tags }),
  };
}

function ownContent(draft: Draft): Partial<Schemas['SendMessageRequest']> {
  const { channel } = draft;
  if (channel === 'email') return filled(draft, ['subject', 'html', 'message']);
  return hasTitle(channel) ? filled(draft, ['title', 'message', 'action_url']) : filled(draft, ['message']);
}

/** Those of these texts that are not empty. */
function filled<K extends keyof Draft>(draft: Draft, names: readonly K[]): Partial<Pick<Draft, K>> {
  return Object.fromEntries(names.flatMap((name) => (draft[name] === '' ? [] : [[name, draft[name]]]))) as Partial<Pick<Draft, K>>;
}
