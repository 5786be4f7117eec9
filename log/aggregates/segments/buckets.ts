import { hash } from 'node:crypto';

const BUCKETS = 10_000;

/** Where a contact falls among 10,000 equal parts, from 0, by a salt. Never changes: samples depend on it. */
export const sampleBucketOf = (contactId: string, salt: string): number =>
  Number.parseInt(hash('sha256', JSON.stringify([salt, contactId]), 'hex').slice(0, 12), 16) % BUCKETS;
