/** Which addresses of the web may be fetched: none that leads into this machine or the network it stands in. */

import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type AddressVerdict =
  | { readonly kind: 'ok'; readonly url: URL }
  | { readonly kind: 'wrong'; readonly reason: string };

/** Not reachable from the internet, or special; the metadata services of clouds are among them. */
const PRIVATE_RANGES: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Answers for the machines of one cloud from a public-looking address.
  ['168.63.129.16', 32, 'ipv4'],
  ['::', 128, 'ipv6'],
  // Addresses that hold an IPv4 address inside could lead anywhere: mapped ones are judged by it, these are not needed.
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 32, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const PRIVATE = blockListOf(PRIVATE_RANGES);
const LOOPBACK = blockListOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);

export interface AddressRules {
  /** For tests of one's own server. */
  readonly allowLoopback: boolean;
}

/** The text of a URL, judged before anything is asked of the network; plain http becomes https where it stands alone. */
export function checkUrl(text: string, rules: AddressRules): AddressVerdict {
  if (!URL.canParse(text)) return wrong(`${JSON.stringify(text)} is not a URL. Give it in full, with https://.`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return wrong(`${url.protocol} is not fetched, only http and https.`);
  if (url.username !== '' || url.password !== '')
    return wrong('A URL with a user name or password in it is not fetched.');
  const host = hostOf(url);
  const isLoopback = isLoopbackHost(host);
  if (isLoopback && !rules.allowLoopback) return wrong(inside(host));
  if (!isLoopback && isIP(host) !== 0 && isPrivate(host, rules)) return wrong(inside(host));
  if (url.protocol === 'http:' && url.port === '' && !isLoopback) url.protocol = 'https:';
  return { kind: 'ok', url };
}

/** The host without the brackets of an IPv6 address and the dot that ends a full name. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

export function isPrivate(address: string, rules: AddressRules): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(address, family)) return !rules.allowLoopback;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPrivate(mapped, rules);
  return PRIVATE.check(address, family);
}

/** Resolves as a connection is made, so that what was checked is what is connected to; one bad address spoils all. */
export function checkedLookup(rules: AddressRules): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const [first] = found ?? [];
      if (error !== null) return callback(error, '', 0);
      if (first === undefined || found.some(({ address }) => isPrivate(address, rules)))
        return callback(new Error(inside(host)), '', 0);
      if (options.all) return callback(null, found);
      callback(null, first.address, first.family);
    });
  };
}

function isLoopbackHost(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isIP(host) !== 0 && LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

function inside(host: string): string {
  return `${host} is an address of this machine or its network, and only the public web is fetched. Use Bash with curl if the user wants that.`;
}

function wrong(reason: string): AddressVerdict {
  return { kind: 'wrong', reason };
}

function blockListOf(ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of ranges) list.addSubnet(network, prefix, family);
  return list;
}
