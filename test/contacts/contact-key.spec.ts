import { type ContactKeyCommand, type ContactKeyEvent, contactKey } from '../../domain/contacts/contact-key.js';
import { specification } from '../given.js';

const { given } = specification(contactKey);
const now = '2026-01-15T12:00:00.000Z';
const claimed = (contact_id: string): ContactKeyEvent => ({ type: 'ContactKeyClaimed', data: { contact_id, at: now } });
const released = (contact_id: string): ContactKeyEvent => ({ type: 'ContactKeyReleased', data: { contact_id, at: now } });
const claim = (contact_id: string, stale: string | null = null): ContactKeyCommand => ({ type: 'ClaimContactKey', contact_id, stale, now });
const release = (contact_id: string): ContactKeyCommand => ({ type: 'ReleaseContactKey', contact_id, now });

describe('the key of a contact', () => {
  it('goes to whoever claims it first', () => given().when(claim('con_A')).then(claimed('con_A')));
  it('stays with its contact', () => given(claimed('con_A')).when(claim('con_B')).thenNothing());
  it('is claimed anew by its own contact, to be later than what was said', () => given(claimed('con_A')).when(claim('con_A')).then(claimed('con_A')));
  it('passes over where its contact gave it up', () =>
    given(claimed('con_A')).when(claim('con_B', 'con_A')).then(released('con_A'), claimed('con_B')));
  it('does not pass over where somebody else gave it up', () => given(claimed('con_A')).when(claim('con_B', 'con_C')).thenNothing());
  it('is freed by its own contact only, once', () => {
    given(claimed('con_A')).when(release('con_A')).then(released('con_A'));
    given(claimed('con_A')).when(release('con_B')).thenNothing();
    given(claimed('con_A'), released('con_A')).when(release('con_A')).thenNothing();
  });
  it('is anybody’s once it is free', () => given(claimed('con_A'), released('con_A')).when(claim('con_B')).then(claimed('con_B')));
});
