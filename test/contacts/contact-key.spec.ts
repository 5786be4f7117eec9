import { type ContactKeyCommand, type ContactKeyEvent, contactKey } from '../../domain/contacts/contact-key.js';
import { specification } from '../given.js';

const { given } = specification(contactKey);
const now = '2026-01-15T12:00:00.000Z';
const claimed = (contact_id: string): ContactKeyEvent => ({ type: 'ContactKeyClaimed', data: { contact_id, at: now } });
const released = (contact_id: string): ContactKeyEvent => ({ type: 'ContactKeyReleased', data: { contact_id, at: now } });
const claim = (contact_id: string, stale: string | null = null): ContactKeyCommand => ({ type: 'ClaimContactKey', contact_id, stale, now });
const release = (contact_id: string): ContactKeyCommand => ({ type: 'ReleaseContactKey', contact_id, now });

describe('a contact key', () => {
  it('belongs to the first contact that claims it', () => given().when(claim('con_A')).then(claimed('con_A')));
  it('stays with its contact when another one claims it', () => given(claimed('con_A')).when(claim('con_B')).thenNothing());
  it('is claimed again by its own contact, so that the claim is later than earlier changes', () =>
    given(claimed('con_A')).when(claim('con_A')).then(claimed('con_A')));
  it('passes to another contact if its own is stale', () =>
    given(claimed('con_A')).when(claim('con_B', 'con_A')).then(released('con_A'), claimed('con_B')));
  it('stays with its contact if another one is stale', () => given(claimed('con_A')).when(claim('con_B', 'con_C')).thenNothing());
  it('is released once, and only by its own contact', () => {
    given(claimed('con_A')).when(release('con_A')).then(released('con_A'));
    given(claimed('con_A')).when(release('con_B')).thenNothing();
    given(claimed('con_A'), released('con_A')).when(release('con_A')).thenNothing();
  });
  it('can be claimed by any contact once it is free', () => given(claimed('con_A'), released('con_A')).when(claim('con_B')).then(claimed('con_B')));
});
