/** Suites of TLS 1.2 and before by the names that IANA and Go have for them; the values are OpenSSL's. */
const configurable: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
};

/** Suites of TLS 1.3. They cannot be turned off, as in Go; OpenSSL has the same names. */
const always = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'];

/**
 * Used unless `--tls-cipher-suites` says otherwise: forward secrecy and authenticated encryption, what RFC 9325 recommends, without the CBC
 * suites that Node offers besides.
 */
const byDefault = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
];
/** Before TLS 1.2 there are only these with forward secrecy. */
const byDefaultBefore12 = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
  'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
];

const versions = {VersionTLS10: 'TLSv1', VersionTLS11: 'TLSv1.1', VersionTLS12: 'TLSv1.2', VersionTLS13: 'TLSv1.3'} as const;

/** What `--tls-min-version` may be. */
export const tlsVersions: readonly string[] = Object.keys(versions);

/** What a server speaks, in the terms of Node. */
export interface TlsProtocol {
  readonly minVersion: (typeof versions)[keyof typeof versions];
  readonly ciphers: string;
}

/**
 * Reads `--tls-min-version` and `--tls-cipher-suites`, both in Go's terms.
 *
 * @param suites no suites: the recommended ones
 * @throws Error in one sentence, which lists what there is, for unknown ones
 */
export function tlsProtocol(version = 'VersionTLS12', suites: readonly string[] = []): TlsProtocol {
  if (!Object.hasOwn(versions, version)) {
    throw new Error(`--tls-min-version must be one of ${tlsVersions.join(', ')}, not ${JSON.stringify(version)}`);
  }
  const minVersion = versions[version as keyof typeof versions];
  const old = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const unknown = suites.filter((suite) => !Object.hasOwn(configurable, suite) && !always.includes(suite));
  if (unknown.length > 0) {
    const known = [...Object.keys(configurable), ...always].toSorted();
    throw new Error(
      `--tls-cipher-suites: ${unknown.map((suite) => JSON.stringify(suite)).join(', ')}: no such cipher suite; there are: ${known.join(', ')}`,
    );
  }
  const chosen = suites.length > 0 ? suites : old ? [...byDefault, ...byDefaultBefore12] : byDefault;
  const names = chosen.filter((suite) => !always.includes(suite)).map((suite) => configurable[suite]!);
  // By default OpenSSL considers the hash functions of TLS 1.0 and 1.1 too weak.
  return {minVersion, ciphers: [...always, ...new Set(names)].join(':') + (old ? ':@SECLEVEL=0' : '')};
}
