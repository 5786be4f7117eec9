import { expect } from 'chai';
import fc from 'fast-check';
import { type Grant, includesGrant, parseGrant, roleGrants, scopes } from '../../domain/accounts/access.js';
import { isDomainError } from '../../domain/kernel/errors.js';

const anyGrant = fc.option(fc.subarray([...scopes]));

describe('scopes', () => {
  it('are null for everything and empty for nothing', () => {
    expect(parseGrant(null)).to.equal(null);
    expect(parseGrant([])).to.deep.equal([]);
  });
  it('are each listed once', () => expect(parseGrant(['write', 'read', 'write'])).to.deep.equal(['read', 'write']));
  it('that are unknown are refused, all at once', () => {
    try {
      parseGrant(['read', 'admin', '__proto__']);
      expect.fail('accepted');
    } catch (e) {
      if (!isDomainError(e)) throw e;
      expect(e.code).to.equal('validation_error');
      expect((e.details.errors as { field: string }[]).map(({ field }) => field)).to.deep.equal(['scopes[1]', 'scopes[2]']);
    }
  });
  it('cover others exactly if those allow nothing more', () => {
    const deeds = [...scopes, 'manage users'] as const;
    const may = (grant: Grant, deed: (typeof deeds)[number]) => grant === null || (deed !== 'manage users' && grant.includes(deed));
    fc.assert(
      fc.property(anyGrant, anyGrant, (own, wanted) => {
        expect(includesGrant(own, wanted)).to.equal(deeds.every((deed) => may(own, deed) || !may(wanted, deed)));
      }),
    );
  });
});

describe('a role', () => {
  it('grants an owner everything, a member all data, an analyst reads only', () =>
    expect(roleGrants).to.deep.equal({ owner: null, member: ['read', 'write'], analyst: ['read'] }));
});
