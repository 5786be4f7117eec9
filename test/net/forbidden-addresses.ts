/** Addresses that nothing which a caller chose may reach: private, local, special and reserved networks. */
export const forbiddenIPv4: readonly string[] =
  `10.254.0.0 192.168.10.65 172.16.10.65 0.1.2.3 0.0.0.0 127.0.0.1 127.254.254.254 169.254.45.1 169.254.169.254 255.255.255.255 224.1.2.3
  233.252.0.16 192.0.0.255 192.0.2.255 198.51.100.65 203.0.113.6 100.100.0.0 192.88.99.3 198.18.0.0 240.240.240.240 168.63.129.16`.split(/\s+/);

/** The hexadecimal groups of an IPv4 address, as IPv6 embeds it. */
const groups = (ipv4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** IPv4 inside IPv6: mapped (in both spellings), compatible, NAT64 and 6to4. */
export const embedded = (ipv4: string): readonly string[] => [
  `::ffff:${ipv4}`,
  `0:0:0:0:0:ffff:${groups(ipv4)}`,
  `::${ipv4}`,
  `64:ff9b::${ipv4}`,
  `2002:${groups(ipv4)}::1`,
];

export const forbiddenIPv6: readonly string[] =
  `:: ::1 ::ffff:127.0.0.1 ::ffff:0.0.0.1 2001:db8::1 3fff::dead:beef fe80::dead:beef febf:ffff::dead:beef fec0::1 fdee:3a45:9057::1
  fd7a:115c:a1e0::1 fd00:ec2::254 2002:c000:204::dead:beef 64:ff9b::808:808 64:ff9b:1::1 5f00::1 100::1:2:3:4 2001::1 4000::1 ff02::1
  0000::ffff:7f00:1`.split(/\s+/);
