import test from 'ava';
import {faultsOfSpec} from './catalog-fixture.js';

/** Texts that Kubernetes 1.26 takes and refuses (`k8s.io/kube-openapi/pkg/validation/strfmt` as of October 2022). */
const formats: Readonly<Record<string, {good: readonly string[]; bad: readonly string[]}>> = {
  bsonobjectid: {
    good: ['507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011'],
    bad: ['507f1f77bcf86cd79943901', '', ' 507f1f77bcf86cd799439011'],
  },
  uri: {
    good: [
      ...['https://example.com/a?b#c', 'mailto:a@b.example', '/a', '/', '//x y', 'a:b', 'a:', '*', 'x:/%41', 'http://[fe80::1%25en0]:80/'],
      ...['http://u:p@h:1/', 'http://höst/', 'http://h%C3%B6/', 'http://', 'http:///a', 'a:b c', '/a b', 'urn:%zz'],
    ],
    bad: [
      ...[
        'example',
        '',
        'http://a b',
        ':a',
        '1a:b',
        'a\nb:c',
        '/%4',
        '/%zz',
        'http://h:port/',
        'http://[::1',
        'http://h%41/',
        'http://u^@h/',
      ],
      ...['http://[::1]x/', 'http://%zz@h/', 'http://[fe80::1%25%2f]/'],
    ],
  },
  email: {
    good: [
      ...[
        'a@example.com',
        'a@-b',
        'a.b+c@x',
        '"x" <a@b.c>',
        '"a b"@c',
        'Barry Gibbs <bg@example.com>',
        '<a@b>',
        'a@b (name)',
        ' a@b ',
        'ä@ö',
      ],
      ...['x.y. <a@b>', 'list: a@b;', '=?utf-8?q?J=C3=B6rg?= <a@b>', '"a\\"b" <a@b>', 'a@b (x (y) \\) z)', 'x <a@b> (c)'],
    ],
    bad: [
      ...[
        'a',
        '@b',
        '',
        ' ',
        'a@',
        'a b@c',
        '.a@b',
        'a.@b',
        'a..b@c',
        'a@b,c@d',
        'a@b.',
        'list: a@b, c@d;',
        'list:;',
        'a@[1.2.3.4]',
        '""@b',
      ],
      ...['<a@b', 'a@b>', '"a@b', 'a@b (x', '=?koi8-r?q?a?= <a@b>', 'x@y <a@b>', 'a\u0001@b', 'x <a>', 'a@b <'],
    ],
  },
  hostname: {
    good: ['example.com', 'a', '1', 'a-b', 'a.b.example', 'münchen.de', '☃.net', 'a-', 'EXAMPLE.Com', 'x--y.example'],
    bad: [
      'a_b',
      '-a',
      'a..b',
      '',
      'a.b',
      'example.com.',
      '10.0.0.1',
      'a-b-c',
      'a.b1',
      '-a.example',
      'a-.example',
      `${'a'.repeat(64)}.example`,
      'a b',
    ],
  },
  ipv4: {good: ['10.0.0.1', '010.000.0.0001', '::ffff:1.2.3.4'], bad: ['256.0.0.1', '1.2.3', '1.2.3.4.5', '', '::1', '1.2.3.4 ', '1..2.3']},
  ipv6: {
    good: [
      '::1',
      '::',
      'fe80::1:2',
      '1:2:3:4:5:6:7:8',
      '::ffff:1.2.3.4',
      '1::',
      '1:2:3:4:5:6:7::',
      'ABCD::',
      '00001::',
      '1:2:3:4:5:6:1.2.3.4',
    ],
    bad: [
      ...[
        '1',
        ':::',
        '1:2:3:4:5:6:7',
        'g::',
        '1::2::3',
        '1:2:3:4:5:6:7:8:9',
        '::ffff:1.2.3.04',
        'fe80::1%eth0',
        '1:2:3:4:5:6:7:8::',
        ':1',
        '1:',
        '',
      ],
      ...['12345::', '1.2.3.4', '1:2:3:4:5:6:7:1.2.3.4', '::1.2.3'],
    ],
  },
  cidr: {
    good: ['10.0.0.0/8', 'fd00::/8', '10.1.2.3/08', '010.0.0.0/8', '::ffff:1.2.3.4/128', '0.0.0.0/0'],
    bad: ['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', '/8', '10.0.0/8'],
  },
  mac: {
    good: [
      '00:1a:2b:3c:4d:5e',
      '00-1A-2B-3C-4D-5E',
      '0000.5e00.5301',
      '02:00:5e:10:00:00:00:01',
      '0200.5e10.0000.0001',
      `${'00:'.repeat(19)}ff`,
    ],
    bad: [
      '00:1a:2b:3c:4d',
      '00:1a:2b:3c:4d:5',
      '00:1a-2b:3c:4d:5e',
      '001a2b3c4d5e',
      '00:1a:2b:3c:4d:5e:6f',
      '',
      '0000.5e00',
      'gg:1a:2b:3c:4d:5e',
    ],
  },
  uuid: {
    good: ['a8098c1a-f86e-11da-bd1a-00112444be1e', 'A8098C1AF86E11DABD1A00112444BE1E'],
    bad: ['a8098c1a', '{a8098c1a-f86e-11da-bd1a-00112444be1e}'],
  },
  uuid3: {good: ['6fa459ea-ee8a-3ca4-294e-db77e160355e'], bad: ['a8098c1a-f86e-11da-bd1a-00112444be1e']},
  uuid4: {
    good: ['16fd2706-8baf-433b-82eb-8c7fada847da'],
    bad: ['6fa459ea-ee8a-3ca4-894e-db77e160355e', '16fd2706-8baf-433b-72eb-8c7fada847da'],
  },
  uuid5: {
    good: ['886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    bad: ['16fd2706-8baf-433b-82eb-8c7fada847da', '886313e1-3b8a-5372-1b90-0c9aee199e5d'],
  },
  isbn: {good: ['0-306-40615-2', '978-0-306-40615-7', '0 8044 2957 X'], bad: ['0-306-40615-3', '080442957x', '']},
  isbn10: {good: ['0-306-40615-2', '080442957X'], bad: ['978-0-306-40615-7']},
  isbn13: {good: ['9780306406157', '978\t0306406157'], bad: ['0306406152', '9780306406158']},
  creditcard: {
    good: [
      '4111111111111111',
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      'card 4111.1111.1111.1111!',
      '378282246310005',
      '30569309025904',
    ],
    bad: ['1234', '4111111111111112', '', '41111111111111111'],
  },
  ssn: {good: ['111-22-3333', '111 22 3333'], bad: ['111-22', '111223333', '111-223333', '']},
  hexcolor: {good: ['#fff', 'a0b1c2', 'FFF'], bad: ['#ggg', '#ffff', '']},
  rgbcolor: {good: ['rgb(1, 20, 255)', 'rgb( 0 ,0,0 )'], bad: ['rgb(1, 20, 256)', 'rgb(01,2,3)', 'rgba(1,2,3)', 'RGB(1,2,3)']},
  byte: {good: ['aGVsbG8=', 'aGVsbG9=', 'aa==', 'aaaa'], bad: ['a', '', 'aGVsbG8', 'aGVs\nbG8=', 'aG_-', '====', 'a===']},
  password: {good: ['', 'anything'], bad: []},
  date: {
    good: ['2020-02-29', '0000-02-29', '9999-12-31'],
    bad: ['2021-02-29', '2020-1-1', '2020-00-01', '2020-01-00', '', '2020-01-01 ', '+020-01-01'],
  },
  duration: {
    good: ['1h30m', '22 ns', '3 weeks', '-1.5h', '0', '.5s', '1d', 'in 5 Days, please', '1 µs', '2 hr', '7 wk', '3 secs'],
    bad: ['soon', '', '5', '1 parsec', 'x s', '3 hrs', '99999999999999999999 days'],
  },
  'date-time': {
    good: [
      ...[
        '2020-01-02T03:04:05Z',
        '2020-01-02T03:04:05.123+02:00',
        '2020-01-02t03:04:05z',
        '2020-01-02T03:04:05,5Z',
        '2020-01-02T03:04:05+99:99',
      ],
      '2020-01-02T03:04:05Ztrailer',
    ],
    bad: [
      '2020-01-02',
      '2020-13-02T03:04:05Z',
      '2020-01-02T24:00:00Z',
      '2020-01-02T03:04:60Z',
      '2020-01-02T03:04Z',
      '2020-01-02T03:04:05',
      '',
      'T',
    ],
  },
  datetime: {good: ['2020-01-02T03:04:05Z'], bad: ['now']},
  'u-u-i-d': {good: ['a8098c1a-f86e-11da-bd1a-00112444be1e'], bad: ['a8098c1a']},
  'nobody-knows-it': {good: ['', 'anything'], bad: []},
  constructor: {good: ['anything'], bad: []},
};

for (const [format, {good, bad}] of Object.entries(formats)) {
  test(`format ${format} takes the texts that Kubernetes takes, and no others`, (t) => {
    for (const text of good) t.deepEqual(faultsOfSpec({type: 'string', format}, text), [], text);
    for (const text of bad) {
      t.deepEqual(faultsOfSpec({type: 'string', format}, text), [
        `spec: Invalid value: ${JSON.stringify(text)}: spec in body must be of type ${format}: ${JSON.stringify(text)}`,
      ]);
    }
  });
}
