/** A key as part of a header's name: percent-encoded where a name cannot hold it (`Impersonate-Extra-`, `X-Remote-Extra-`). */
export function encodeHeaderKey(key: string): string {
  return key.replace(/[^A-Za-z0-9!#$&'*+.^_`|~-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  );
}
