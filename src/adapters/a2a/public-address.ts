import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Parts of the internal network that an operator may mean: this machine, private and carrier-grade networks. */
const INTERNAL = blockList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
]);

/** Nobody is ever to be asked there: metadata services, link-local, multicast, reserved and documentation ranges. */
const NEVER = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  // Ranges that carry an IPv4 address inside, which would be reached through them.
  '2001::/23',
  '2002::/16',
  '2001:db8::/32',
  '3fff::/20',
]);
/** All that is given out to the public so far; mapped, translated, site-local and multicast addresses lie outside. */
const PUBLIC_V6 = blockList(['2000::/3']);

/**
 * Whether an agent may be asked at an address.
 * @param address of either family, as the resolver gave it
 * @returns what is wrong with it; null where nothing is
 */
export function addressFault(address: string, allowPrivate: boolean): string | null {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 0) return 'is no address';
  // Node compares an address like ::ffff:10.0.0.1 with the IPv4 ranges: it must not pass as the IPv4 address it hides.
  if (family === 'ipv6' && /^::ffff:/i.test(bare)) return 'is an IPv4 address in the form of an IPv6 one';
  if (NEVER.check(bare, family)) return 'is link-local, a metadata service or reserved';
  if (INTERNAL.check(bare, family)) return allowPrivate ? null : 'is in the internal network';
  return family === 'ipv6' && !PUBLIC_V6.check(bare, family) ? 'is not a public address' : null;
}

/**
 * Resolves names for connections, and refuses one where any of its addresses may not be called: a name may lead elsewhere a
 * moment after it was looked at.
 * @param faultOf what is wrong with an address; null where nothing is
 * @param refusal the error for such a fault
 */
export function guardedLookup(
  faultOf: (address: string) => string | null,
  refusal: (fault: string) => Error,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const fault = addresses.map(({ address }) => faultOf(address)).find((one) => one !== null);
      if (fault !== undefined) return done(refusal(fault), '');
      const [first] = addresses;
      if (options.all === true || first === undefined) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** A host of an URL that is an address and no name, without brackets; null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits = ''] = range.split('/');
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
}
