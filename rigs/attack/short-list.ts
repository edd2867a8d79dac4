/** The attacks that tell most in little time: one for each place where a bound stands. */
export const shortList: readonly string[] = [
  'pipelining/health',
  'pipelining/large-list',
  'connections/half-hello',
  'headers/300-of-1-megabyte',
  'delivery/all-but-the-last-byte-of-a-megabyte',
  'yaml/alias-bomb',
  'protobuf/owner-references',
  'validation/600000-empty-containers',
  'roles/create-400-cubed',
  'patches/grow-by-merge',
  'watches/100-never-read',
  'websockets/small-messages',
  'crowds/20-clients-of-one-user',
];
