/** The reference tokens of a JSON pointer (RFC 6901), or undefined when the text is none. The empty text is the whole document. */
export function parseJsonPointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (text[0] !== '/' || /~(?![01])/.test(text)) return undefined;
  const tokens = text.slice(1).split('/');
  return text.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}
