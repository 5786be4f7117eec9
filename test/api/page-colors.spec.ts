import { expect } from 'chai';
import fc from 'fast-check';
import { accentOf, CARD, contrast } from '../../api/pages/page-colors.js';

describe('the colors of public pages', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);

  it('stay readable whatever the color of the account is', () => {
    fc.assert(
      fc.property(color, fc.constantFrom('light' as const, 'dark' as const), (own, scheme) => {
        const { accent, fill, on } = accentOf(own, scheme);
        expect(contrast(accent, CARD[scheme])).to.be.at.least(4.5);
        expect(fill).to.equal(own);
        expect(contrast(on, fill)).to.be.at.least(4.5);
      }),
    );
  });

  it('are the account’s own where that can be read', () => {
    expect(accentOf('#7A1FA2', 'light')).to.deep.equal({ accent: '#7a1fa2', fill: '#7a1fa2', on: '#ffffff' });
    expect(accentOf('#ffff00', 'light').accent).to.not.equal('#ffff00');
    expect(accentOf('#ffff00', 'dark')).to.deep.equal({ accent: '#ffff00', fill: '#ffff00', on: '#10151c' });
  });
});
