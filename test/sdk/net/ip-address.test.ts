import fc from 'fast-check';
import test from 'ava';
import {cidrContains, cidrSize, formatIp, parseCidr, parseIp} from '../../../sdk/net/ip-address.js';
import {isGlobalUnicast, validateNonSpecialIp} from '../../../sdk/net/special-addresses.js';
import {fieldErrorText, FieldPath} from '../../../sdk/index.js';

test('addresses are read in all their spellings', (t) => {
  t.deepEqual(parseIp('10.0.0.1'), {family: 'IPv4', value: 0x0a000001n});
  t.deepEqual(parseIp('010.000.0.01'), {family: 'IPv4', value: 0x0a000001n});
  t.deepEqual(parseIp('::ffff:10.0.0.1'), {family: 'IPv4', value: 0x0a000001n});
  t.deepEqual(parseIp('2001:DB8::1'), {family: 'IPv6', value: 0x20010db8000000000000000000000001n});
  t.deepEqual(parseIp('::'), {family: 'IPv6', value: 0n});
  for (const none of ['', '10.0.0', '10.0.0.256', '1.2.3.4.5', ':::', 'fe80::1%eth0', 'host', '1'.repeat(100)])
    t.is(parseIp(none), undefined, none);
});

test('IPv6 addresses are written in their shortest form', (t) => {
  const rows = {
    '2001:0db8:0:0:0:0:0:1': '2001:db8::1',
    '0:0:0:0:0:0:0:0': '::',
    '1:0:0:2:0:0:0:3': '1:0:0:2::3',
    '1:0:2:3:4:5:6:7': '1:0:2:3:4:5:6:7',
    'fd00::': 'fd00::',
  };
  for (const [text, expected] of Object.entries(rows)) t.is(formatIp(parseIp(text)!), expected);
});

test('every address is read back as it was written', (t) => {
  const seed = Date.now() & 0x7fffffff;
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseIp(text)!;
      const again = parseIp(formatIp(address));
      return again?.value === address.value && again.family === address.family;
    }),
    {seed, numRuns: 2_000},
  );
  t.pass(`seed ${seed}`);
});

test('a block holds the addresses behind its prefix', (t) => {
  const block = parseCidr('10.96.5.0/12')!;
  t.is(cidrSize(block), 1n << 20n);
  t.true(cidrContains(block, parseIp('10.111.255.255')!));
  t.false(cidrContains(block, parseIp('10.112.0.0')!));
  t.false(cidrContains(block, parseIp('::1')!));
  for (const none of ['10.0.0.0', '10.0.0.0/33', '::/129', 'x/8', '10.0.0.0/-1']) t.is(parseCidr(none), undefined, none);
});

test('addresses that mean no other machine are refused as targets', (t) => {
  const faults = (ip: string) => validateNonSpecialIp(ip, FieldPath.of('ip')).map(fieldErrorText);
  t.deepEqual(faults('10.0.0.1'), []);
  t.deepEqual(faults('127.0.0.1'), ['ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)']);
  t.deepEqual(faults('0.0.0.0'), ['ip: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)']);
  t.deepEqual(faults('nowhere'), ['ip: Invalid value: "nowhere": must be a valid IP address']);
  for (const special of ['169.254.169.254', 'fe80::1', '224.0.0.1', '239.1.1.1', 'ff05::2', '255.255.255.255', '::1', '::ffff:127.0.0.1'])
    t.false(isGlobalUnicast(parseIp(special)!), special);
  for (const usual of ['10.0.0.1', '8.8.8.8', '::ffff:8.8.8.8', 'fd00::1', '2001:db8::1', '240.0.0.1'])
    t.true(isGlobalUnicast(parseIp(usual)!), usual);
});
