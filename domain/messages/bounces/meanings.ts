/** What a mail system can mean by refusing a mail, and what follows for the address. */

/**
 * `hard`: this mailbox does not exist, or is closed for good. `blocked`: the receiver refuses this sender. `soft`: this message did not
 * arrive, for a reason that passes or that lies in the message. `unknown`: nothing says why.
 */
export const bounceClasses = ['hard', 'soft', 'blocked', 'unknown'] as const;
export type BounceClass = (typeof bounceClasses)[number];

/** Each meaning with its class. */
export const bounceMeanings = {
  // The address itself
  no_mailbox: 'hard',
  no_domain: 'hard',
  moved: 'hard',
  takes_no_mail: 'hard',
  // Passes, or lies in the message
  full: 'soft',
  too_large: 'soft',
  disabled: 'soft',
  restricted: 'soft',
  rate: 'soft',
  content: 'soft',
  sender_address: 'soft',
  relaying: 'soft',
  name_server: 'soft',
  network: 'soft',
  expired: 'soft',
  routing: 'soft',
  protocol: 'soft',
  system: 'soft',
  // The receiver refuses this sender
  listed: 'blocked',
  authentication: 'blocked',
  policy: 'blocked',
} as const satisfies Readonly<Record<string, BounceClass>>;
export type BounceMeaning = keyof typeof bounceMeanings;
