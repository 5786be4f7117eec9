/** Definitions for specs, and what they refer to. */
import type { JourneyCatalog } from '../../domain/journeys/part-problems.js';

/** One node of every kind. */
export const abandonedCart = () => ({
  name: 'Abandoned cart',
  start: 't',
  nodes: [
    {
      id: 't',
      kind: 'trigger',
      on: { type: 'event', event: 'cart_abandoned', where: [{ property: 'value', op: 'gt', value: 20 }] },
      filter: { type: 'consent', channel: 'email', purpose: 'marketing', status: 'granted' },
      next: 'h',
    },
    { id: 'h', kind: 'holdout', percent: 5, next: 'd' },
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 'b' },
    {
      id: 'b',
      kind: 'branch',
      mode: 'rule',
      branches: [{ id: 'vip', rule: { type: 'segment', segment_id: 'seg_vip', is_member: true }, next: 's2' }],
      else: 's1',
    },
    { id: 's1', kind: 'send', channel: 'email', template_id: 'tpl_1', on_failure: 'continue', on_capped: 'skip', next: 'w' },
    { id: 's2', kind: 'send', channel: 'sms', message: 'Hi {{contact.first_name}}', next: 'ab' },
    {
      id: 'w',
      kind: 'wait',
      for: [{ on: { type: 'message', action: 'opened', node: 's1' }, next: 'u' }],
      timeout: 'P3D',
      on_timeout: 'ab',
    },
    {
      id: 'ab',
      kind: 'branch',
      mode: 'random',
      branches: [
        { weight: 33.34, next: 'u' },
        { weight: 66.66, next: 'g' },
      ],
    },
    { id: 'g', kind: 'digest', window: 'PT1H', next: 'u' },
    { id: 'u', kind: 'update_contact', set: { plan: 'pro', first_name: null }, add_tags: ['reminded'], next: 'l' },
    { id: 'l', kind: 'list', action: 'add', list_id: 'lst_1', next: 'p' },
    { id: 'p', kind: 'webhook', url: 'https://example.com/hook', headers: { authorization: 'Bearer abc' }, next: 'x' },
    { id: 'x', kind: 'exit', reason: 'reminded' },
  ] as Record<string, unknown>[],
  settings: {
    reentry: { mode: 'after_exit', cooldown: 'P7D', key: 'properties.cart_id' },
    exit_when: [{ type: 'event', event: 'purchase', key: 'properties.cart_id' }],
    goal: null,
    quiet_hours: 'account',
    frequency_cap: 'respect',
    timezone_fallback: 'UTC',
    max_duration: 'P90D',
  } as Record<string, unknown>,
});

export const catalog: JourneyCatalog = {
  fields: new Map([
    ['plan', 'string'],
    ['trial_ends_at', 'datetime'],
    ['born', 'date'],
    ['visits', 'number'],
  ]),
  lists: new Set(['lst_1']),
  segments: new Set(['seg_vip']),
  forms: new Set(['frm_1']),
  templates: new Map([
    ['tpl_1', 'email'],
    ['tpl_sms', 'sms'],
  ]),
  isTimeZone: (name) => ['UTC', 'Europe/Paris'].includes(name),
};
