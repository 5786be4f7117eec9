import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { addressRateKey, clientAddress, type TrustProxy } from '../../api/http/server/client-address.js';

const address = (trust: TrustProxy, remoteAddress: string | undefined, forwarded?: string): string =>
  clientAddress(trust)({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage);

describe('the address of a client', () => {
  it("is the socket's, whatever a header says, where no proxy is trusted", () => {
    expect(address(false, '203.0.113.9', '198.51.100.1')).to.equal('203.0.113.9');
  });

  it('is written as IPv4 where IPv6 only wraps it', () => {
    expect(address(false, '::ffff:203.0.113.9')).to.equal('203.0.113.9');
  });

  it('is what the last trusted proxy saw, counted in hops', () => {
    expect(address(1, '10.0.0.1', '6.6.6.6, 198.51.100.1')).to.equal('198.51.100.1');
    expect(address(2, '10.0.0.1', '6.6.6.6, 198.51.100.1')).to.equal('6.6.6.6');
    expect(address(9, '10.0.0.1', '198.51.100.1')).to.equal('198.51.100.1');
  });

  it('is the first one from the right that no trusted network holds', () => {
    const trust = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'];
    expect(address(trust, '10.0.0.1', '6.6.6.6, 198.51.100.1, 192.0.2.7, 2001:db8::5')).to.equal('198.51.100.1');
    expect(address(trust, '203.0.113.9', '198.51.100.1')).to.equal('203.0.113.9');
    expect(address(trust, '10.0.0.1', '10.0.0.2, 10.0.0.3')).to.equal('10.0.0.2');
    expect(address(trust, '10.0.0.1')).to.equal('10.0.0.1');
  });

  it('is the first one from the right that no named network holds', () => {
    for (const [network, proxy] of [
      ['loopback', '127.0.0.9'],
      ['loopback', '::1'],
      ['linklocal', '169.254.1.1'],
      ['uniquelocal', '172.16.0.1'],
    ] as const)
      expect(address([network], proxy, '198.51.100.7, 203.0.113.9'), network).to.equal('203.0.113.9');
    expect(address(['loopback'], '192.0.2.1', '198.51.100.7')).to.equal('192.0.2.1');
  });

  it('never comes from behind an entry that is no address', () => {
    expect(address(5, '10.0.0.1', '198.51.100.1, unknown, 203.0.113.9')).to.equal('203.0.113.9');
    expect(address(5, '10.0.0.1', '198.51.100.1, 1')).to.equal('10.0.0.1');
  });

  it('is read with ports, brackets and zones', () => {
    expect(address(1, '10.0.0.1', '198.51.100.1:4711')).to.equal('198.51.100.1');
    expect(address(1, '10.0.0.1', '[2001:db8::1]:4711')).to.equal('2001:db8::1');
    expect(address(1, '10.0.0.1', 'fe80::1%eth0')).to.equal('fe80::1');
  });

  it('is unknown once the connection is gone', () => {
    expect(address(false, undefined)).to.equal('unknown');
    expect(addressRateKey('unknown')).to.equal('unknown');
  });

  it('is counted by /64 in IPv6 and whole in IPv4', () => {
    expect(addressRateKey('2001:db8:1:2::1')).to.equal(addressRateKey('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(addressRateKey('2001:db8:1:2::1')).not.to.equal(addressRateKey('2001:db8:1:3::1'));
    expect(addressRateKey('203.0.113.9')).to.equal('203.0.113.9');
  });

  it('refuses a network that is not in CIDR form at the start', () => {
    expect(() => clientAddress(['10.0.0.0/99'])).to.throw();
    expect(() => clientAddress(['everyone'])).to.throw();
  });
});
