import test from 'ava';
import {tlsProtocol} from '../../../core/http/tls/cipher-suites.js';
import {servingSettings, type ServingOptions} from '../../../core/tls/serving-options.js';

const wrong: readonly [ServingOptions, RegExp][] = [
  [{tlsCertFile: 'a.crt'}, /^--tls-cert-file and --tls-private-key-file must be given together$/],
  [{tlsPrivateKeyFile: 'a.key'}, /--tls-cert-file and --tls-private-key-file must be given together/],
  [{tlsMinVersion: 'TLSv1.2'}, /^--tls-min-version must be one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13, not "TLSv1.2"$/],
  [
    {tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA', 'constructor']},
    /"TLS_RSA_WITH_RC4_128_SHA", "constructor": no such cipher suite; there are: TLS_AES_/,
  ],
  [{tlsSniCertKey: ['a.crt']}, /^--tls-sni-cert-key must be CERTIFICATE,KEY or CERTIFICATE,KEY:PATTERN,PATTERN, not "a.crt"$/],
  [{tlsSniCertKey: ['a.crt,']}, /must be CERTIFICATE,KEY/],
  [{tlsSniCertKey: ['a,b,c:x']}, /must be CERTIFICATE,KEY/],
  [{tlsSniCertKey: ['a.crt,a.key:']}, /"" is not a host name/],
  [
    {tlsSniCertKey: ['a.crt,a.key:127.0.0.1']},
    /"127.0.0.1" is not a host name such as api.example.com or \*.example.com; clients send no addresses/,
  ],
  [{tlsSniCertKey: ['a.crt,a.key:a.*.com']}, /"a.\*.com" is not a host name/],
];

for (const [options, message] of wrong) {
  test(`certificates given as ${JSON.stringify(options)} are refused in words`, (t) => {
    t.throws(() => servingSettings(options, '/'), {message});
  });
}

test('a certificate for host names is given with files and patterns', (t) => {
  const {named} = servingSettings({tlsSniCertKey: ['a.crt,a.key', '/b.crt, b.key: *.B.example.com ,b']}, '/here');
  t.deepEqual(
    named.map(({certFile, keyFile, patterns}) => [certFile, keyFile, ...patterns]),
    [
      ['/here/a.crt', '/here/a.key'],
      ['/b.crt', '/here/b.key', '*.b.example.com', 'b'],
    ],
  );
});

test("cipher suites go by Go's names, those of TLS 1.3 are always there", (t) => {
  const tls13 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';
  t.deepEqual(tlsProtocol('VersionTLS13', ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'TLS_AES_128_GCM_SHA256']), {
    minVersion: 'TLSv1.3',
    ciphers: `${tls13}:ECDHE-RSA-AES256-SHA`,
  });
  t.false(tlsProtocol().ciphers.includes('SHA:'));
  t.regex(tlsProtocol('VersionTLS11').ciphers, /ECDHE-RSA-AES128-SHA:.*:@SECLEVEL=0$/);
});
