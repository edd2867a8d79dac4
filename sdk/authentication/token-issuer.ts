/** The issuer that a signed token (JWT) names; undefined for other strings. The signature is not verified, so this proves nothing. */
export function tokenIssuer(token: string): string | undefined {
  // Not split: there may be a hundred thousand parts.
  const begin = token.indexOf('.') + 1;
  const end = token.indexOf('.', begin);
  if (begin === 0 || end < 0 || token.includes('.', end + 1)) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(token.slice(begin, end), 'base64url').toString('utf8')) as {iss?: unknown} | null;
    return typeof claims?.iss === 'string' ? claims.iss : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
