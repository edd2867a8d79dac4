/** The reference tokens of a JSON pointer (RFC 6901); undefined if it is malformed. The empty string is the whole document. */
export function parseJsonPointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (text[0] !== '/' || /~(?![01])/.test(text)) return undefined;
  const tokens = text.slice(1).split('/');
  return text.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}
