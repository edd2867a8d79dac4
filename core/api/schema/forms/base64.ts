const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Standard base64 with padding, without line breaks and with unused bits cleared: what Kubernetes writes for the same bytes. Undefined for
 * invalid base64.
 */
export function normalBase64(text: string): string | undefined {
  const joined = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
  if (joined.length % 4 !== 0 || !alphabet.test(joined)) return undefined;
  if (!joined.endsWith('=')) return joined;
  const tail = joined.slice(-4);
  return joined.slice(0, -4) + Buffer.from(tail, 'base64').toString('base64');
}
